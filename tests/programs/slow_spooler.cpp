// SPDX-License-Identifier: GPL-3.0-or-later
// A library for LD_PRELOAD: makes task-spooler slow at one step of starting a job, of which its queue says already that it runs.
// TRIALDECK_SLOW_STEP: `pipe`, so that it does not know the job's process yet, or `setsid`, so that the process has no group of its own yet.
#include <cstdlib>
#include <ctime>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void step(const char* name)
{
    const char* slow = getenv("TRIALDECK_SLOW_STEP");
    if (slow == nullptr || strcmp(slow, name) != 0 || strcmp(program_invocation_short_name, "tsp") != 0)
        return;
    timespec left = {1, 0};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) { }
}

extern "C" {

__attribute__((visibility("default"))) int pipe(int ends[2]) noexcept
{
    step("pipe");
    return pipe2(ends, 0);
}

__attribute__((visibility("default"))) pid_t setsid() noexcept
{
    step("setsid");
    return pid_t(syscall(SYS_setsid));
}

} // extern "C"
