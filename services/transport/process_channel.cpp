// SPDX-License-Identifier: GPL-3.0-or-later
#include "process_channel.h"

#include "child_process.h"

#include <QPointer>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr size_t readSize = 256 * 1024;
/// After so many bytes other work of the thread gets its turn.
constexpr size_t readTurn = 1024 * 1024;

} // namespace

Result<std::unique_ptr<ProcessChannel>> ProcessChannel::start(const QByteArrayList& words)
{
    std::array<int, 2> in{-1, -1};
    std::array<int, 2> out{-1, -1};
    std::array<int, 2> log{-1, -1};
    const QString program = QString::fromLocal8Bit(words.first());
    // Sockets rather than pipes: a write to a child that died is then an error, not a signal to the whole service. Two pairs: the
    // child may make one direction non-blocking without changing the other.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0
        || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, out.data()) != 0 || pipe2(log.data(), O_CLOEXEC) != 0) {
        const int error = errno;
        for (const int fd : {in[0], in[1], out[0], out[1], log[0], log[1]}) {
            if (fd >= 0)
                ::close(fd);
        }
        return fail(Kind::resource, u"Cannot start %1: %2."_s.arg(program, systemErrorText(error)));
    }
    for (const int fd : {in[0], out[0], log[0]})
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 0);
    posix_spawn_file_actions_adddup2(&actions, in[1], 1);
    posix_spawn_file_actions_adddup2(&actions, log[1], 2);
    const pid_t pid = spawnChild(words, actions);
    posix_spawn_file_actions_destroy(&actions);
    for (const int fd : {in[1], out[1], log[1]})
        ::close(fd);
    if (pid < 0) {
        for (const int fd : {in[0], out[0], log[0]})
            ::close(fd);
        return fail(Kind::platform, u"The program %1 cannot be started: %2."_s.arg(program, systemErrorText(-pid)));
    }
    return std::unique_ptr<ProcessChannel>(new ProcessChannel(pid, in[0], out[0], log[0]));
}

ProcessChannel::ProcessChannel(pid_t pid, int in, int out, int log)
    : m_pid(pid)
    , m_in(in)
    , m_out(out)
    , m_log(log)
    , m_readable(std::make_unique<QSocketNotifier>(in, QSocketNotifier::Read))
    , m_writable(std::make_unique<QSocketNotifier>(out, QSocketNotifier::Write))
    , m_logReadable(std::make_unique<QSocketNotifier>(log, QSocketNotifier::Read))
{
    for (auto* notifier : {&m_readable, &m_writable, &m_logReadable})
        (*notifier)->setEnabled(false);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &ProcessChannel::readOutput);
    connect(m_logReadable.get(), &QSocketNotifier::activated, this, &ProcessChannel::readError);
    connect(m_writable.get(), &QSocketNotifier::activated, this, [this] {
        flush();
        emit written();
    });
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_readable->setEnabled(true);
            m_logReadable->setEnabled(true);
        },
        Qt::QueuedConnection);
}

ProcessChannel::~ProcessChannel()
{
    // A notifier may be the one that called us: it is deleted when its call has returned.
    for (auto* notifier : {&m_readable, &m_writable, &m_logReadable}) {
        (*notifier)->setEnabled(false);
        notifier->release()->deleteLater();
    }
    for (const int fd : {m_in, m_out, m_log})
        ::close(fd);
    // Most have ended by now, or will as their input has; one that hangs in something does not.
    if (::waitpid(m_pid, nullptr, WNOHANG) == 0) {
        ::kill(m_pid, SIGTERM);
        reapChild(m_pid);
    }
}

void ProcessChannel::write(const QByteArray& bytes)
{
    m_waiting += bytes; // what was sent whole is gone from it
    if (!m_writable->isEnabled())
        flush();
}

void ProcessChannel::flush()
{
    while (m_sent < m_waiting.size()) {
        const ssize_t written = ::send(
            m_out, m_waiting.constData() + m_sent, size_t(m_waiting.size() - m_sent), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (written > 0) {
            m_sent += written;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            m_writable->setEnabled(true);
            return;
        } else if (errno != EINTR) {
            break; // it is gone; what it said before is still to be read, and its end comes as the end of that
        }
    }
    m_waiting.clear();
    m_sent = 0;
    m_writable->setEnabled(false);
    if (m_eofWanted)
        ::shutdown(m_out, SHUT_WR);
}

void ProcessChannel::sendEof()
{
    m_eofWanted = true;
    if (!m_writable->isEnabled())
        flush();
}

void ProcessChannel::readOutput()
{
    static thread_local std::vector<char> buffer(readSize);
    const QPointer<ProcessChannel> alive(this);
    for (size_t total = 0; total < readTurn;) {
        const ssize_t got = ::recv(m_in, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (got <= 0) {
            m_readable->setEnabled(false);
            readError();
            if (alive)
                emit closed(-1, {});
            return;
        }
        total += size_t(got);
        emit data(QByteArray(buffer.data(), got));
        if (!alive)
            return;
    }
}

void ProcessChannel::readError()
{
    std::array<char, 8 * 1024> buffer;
    const QPointer<ProcessChannel> alive(this);
    while (alive && m_logReadable->isEnabled()) {
        const ssize_t got = ::read(m_log, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (got <= 0)
            m_logReadable->setEnabled(false);
        else
            emit errorData(QByteArray(buffer.data(), got));
    }
}

} // namespace transport
