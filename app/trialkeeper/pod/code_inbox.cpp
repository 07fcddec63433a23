// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_inbox.h"

#include "app/trialkeeper/base/tar_folder.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr const char* readyName = "ready";
constexpr const char* lockName = "lock";
constexpr const char* partName = "part";
constexpr const char* codeName = "code";
constexpr std::int64_t patienceMs = 3'600'000;
constexpr ssize_t signBytes = 256 * 1024; // after so many it says that it lives
constexpr int busyCode = 75;              // EX_TEMPFAIL
constexpr int terminatedCode = 128 + SIGTERM;

int failed(const char* what)
{
    std::fprintf(stderr, "trialkeeper-pod: %s: %s.\n", what, errorText(errno).c_str());
    return 1;
}

/// Wakes receiveCode(), if it is waiting.
void wake(int inbox)
{
    const Fd ready(::openat(inbox, readyName, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
    if (ready)
        (void)writeAll(ready.get(), "\n");
}

} // namespace

int receiveCode(const char* inbox)
{
    // The first process of a container gets no signal that it does not ask for.
    struct sigaction end = {};
    end.sa_handler = [](int) { ::_exit(terminatedCode); };
    ::sigaction(SIGTERM, &end, nullptr);
    ::sigaction(SIGINT, &end, nullptr);
    const Fd folder = openFolder(AT_FDCWD, inbox);
    if (!folder || (::mkfifoat(folder.get(), readyName, 0600) != 0 && errno != EEXIST))
        return failed("The folder for the code cannot be used");
    // Open before the first look, so that no word comes in between.
    const Fd ready(::openat(folder.get(), readyName, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
    if (!ready)
        return failed("The folder for the code cannot be used");
    const std::int64_t until = steadyMs() + patienceMs;
    while (!existsAt(folder.get(), codeName)) {
        const std::int64_t left = until - steadyMs();
        if (left <= 0) {
            std::fputs("trialkeeper-pod: No code came for an hour.\n", stderr);
            return 1;
        }
        pollfd waiting{ready.get(), POLLIN, 0};
        if (::poll(&waiting, 1, int(left)) < 0 && errno != EINTR)
            return failed("The code cannot be waited for");
        char word[64];
        if (waiting.revents != 0 && ::read(ready.get(), word, sizeof word) == 0 && !existsAt(folder.get(), codeName)) {
            // A word without code: an end of file is reported until the next writer comes.
            ::poll(nullptr, 0, 100);
        }
    }
    return 0;
}

int unpackCode(const char* inbox)
{
    const Fd folder = openFolder(AT_FDCWD, inbox);
    if (!folder)
        return failed("The folder for the code cannot be used");
    const Fd lock(::openat(folder.get(), lockName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock)
        return failed("The folder for the code cannot be used");
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
        std::fputs("trialkeeper-pod: The code is being unpacked already.\n", stderr);
        return busyCode;
    }
    if (existsAt(folder.get(), codeName)) {
        wake(folder.get()); // the process that unpacked it may have been killed before it wrote to the FIFO
        return 0;
    }
    if ((!removeTree(folder.get(), partName) && errno != ENOENT) || ::mkdirat(folder.get(), partName, 0700) != 0)
        return failed("The code cannot be unpacked");
    TarFolder unpacked(openFolder(folder.get(), partName), TarFolder::Modes::writable);
    TarReader reader(unpacked);
    static char buffer[65536];
    ssize_t unsaid = 0;
    while (!reader.hasEnded()) {
        const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return failed("The code cannot be read");
        if (got == 0)
            break;
        if (!reader.feed({buffer, std::size_t(got)}))
            break;
        if ((unsaid += got) >= signBytes) {
            unsaid = 0;
            (void)writeAll(STDOUT_FILENO, ".");
        }
    }
    if (!reader.finish()) {
        std::fprintf(stderr, "trialkeeper-pod: %s%s%s\n", reader.error().c_str(), unpacked.trouble().empty() ? "" : " ",
            unpacked.trouble().c_str());
        return 1;
    }
    if (::renameat(folder.get(), partName, folder.get(), codeName) != 0)
        return failed("The code cannot be put in its place");
    wake(folder.get());
    return 0;
}

} // namespace trialkeeper
