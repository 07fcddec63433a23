// SPDX-License-Identifier: GPL-3.0-or-later
#include "process_channel.h"

#include "child_process.h"

#include "services/wire/handover.h"

#include <QFile>
#include <QPointer>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr size_t readSize = 256 * 1024;
/// After so many bytes other work of the thread gets its turn.
constexpr size_t readTurn = 1024 * 1024;

} // namespace

/// Descriptors of a child's standard input, output and error: ours, and the child's.
struct ProcessChannel::Ends
{
    std::array<int, 2> in{-1, -1};
    std::array<int, 2> out{-1, -1};
    std::array<int, 2> log{-1, -1};

    /// False with errno.
    bool open()
    {
        // Sockets rather than pipes: a write to a child that died is then an error, not a signal to the whole service. Two pairs:
        // the child may make one direction non-blocking without changing the other.
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0
            || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, out.data()) != 0
            || pipe2(log.data(), O_CLOEXEC) != 0) {
            const int error = errno;
            closeOurs();
            closeTheirs();
            errno = error;
            return false;
        }
        for (const int fd : {in[0], out[0], log[0]})
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        return true;
    }
    void closeOurs() { closeAll({in[0], out[0], log[0]}); }
    void closeTheirs() { closeAll({in[1], out[1], log[1]}); }
    static void closeAll(std::initializer_list<int> list)
    {
        for (const int fd : list) {
            if (fd >= 0)
                ::close(fd);
        }
    }
};

Result<std::unique_ptr<ProcessChannel>> ProcessChannel::start(const QByteArrayList& words)
{
    const QString program = QString::fromLocal8Bit(words.first());
    Ends ends;
    if (!ends.open())
        return fail(Kind::resource, u"Cannot start %1: %2."_m.arg(program, qt_error_string(errno)));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends.out[1], 0);
    posix_spawn_file_actions_adddup2(&actions, ends.in[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends.log[1], 2);
    const pid_t pid = spawnChild(words, actions);
    posix_spawn_file_actions_destroy(&actions);
    ends.closeTheirs();
    if (pid < 0) {
        ends.closeOurs();
        return fail(Kind::platform, u"The program %1 cannot be started: %2."_m.arg(program, qt_error_string(-pid)));
    }
    std::unique_ptr<ProcessChannel> channel(new ProcessChannel(pid, ends));
    QMetaObject::invokeMethod(channel.get(), &ProcessChannel::listen, Qt::QueuedConnection);
    return channel;
}

Result<std::unique_ptr<ProcessChannel>> ProcessChannel::handOver(const QString& socket, const QString& folder)
{
    const auto failed = [&socket](int error) {
        return fail(Kind::resource, u"%1: %2"_m.arg(socket, qt_error_string(error)));
    };
    QByteArray texts = QFile::encodeName(folder) + '\0';
    for (const QByteArray& variable : childEnvironment())
        texts += variable + '\0';
    if (size_t(texts.size()) > trialkeeper::maxHandover)
        return failed(E2BIG);
    sockaddr_un address{};
    const QByteArray path = QFile::encodeName(socket);
    if (size_t(path.size()) >= sizeof address.sun_path)
        return failed(ENAMETOOLONG);
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, path.constData(), size_t(path.size()));

    const int file = int(syscall(SYS_memfd_create, "agent", 1U /* MFD_CLOEXEC */));
    const int request = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    Ends ends;
    const int yes = 1;
    bool sent = file >= 0 && request >= 0
        && ::write(file, texts.constData(), size_t(texts.size())) == texts.size()
        // So that the answer carries the sender's credentials.
        && setsockopt(request, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) == 0
        && ::connect(request, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 && ends.open();
    if (sent) {
        const std::array<int, trialkeeper::handoverDescriptors> given{ends.out[1], ends.in[1], ends.log[1], file};
        char word = trialkeeper::handoverRequest;
        iovec bytes{&word, 1};
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof given)> space{};
        msghdr message{};
        message.msg_iov = &bytes;
        message.msg_iovlen = 1;
        message.msg_control = space.data();
        message.msg_controllen = space.size();
        cmsghdr* const part = CMSG_FIRSTHDR(&message);
        part->cmsg_level = SOL_SOCKET;
        part->cmsg_type = SCM_RIGHTS;
        part->cmsg_len = CMSG_LEN(sizeof given);
        memcpy(CMSG_DATA(part), given.data(), sizeof given);
        sent = ::sendmsg(request, &message, MSG_NOSIGNAL) == 1;
    }
    const int error = errno;
    ends.closeTheirs();
    Ends::closeAll({file});
    if (!sent) {
        ends.closeOurs();
        Ends::closeAll({request});
        return failed(error);
    }
    std::unique_ptr<ProcessChannel> channel(new ProcessChannel(0, ends));
    channel->m_request = request;
    channel->m_answerable = std::make_unique<QSocketNotifier>(request, QSocketNotifier::Read);
    connect(channel->m_answerable.get(), &QSocketNotifier::activated, channel.get(), &ProcessChannel::readAnswer);
    return channel;
}

