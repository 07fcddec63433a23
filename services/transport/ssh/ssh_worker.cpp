// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_worker.h"

#include <libssh/server.h> // ssh_send_keepalive()

#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <tuple>
#include <unistd.h>
#include <vector>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr qsizetype chunk = 64 * 1024;
/// So much may wait for the service thread before a channel is left alone; the server's window then fills.
constexpr qint64 mostUnconsumed = 4 * 1024 * 1024;
/// So much is taken from a descriptor before the session took what was read.
constexpr qsizetype mostFromDescriptor = 256 * 1024;
/// So much may lie in the system's queue without having been sent: what is behind it counts as not written yet.
constexpr int mostUnsent = 64 * 1024;
/// After so many rounds other sessions of the thread get their turn.
constexpr int rounds = 64;

} // namespace

struct SshWorker::Channel
{
    enum class State { opening, requesting, open };

    SshChannelHandle handle;
    State state = State::opening;
    QByteArray command;
    QByteArray host; ///< of a forward
    int port = 0;
    QByteArray out;
    qsizetype outAt = 0;
    bool eofWanted = false;
    bool eofSent = false;
    bool ended[2] = {false, false}; ///< standard output and error are read to their end
    qint64 unconsumed = 0;

    // Of a forward: the other end.
    int descriptor = -1;
    QByteArray in;
    qsizetype inAt = 0;
    std::unique_ptr<QSocketNotifier> readable;
    std::unique_ptr<QSocketNotifier> writable;

    ~Channel()
    {
        for (auto* notifier : {&readable, &writable}) {
            if (*notifier) {
                (*notifier)->setEnabled(false);
                notifier->release()->deleteLater(); // it may be the caller
            }
        }
        if (descriptor >= 0)
            ::close(descriptor);
    }
    [[nodiscard]] bool isForward() const { return descriptor >= 0; }
};

SshWorker::SshWorker(SshSessionHandle session, SshSilence silence)
    : m_silence(silence)
    , m_session(std::move(session))
    , m_beat(this)
{
    ssh_set_counters(m_session.get(), &m_traffic, nullptr);
}

SshWorker::~SshWorker()
{
    m_channels.clear();
    m_pump.reset();
    m_readable.reset();
    m_writable.reset();
}

void SshWorker::begin()
{
    const auto fd = ssh_get_fd(m_session.get());
    // Not every descriptor is a TCP connection; a jump host's has a small queue anyway.
    std::ignore = ::setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &mostUnsent, sizeof mostUnsent);
    m_pump.reset(ssh_channel_new(m_session.get()));
    m_readable = std::make_unique<QSocketNotifier>(fd, QSocketNotifier::Read);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &SshWorker::pump);
    m_writable = std::make_unique<QSocketNotifier>(fd, QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_writable.get(), &QSocketNotifier::activated, this, [this] { pump(); });
    connect(&m_beat, &QTimer::timeout, this, &SshWorker::beat);
    m_beat.setTimerType(Qt::CoarseTimer);
    m_beat.start(m_silence.beatMs);
    m_heard.start();
    pump();
}

/// Whatever call it was that took something in: the session is alive.
void SshWorker::noteHeard()
{
    if (std::exchange(m_heardBytes, m_traffic.in_bytes) != m_traffic.in_bytes) {
        m_heard.restart();
        m_asked.invalidate();
    }
}

