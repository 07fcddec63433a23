// SPDX-License-Identifier: GPL-3.0-or-later
// The standard streams of a test, as a real terminal or a pipe.
#pragma once

#include <QByteArray>

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

namespace fakes {

/// Makes stdin, stdout and stderr the ends of `fds` until it ends.
class Redirection
{
public:
    explicit Redirection(int in, int out, int err)
    {
        const std::array wanted{in, out, err};
        std::fflush(nullptr);
        for (int fd = 0; fd < 3; ++fd) {
            m_before[size_t(fd)] = ::dup(fd);
            ::dup2(wanted[size_t(fd)], fd);
        }
    }
    Redirection(const Redirection&) = delete;
    ~Redirection()
    {
        std::fflush(nullptr);
        for (int fd = 0; fd < 3; ++fd) {
            ::dup2(m_before[size_t(fd)], fd);
            ::close(m_before[size_t(fd)]);
        }
    }

private:
    std::array<int, 3> m_before{};
};

inline QByteArray allOf(int fd)
{
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    QByteArray all;
    std::array<char, 4096> part{};
    for (;;) {
        const ssize_t got = ::read(fd, part.data(), part.size());
        if (got <= 0)
            return all;
        all.append(part.data(), got);
    }
}

/// What this process writes to a terminal while `work` runs; at most what a terminal holds unread, some kilobytes.
inline QByteArray onTerminal(const std::function<void()>& work)
{
    int master = -1;
    int slave = -1;
    winsize size = {};
    size.ws_col = 80;
    size.ws_row = 24;
    if (::openpty(&master, &slave, nullptr, nullptr, &size) != 0)
        return {};
    termios raw = {};
    ::tcgetattr(slave, &raw);
    ::cfmakeraw(&raw); // a line end is what was written
    ::tcsetattr(slave, TCSANOW, &raw);
    {
        const Redirection redirection(slave, slave, slave);
        work();
    }
    const QByteArray all = allOf(master);
    ::close(slave);
    ::close(master);
    return all;
}

/// What it writes to a pipe.
inline QByteArray intoPipe(const std::function<void()>& work)
{
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0)
        return {};
    const int nothing = ::open("/dev/null", O_RDONLY);
    {
        const Redirection redirection(nothing, ends[1], ends[1]);
        work();
    }
    const QByteArray all = allOf(ends[0]);
    for (const int fd : {nothing, ends[0], ends[1]})
        ::close(fd);
    return all;
}

} // namespace fakes