ProcessChannel::ProcessChannel(pid_t pid, const Ends& ends)
    : m_pid(pid)
    , m_in(ends.in[0])
    , m_out(ends.out[0])
    , m_log(ends.log[0])
    , m_readable(std::make_unique<QSocketNotifier>(m_in, QSocketNotifier::Read))
    , m_writable(std::make_unique<QSocketNotifier>(m_out, QSocketNotifier::Write))
    , m_logReadable(std::make_unique<QSocketNotifier>(m_log, QSocketNotifier::Read))
{
    for (auto* notifier : {&m_readable, &m_writable, &m_logReadable})
        (*notifier)->setEnabled(false);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &ProcessChannel::readOutput);
    connect(m_logReadable.get(), &QSocketNotifier::activated, this, &ProcessChannel::readError);
    connect(m_writable.get(), &QSocketNotifier::activated, this, [this] {
        flush();
        emit written();
    });
}

ProcessChannel::~ProcessChannel()
{
    // A notifier may be the one that called us: it is deleted when its call has returned.
    for (auto* notifier : {&m_readable, &m_writable, &m_logReadable, &m_answerable}) {
        if (!*notifier)
            continue;
        (*notifier)->setEnabled(false);
        notifier->release()->deleteLater();
    }
    Ends::closeAll({m_in, m_out, m_log, m_request});
    // Most have ended by now, or will as their input has; one that hangs in something does not.
    if (m_process >= 0) {
        (void)syscall(SYS_pidfd_send_signal, m_process, SIGTERM, nullptr, 0U);
        ::close(m_process);
    } else if (m_pid > 0 && ::waitpid(m_pid, nullptr, WNOHANG) == 0) {
        ::kill(m_pid, SIGTERM);
        reapChild(m_pid);
    }
}

void ProcessChannel::listen()
{
    m_readable->setEnabled(true);
    m_logReadable->setEnabled(true);
}

void ProcessChannel::readAnswer()
{
    char word = 0;
    iovec bytes{&word, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> space{};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    const ssize_t got = ::recvmsg(m_request, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
        return;
    bool accepted = false;
    for (cmsghdr* part = got == 1 ? CMSG_FIRSTHDR(&message) : nullptr; part; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS)
            continue;
        ucred peer{};
        memcpy(&peer, CMSG_DATA(part), sizeof peer);
        accepted = word == trialkeeper::handoverAccepted && (peer.uid == ::geteuid() || peer.uid == 0);
        if (accepted && peer.pid > 0) {
            m_pid = peer.pid;
            m_process = int(syscall(SYS_pidfd_open, peer.pid, 0U));
        }
    }
    m_answerable->setEnabled(false);
    m_answerable.release()->deleteLater();
    ::close(std::exchange(m_request, -1));
    const QPointer<ProcessChannel> alive(this);
    emit handedOver(accepted);
    if (alive && accepted)
        listen();
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