void SshWorker::beat()
{
    pump(); // what came while this process did not run
    if (m_over || m_heard.elapsed() < m_silence.beatMs * 9 / 10)
        return;
    // A process that was stopped has heard nothing, too: the server had time to answer.
    const int answerMs = (m_silence.endMs - m_silence.beatMs) * 9 / 10;
    if (m_heard.elapsed() >= m_silence.endMs && m_asked.isValid() && m_asked.elapsed() >= answerMs) {
        end(Error{Kind::timeout,
            u"The connection is silent: nothing came for %1 seconds."_m.arg(m_silence.endMs / 1'000), {}});
        return;
    }
    if (!m_asked.isValid())
        m_asked.start();
    // The first call takes the answer to an earlier one, if there is one; what is asked need not be understood to be answered.
    ssh_send_keepalive(m_session.get());
    ssh_send_keepalive(m_session.get());
    pump();
}

void SshWorker::openExec(int id, const QByteArray& command)
{
    auto channel = std::make_unique<Channel>();
    channel->handle.reset(m_over ? nullptr : ssh_channel_new(m_session.get()));
    channel->command = command;
    m_channels[id] = std::move(channel);
    if (m_over)
        finish(id, -1, Error{Kind::network, u"The connection has ended."_m, {}});
    else
        pump();
}

void SshWorker::openForward(int id, const QByteArray& host, int port, int descriptor)
{
    auto channel = std::make_unique<Channel>();
    channel->handle.reset(m_over ? nullptr : ssh_channel_new(m_session.get()));
    channel->host = host;
    channel->port = port;
    channel->descriptor = descriptor;
    channel->readable = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
    channel->writable = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Write);
    channel->readable->setEnabled(false);
    channel->writable->setEnabled(false);
    connect(channel->readable.get(), &QSocketNotifier::activated, this, [this] { pump(); });
    connect(channel->writable.get(), &QSocketNotifier::activated, this, [this] { pump(); });
    m_channels[id] = std::move(channel);
    if (m_over)
        finish(id, -1, Error{Kind::network, u"The connection has ended."_m, {}});
    else
        pump();
}

void SshWorker::write(int id, const QByteArray& bytes)
{
    const auto found = m_channels.find(id);
    if (found == m_channels.end())
        return;
    Channel& channel = *found->second;
    if (channel.outAt == channel.out.size()) {
        channel.out = bytes;
        channel.outAt = 0;
    } else {
        channel.out += bytes;
    }
    pump();
}

void SshWorker::sendEof(int id)
{
    const auto found = m_channels.find(id);
    if (found == m_channels.end())
        return;
    found->second->eofWanted = true;
    pump();
}

void SshWorker::consumed(int id, qint64 bytes)
{
    const auto found = m_channels.find(id);
    if (found == m_channels.end())
        return;
    const bool wasFull = found->second->unconsumed >= mostUnconsumed;
    found->second->unconsumed -= bytes;
    if (wasFull)
        pump();
}

void SshWorker::closeChannel(int id)
{
    if (m_channels.erase(id) > 0 && !m_over)
        pump(); // sends the close
}

Error SshWorker::broken() const
{
    const QString text = sshErrorText(m_session.get());
    return {Kind::network, u"The connection broke."_m, text};
}

/// Lets libssh and every channel do what can be done now.
void SshWorker::pump()
{
    if (m_over || m_pumping)
        return;
    m_pumping = true;
    bool progress = true;
    int left = rounds;
    while (progress && left-- > 0 && !m_over) {
        progress = false;
        const uint64_t before = m_traffic.in_bytes;
        if (ssh_channel_poll(m_pump.get(), 0) == SSH_ERROR || !ssh_is_connected(m_session.get())) {
            m_pumping = false;
            // Data that the server sent before its end still reaches the channels.
            for (auto& [id, channel] : m_channels)
                readChannel(id, *channel);
            end(broken());
            return;
        }
        m_room = (ssh_get_poll_flags(m_session.get()) & SSH_WRITE_PENDING) == 0;
        std::vector<int> ids;
        for (const auto& [id, channel] : m_channels)
            ids.push_back(id);
        for (const int id : ids) {
            const auto found = m_channels.find(id);
            if (found != m_channels.end())
                progress = step(id, *found->second) || progress;
        }
        // Looking at one channel takes in what came for all of them; data for one that was already read causes no further event.
        progress = progress || m_traffic.in_bytes != before;
    }
    m_pumping = false;
    noteHeard();
    if (m_over)
        return;
    m_writable->setEnabled((ssh_get_poll_flags(m_session.get()) & SSH_WRITE_PENDING) != 0);
    if (progress)
        QMetaObject::invokeMethod(this, &SshWorker::pump, Qt::QueuedConnection);
}

SshWorker::Opening SshWorker::open(Channel& channel)
{
    ssh_channel handle = channel.handle.get();
    if (channel.state == Channel::State::opening) {
        const bool isUnix = channel.host.startsWith('/');
        const int code = isUnix ? ssh_channel_open_forward_unix(handle, channel.host.constData(), "127.0.0.1", 0)
            : channel.isForward()
            ? ssh_channel_open_forward(handle, channel.host.constData(), channel.port, "127.0.0.1", 0)
            : ssh_channel_open_session(handle);
        if (code == SSH_AGAIN)
            return Opening::waits;
        if (code != SSH_OK)
            return Opening::refused;
        channel.state = channel.isForward() ? Channel::State::open : Channel::State::requesting;
    }
    if (channel.state == Channel::State::requesting) {
        const int code = ssh_channel_request_exec(handle, channel.command.constData());
        if (code == SSH_AGAIN)
            return Opening::waits;
        if (code != SSH_OK)
            return Opening::refused;
        channel.state = Channel::State::open;
    }
    return Opening::done;
}

/// True when something moved, so that there may be more to do.
bool SshWorker::step(int id, Channel& channel)
{
    if (channel.state != Channel::State::open) {
        const bool forward = channel.isForward();
        const bool session = channel.state == Channel::State::opening;
        switch (open(channel)) {
        case Opening::waits:
            return false;
        case Opening::refused:
            finish(id, -1,
                Error{Kind::platform,
                    forward ? u"The server does not connect to %1:%2 for us."_m.arg(QString::fromUtf8(channel.host))
                                  .arg(channel.port)
                        : session
                        ? u"The server refuses a session for commands (MaxSessions, or a restricted account)."_m
                        : u"The server refuses to run a command for this account."_m,
                    sshErrorText(m_session.get())});
            return true;
        case Opening::done:
            emit channelOpened(id);
        }
    }
    bool progress = writeChannel(id, channel);
    // The descriptor first: what it takes makes room for what is read.
    if (channel.isForward() && !moveDescriptor(channel)) {
        finish(id, -1, {});
        return true;
    }
    progress = readChannel(id, channel) || progress;
    const bool drained = channel.ended[0] && channel.ended[1] && channel.inAt == channel.in.size();
    if (drained && ssh_channel_is_closed(channel.handle.get())) {
        finish(id, channel.isForward() ? -1 : ssh_channel_get_exit_status(channel.handle.get()), {});
        return true;
    }
    return progress;
}

bool SshWorker::readChannel(int id, Channel& channel)
{
    if (channel.state != Channel::State::open)
        return false;
    bool progress = false;
    for (const int stream : {0, 1}) {
        while (!channel.ended[stream]) {
            if (channel.isForward() ? channel.inAt < channel.in.size() : channel.unconsumed >= mostUnconsumed)
                break;
            QByteArray bytes(chunk, Qt::Uninitialized);
            const int got = ssh_channel_read_nonblocking(channel.handle.get(), bytes.data(), uint32_t(chunk), stream);
            if (got == SSH_EOF || got == SSH_ERROR) {
                channel.ended[stream] = true;
                progress = true;
            }
            if (got <= 0)
                break;
            progress = true;
            bytes.truncate(got);
            if (!channel.isForward()) {
                channel.unconsumed += got;
                emit channelData(id, bytes, stream == 1);
            } else if (stream == 0) {
                channel.in = bytes;
                channel.inAt = 0;
            }
        }
    }
    return progress;
}

/// One piece in each round of pump(), and only while the socket takes what it is given: libssh would keep as much as the server's window
/// allows, and it would not be known how much of that was sent.
bool SshWorker::writeChannel(int id, Channel& channel)
{
    if (channel.outAt < channel.out.size()) {
        if (!m_room)
            return false;
        const qsizetype size = std::min(channel.out.size() - channel.outAt, chunk);
        const int taken =
            ssh_channel_write(channel.handle.get(), channel.out.constData() + channel.outAt, uint32_t(size));
        if (taken <= 0)
            return false; // the window is full, or it is over, which the reading side reports
        channel.outAt += taken;
        if (!channel.isForward())
            emit channelWritten(id, taken);
        if (channel.outAt < channel.out.size())
            return true;
    }
    const bool progress = !channel.out.isEmpty();
    channel.out.clear();
    channel.outAt = 0;
    if (channel.eofWanted && !channel.eofSent) {
        channel.eofSent = true;
        ssh_channel_send_eof(channel.handle.get());
    }
    return progress;
}

/// Between a forward and its descriptor. False: the other end is closed.
bool SshWorker::moveDescriptor(Channel& channel)
{
    while (channel.inAt < channel.in.size()) {
        const ssize_t sent = ::send(channel.descriptor, channel.in.constData() + channel.inAt,
            size_t(channel.in.size() - channel.inAt), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0)
            channel.inAt += sent;
        else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            break;
        else if (sent < 0 && errno != EINTR)
            return false;
    }
    channel.writable->setEnabled(channel.inAt < channel.in.size());
    if (channel.ended[0] && channel.inAt == channel.in.size())
        ::shutdown(channel.descriptor, SHUT_WR);

    bool more = false;
    while (!channel.eofWanted && channel.out.size() - channel.outAt < mostFromDescriptor) {
        QByteArray bytes(chunk, Qt::Uninitialized);
        const ssize_t got = ::recv(channel.descriptor, bytes.data(), size_t(chunk), MSG_DONTWAIT);
        if (got > 0) {
            channel.out.append(bytes.constData(), got);
            more = true;
        } else if (got == 0) {
            channel.eofWanted = true;
            more = true;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            break;
        } else if (errno != EINTR) {
            return false;
        }
    }
    channel.readable->setEnabled(!channel.eofWanted && channel.out.size() - channel.outAt < mostFromDescriptor);
    if (more)
        writeChannel(0, channel);
    return true;
}

void SshWorker::finish(int id, int exitCode, const Error& error)
{
    // First, before the channel is freed: that closes a forward's descriptor, and the holder of its other end asks at once why.
    if (const auto channel = m_channels.extract(id))
        emit channelClosed(id, exitCode, error);
}

void SshWorker::end(const Error& error)
{
    if (m_over)
        return;
    m_over = true;
    m_beat.stop();
    for (auto* notifier : {&m_readable, &m_writable}) {
        (*notifier)->setEnabled(false);
        notifier->release()->deleteLater(); // it may be the caller
    }
    const auto channels = std::move(m_channels);
    m_channels.clear();
    for (const auto& [id, channel] : channels)
        emit channelClosed(id, -1, error);
    emit ended(error);
}

} // namespace transport
