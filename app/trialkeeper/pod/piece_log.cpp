// SPDX-License-Identifier: GPL-3.0-or-later
#include "piece_log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace trialkeeper {

namespace {

constexpr std::size_t nameLength = 16;
constexpr std::size_t runLength = 4;
constexpr int mostRuns = 10'000;
constexpr std::int64_t leastMs = 1'000;
constexpr std::int64_t mostMs = 15'000;
constexpr int firstPauseMs = 1'000;
constexpr int longestPauseMs = 30'000;
constexpr std::int64_t giveUpMs = 600'000;

std::string numbered(std::uint64_t number, std::size_t digits)
{
    std::string text = std::to_string(number);
    return text.size() < digits ? text.insert(0, digits - text.size(), '0') : text;
}

/// False: errno. A storage reports a failed upload by close() at the latest.
bool writePiece(int folder, const std::string& name, std::string_view bytes)
{
    Fd file(::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file || !writeAll(file.get(), bytes))
        return false;
    return ::close(file.release()) == 0;
}

/// -1: the name is not that of a keeper's folder.
int runOf(std::string_view name)
{
    int run = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), run);
    return name.size() == runLength && error == std::errc() && end == name.data() + name.size() ? run : -1;
}

} // namespace

bool PieceLog::open(const std::string& folder, std::string& message)
{
    const auto failed = [&](const char* what) {
        message = "The folder " + folder + what + errorText(errno) + '.';
        return false;
    };
    Fd log;
    if (makeFolder(AT_FDCWD, folder.c_str()))
        log = openFolder(AT_FDCWD, folder.c_str());
    if (!log)
        return failed(" cannot be made: ");
    int next = 0;
    const bool isRead = forEachEntry(log.get(), [&next](const char* name, unsigned char) {
        next = std::max(next, runOf(name) + 1);
        return true;
    });
    if (!isRead)
        return failed(" cannot be read: ");
    for (; next < mostRuns && !m_folder; ++next) {
        const std::string name = numbered(std::uint64_t(next), runLength);
        if (::mkdirat(log.get(), name.c_str(), 0700) == 0)
            m_folder = openFolder(log.get(), name.c_str());
        else if (errno != EEXIST) // of another keeper, started at the same time
            return failed(" cannot be written: ");
    }
    m_beganAt = steadyMs();
    return m_folder ? true : failed(" cannot be written: ");
}

void PieceLog::add(std::string_view bytes)
{
    const std::size_t line = bytes.rfind('\n');
    if (line != std::string_view::npos) {
        if (m_lines == 0)
            m_pendingAt = steadyMs();
        m_lines = m_pending.size() + line + 1;
    }
    m_pending += bytes;
    if (m_lines == 0 && room() == 0) // a line longer than any frame
        m_lines = m_pending.size();
}

void PieceLog::end()
{
    if (!std::exchange(m_hasEnded, true) && m_lines < m_pending.size())
        add("\n");
}

std::int64_t PieceLog::dueAt() const
{
    if (m_lines == 0 || m_retryAt > 0)
        return m_retryAt;
    const std::int64_t pause = std::clamp((m_pendingAt - m_beganAt) / 20, leastMs, mostMs);
    return room() == 0 || m_hasEnded ? m_pendingAt : m_pendingAt + pause;
}

bool PieceLog::write()
{
    // The file whose write failed may be there all the same, and may have been read.
    const std::size_t size = m_tried > 0 ? m_tried : m_lines;
    const std::string_view bytes(m_pending.data(), size);
    if (!writePiece(m_folder.get(), numbered(m_offset, nameLength), bytes)) {
        m_tried = size;
        m_pauseMs = std::clamp(m_pauseMs * 2, firstPauseMs, longestPauseMs);
        m_retryAt = steadyMs() + m_pauseMs;
        return false;
    }
    m_offset += size;
    m_pending.erase(0, size);
    m_lines -= size;
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
        const bool hadFailed = log.isFailing();
        if (at == 0 || at > steadyMs() || log.write())
            continue;
        if (!hadFailed)
            std::fprintf(stderr, "trialkeeper pod: the log cannot be written (%s); it is tried again.\n",
                errorText(errno).c_str());
        if (steadyMs() >= giveUpAt)
            break;
    }
    return code < 0 ? 0 : code;
}

} // namespace trialkeeper
