// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_store.h"

#include "app/trialkeeper/base/tar_folder.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace trialkeeper {

int unpackArchive(const char* archive, const char* folder)
{
    const Fd input(::open(archive, O_RDONLY | O_CLOEXEC));
    if (!input || ::mkdir(folder, 0700) != 0) {
        std::printf("The code could not be unpacked: %s.\n", errorText(errno).c_str());
        return 1;
    }
    int ends[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return 1;
    Fd read(ends[0]);
    Fd write(ends[1]);
    posix_spawn_file_actions_adddup2(&actions, input.get(), 0);
    posix_spawn_file_actions_adddup2(&actions, write.get(), 1);
    char name[] = "gzip";
    char option[] = "-dc";
    char* const arguments[] = {name, option, nullptr};
    pid_t pid = 0;
    const int error = ::posix_spawnp(&pid, name, &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        std::printf("The code could not be unpacked: gzip cannot be started (%s). Install it on that machine.\n",
            errorText(error).c_str());
        return 1;
    }
    write.reset();
    TarFolder unpacked(openFolder(AT_FDCWD, folder), TarFolder::Modes::readOnly);
    TarReader reader(unpacked);
    static char buffer[65536];
    bool good = true;
    for (;;) {
        const ssize_t got = ::read(read.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        good = good && reader.feed({buffer, std::size_t(got)}); // on a fault: read on, so that gzip ends by itself
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (good && status != 0) {
        std::printf("The archive is not a whole gzip file.\n");
        return 1;
    }
    if (!good || !reader.finish()) {
        std::printf(
            "%s%s%s\n", reader.error().c_str(), unpacked.trouble().empty() ? "" : " ", unpacked.trouble().c_str());
        return 1;
    }
    return 0;
}

} // namespace trialkeeper
