// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher.h"

#include "app/trialkeeper/base/children.h"
#include "app/trialkeeper/base/io.h"
#include "services/wire/handover.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

namespace trialkeeper {

namespace {

constexpr int failed = 2;
/// The service sends at once; an idle connection must not occupy one of the unit's places.
constexpr timeval patience{10, 0};

int complain(const char* sentence)
{
    std::fprintf(stderr, "trialkeeper: %s\n", sentence);
    return failed;
}

bool isFromOurUser(int connection)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        && (peer.uid == ::geteuid() || peer.uid == 0);
}

/// Empty if it is not what the service sends.
std::vector<Fd> receiveDescriptors(int connection)
{
    char word = 0;
    iovec bytes{&word, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int) * handoverDescriptors)];
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    ssize_t got = -1;
    do
        got = ::recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    std::vector<Fd> descriptors;
    for (cmsghdr* part = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr; part; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        for (std::size_t at = 0; at + sizeof(int) <= part->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(part) + at, sizeof fd);
            const Fd low(fd);
            descriptors.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, 10)); // none is in the way of 0, 1 and 2
        }
    }
    if (word != handoverRequest || descriptors.size() != handoverDescriptors || (message.msg_flags & MSG_CTRUNC) != 0)
        return {};
    return descriptors;
}

/// Texts that each end with NUL; empty if there are too many bytes, or the last one has no end.
std::vector<std::string> readTexts(int file)
{
    struct stat status
    {
    };
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0
        || status.st_size > off_t(maxHandover))
        return {};
    std::string bytes(std::size_t(status.st_size), '\0');
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t got = ::pread(file, bytes.data() + at, bytes.size() - at, off_t(at));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return {};
        at += std::size_t(got);
    }
    if (bytes.back() != '\0')
        return {};
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < bytes.size(); at += texts.back().size() + 1)
        texts.emplace_back(bytes.c_str() + at);
    return texts;
}

} // namespace

int launchHost()
{
    // Above what becomes standard input, output and error.
    const Fd connection(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10));
    if (!connection || !isFromOurUser(connection.get()))
        return complain("standard input is no connection, or one of another user; `launch` is for the service alone.");
    (void)::setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const std::vector<Fd> descriptors = receiveDescriptors(connection.get());
    if (descriptors.empty())
        return complain("what came over the connection is not what the service sends.");
    std::vector<std::string> texts = readTexts(descriptors[3].get());
    if (texts.empty() || texts.front().empty())
        return complain("the list of the folder and the environment is not usable.");
    std::vector<char*> environment;
    for (std::size_t i = 1; i < texts.size(); ++i)
        environment.push_back(texts[i].data());
    environment.push_back(nullptr);
    char name[] = "trialkeeper";
    char verb[] = "host";
    char* const arguments[] = {name, verb, texts.front().data(), nullptr};

    if (::send(connection.get(), &handoverAccepted, 1, MSG_NOSIGNAL) != 1)
        return complain("the service is gone.");
    for (int fd = 0; fd < 3; ++fd) {
        if (::dup2(descriptors[std::size_t(fd)].get(), fd) < 0)
            return failed;
    }
    ::execve(ownProgram, arguments, environment.data());
    std::fprintf(stderr, "trialkeeper: cannot become the agent: %s\n", errorText(errno).c_str());
    return failed;
}

} // namespace trialkeeper
