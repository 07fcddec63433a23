// SPDX-License-Identifier: GPL-3.0-or-later
#include "piece_log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr std::size_t nameLength = 16;
constexpr std::int64_t leastMs = 1'000;
constexpr std::int64_t mostMs = 15'000;
constexpr int firstPauseMs = 1'000;
constexpr int longestPauseMs = 30'000;
constexpr std::int64_t giveUpMs = 600'000;

std::string pieceName(std::uint64_t offset)
{
    std::array<char, nameLength + 5> text{};
    const int size = std::snprintf(text.data(), text.size(), "%016" PRIu64, offset);
    return {text.data(), std::size_t(size)};
}

/// errno of close(), too: it is what tells that a storage could not be written.
bool writePiece(int folder, const std::string& name, std::string_view bytes)
{
    Fd file(::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file || !writeAll(file.get(), bytes))
        return false;
    return ::close(file.release()) == 0;
}

} // namespace

std::int64_t pieceOffset(std::string_view name)
{
    std::int64_t offset = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), offset);
    return name.size() == nameLength && error == std::errc() && end == name.data() + name.size() ? offset : -1;
}

bool PieceLog::open(const std::string& folder, std::string& message)
{
    if (makeFolder(AT_FDCWD, folder.c_str()))
        m_folder = openFolder(AT_FDCWD, folder.c_str());
    if (!m_folder) {
        message = "The folder " + folder + " cannot be made: " + errorText(errno) + '.';
        return false;
    }
    const bool all = forEachEntry(m_folder.get(), [this](const char* name, unsigned char) {
        struct stat file
        {
        };
        const std::int64_t offset = pieceOffset(name);
        if (offset >= 0 && ::fstatat(m_folder.get(), name, &file, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(file.st_mode))
            m_offset = std::max(m_offset, std::uint64_t(offset) + std::uint64_t(file.st_size));
        return true;
    });
    if (!all)
        message = "The folder " + folder + " cannot be read: " + errorText(errno) + '.';
    m_beganAt = steadyMs();
    return all;
}

void PieceLog::add(std::string_view bytes)
{
    if (m_pending.empty())
        m_pendingAt = steadyMs();
    m_pending += bytes;
}

std::int64_t PieceLog::dueAt() const
{
    if (m_pending.empty() || m_retryAt > 0)
        return m_pending.empty() ? 0 : m_retryAt;
    const std::int64_t pause = std::clamp((m_pendingAt - m_beganAt) / 20, leastMs, mostMs);
    return room() == 0 || m_hasEnded ? m_pendingAt : m_pendingAt + pause;
}

bool PieceLog::write()
{
    // The file that failed may be there all the same, and may have been read.
    const std::size_t size = m_tried > 0 ? m_tried : m_pending.size();
    const std::string_view bytes(m_pending.data(), size);
    if (!writePiece(m_folder.get(), pieceName(m_offset), bytes)) {
        m_tried = size;
        m_pauseMs = std::clamp(m_pauseMs * 2, firstPauseMs, longestPauseMs);
        m_retryAt = steadyMs() + m_pauseMs;
        return false;
    }
    m_offset += size;
    m_pending.erase(0, size);
    m_pendingAt = steadyMs();
    m_tried = 0;
    m_retryAt = 0;
    m_pauseMs = 0;
    return true;
}

int relayPieces(PieceLog& log, Fd pipe, pid_t keeper)
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
        sigaddset(&signals, signal);
    const Fd events(::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
    ::prctl(PR_SET_DUMPABLE, 0); // as the keeper: a trial of the same user must not write to the pipe by way of /proc
    int code = -1;               // it runs
    std::int64_t giveUpAt = INT64_MAX;
    while (code < 0 || pipe || !log.isEmpty()) {
        const std::int64_t due = log.dueAt();
        const int pause = due > 0 ? int(std::max<std::int64_t>(0, due - steadyMs())) : -1;
        std::array<pollfd, 2> watched{
            pollfd{events.get(), POLLIN, 0}, pollfd{pipe && log.room() > 0 ? pipe.get() : -1, POLLIN, 0}};
        ::poll(watched.data(), watched.size(), pause);
        signalfd_siginfo info{};
        while (::read(events.get(), &info, sizeof info) == ssize_t(sizeof info)) {
            if (int(info.ssi_signo) != SIGCHLD && code < 0)
                ::kill(keeper, int(info.ssi_signo));
        }
        int status = 0;
        for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
            if (pid == keeper)
                code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        }
        if (watched[1].revents != 0) {
            std::array<char, 16 * 1024> bytes; // NOLINT: read() fills it
            const ssize_t got = ::read(pipe.get(), bytes.data(), std::min(bytes.size(), log.room()));
            if (got > 0)
                log.add({bytes.data(), std::size_t(got)});
            else if (got == 0 || (errno != EINTR && errno != EAGAIN))
                pipe.reset();
        }
        if (!pipe) {
            log.end();
            giveUpAt = std::min(giveUpAt, steadyMs() + giveUpMs);
        }
        const std::int64_t at = log.dueAt();
        if (at > 0 && at <= steadyMs() && !log.write() && steadyMs() >= giveUpAt)
            break;
    }
    return code < 0 ? 0 : code;
}

} // namespace trialkeeper
