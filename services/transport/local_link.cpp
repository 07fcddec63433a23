// SPDX-License-Identifier: GPL-3.0-or-later
#include "local_link.h"

#include "child_process.h"
#include "services/core/logging.h"

#include <QFile>
#include <QPointer>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr size_t readSize = 256 * 1024;
/// After so many bytes other work of the thread gets its turn.
constexpr size_t readTurn = 1024 * 1024;
constexpr size_t longestLogLine = 4 * 1024;

} // namespace

LocalLink::LocalLink(QString program, QString folder, QObject* parent)
    : AgentLink(parent)
    , m_program(std::move(program))
    , m_folder(std::move(folder))
{
}

LocalLink::~LocalLink()
{
    release();
    if (m_pid > 0)
        reapChild(m_pid);
}

void LocalLink::start()
{
    Q_ASSERT(!m_started);
    m_started = true;
    const auto spawned = spawn();
    QMetaObject::invokeMethod(
        this,
        [this, spawned] {
            if (m_over)
                return;
            if (!spawned) {
                end(spawned.error());
                return;
            }
            m_readable->setEnabled(true);
            emit opened();
        },
        Qt::QueuedConnection);
}

Result<> LocalLink::spawn()
{
    std::array<int, 2> in{-1, -1};
    std::array<int, 2> out{-1, -1};
    std::array<int, 2> log{-1, -1};
    // Sockets rather than pipes: a write to an agent that died is then an error, not a signal to the whole service. Two pairs:
    // the agent may make one direction non-blocking without changing the other.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0
        || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, out.data()) != 0 || pipe2(log.data(), O_CLOEXEC) != 0) {
        const int error = errno;
        for (int fd : {in[0], in[1], out[0], out[1], log[0], log[1]}) {
            if (fd >= 0)
                ::close(fd);
        }
        return fail(Kind::resource, u"Cannot start the agent: %1."_s.arg(systemErrorText(error)));
    }
    m_in = in[0];
    m_out = out[0];
    m_log = log[0];
    for (int fd : {m_in, m_out, m_log})
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 0);
    posix_spawn_file_actions_adddup2(&actions, in[1], 1);
    posix_spawn_file_actions_adddup2(&actions, log[1], 2);
    const pid_t pid = spawnChild({QFile::encodeName(m_program), "host", QFile::encodeName(m_folder)}, actions);
    posix_spawn_file_actions_destroy(&actions);
    for (int fd : {in[1], out[1], log[1]})
        ::close(fd);
    if (pid < 0) {
        release();
        return fail(Kind::platform,
            u"The program %1, which runs trials, cannot be started: %2."_s.arg(m_program, systemErrorText(-pid)));
    }
    m_pid = pid;

    m_readable = std::make_unique<QSocketNotifier>(m_in, QSocketNotifier::Read);
    m_readable->setEnabled(false);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &LocalLink::readFrames);
    m_writable = std::make_unique<QSocketNotifier>(m_out, QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &LocalLink::flush);
    m_logReadable = std::make_unique<QSocketNotifier>(m_log, QSocketNotifier::Read);
    connect(m_logReadable.get(), &QSocketNotifier::activated, this, &LocalLink::readLog);
    return {};
}

bool LocalLink::send(const QByteArray& json, const QByteArray& raw, bool bulk)
{
    const auto view = [](const QByteArray& bytes) { return std::string_view(bytes.constData(), size_t(bytes.size())); };
    if (bulk) {
        std::string frame;
        if (!trialkeeper::appendFrame(frame, view(json), view(raw)))
            return false;
        m_bulkBytes += qint64(frame.size());
        m_bulk.push_back(std::move(frame));
    } else if (!trialkeeper::appendFrame(m_control, view(json), view(raw))) {
        return false;
    }
    if (m_writable && !m_writable->isEnabled())
        flush();
    return true;
}

void LocalLink::flush()
{
    if (m_out < 0)
        return;
    while (true) {
        if (m_sent == m_sending.size()) {
            m_sending.clear();
            m_sent = 0;
            if (!m_control.empty()) {
                std::swap(m_sending, m_control);
            } else if (!m_bulk.empty() && !m_closing) {
                m_sending = std::move(m_bulk.front());
                m_bulk.pop_front();
                m_bulkBytes -= qint64(m_sending.size());
            } else {
                break;
            }
        }
        const ssize_t written =
            ::send(m_out, m_sending.data() + m_sent, m_sending.size() - m_sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (written > 0) {
            m_sent += size_t(written);
        } else if (errno == EINTR) {
            continue;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            m_writable->setEnabled(true);
            return;
        } else {
            // The agent is gone; what it said before is still to be read, and its end comes as the end of that.
            m_sending.clear();
            m_sent = 0;
            m_control.clear();
            m_bulk.clear();
            m_bulkBytes = 0;
            break;
        }
    }
    m_writable->setEnabled(false);
    if (m_closing)
        ::shutdown(m_out, SHUT_WR);
}

void LocalLink::readFrames()
{
    static thread_local std::vector<char> buffer(readSize);
    const QPointer<LocalLink> alive(this);
    size_t total = 0;
    while (total < readTurn) {
        const ssize_t got = ::recv(m_in, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (got <= 0) {
            readLog();
            if (m_closing)
                end(Error{Kind::cancelled, u"The connection to the agent was closed."_s, {}});
            else
                end(Error{Kind::network, u"The agent that runs trials ended unexpectedly."_s, m_lastLogLine});
            return;
        }
        total += size_t(got);
        m_decoder.feed({buffer.data(), size_t(got)});
        trialkeeper::FrameView view;
        auto status = trialkeeper::FrameDecoder::Status::NeedMore;
        while ((status = m_decoder.next(view)) == trialkeeper::FrameDecoder::Status::Frame) {
            emit frame(QByteArray(view.json.data(), qsizetype(view.json.size())),
                QByteArray(view.raw.data(), qsizetype(view.raw.size())));
            if (!alive || m_over)
                return;
        }
        if (status == trialkeeper::FrameDecoder::Status::Error) {
            if (m_pid > 0)
                ::kill(m_pid, SIGTERM);
            end(Error{Kind::platform, u"The agent sent something that is no frame; it is started again."_s, {}});
            return;
        }
    }
}

void LocalLink::readLog()
{
    std::array<char, 8 * 1024> buffer;
    while (m_log >= 0) {
        const ssize_t got = ::read(m_log, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (got <= 0) {
            logLines(true);
            m_logReadable->setEnabled(false);
            m_logReadable.release()->deleteLater();
            ::close(m_log);
            m_log = -1;
            return;
        }
        m_logTail.append(buffer.data(), size_t(got));
        logLines(false);
    }
}

void LocalLink::logLines(bool all)
{
    const auto log = [this](std::string_view line) {
        m_lastLogLine = QString::fromUtf8(line.data(), qsizetype(line.size()));
        qCInfo(lcAgent).noquote() << m_lastLogLine;
    };
    size_t begin = 0;
    for (size_t end = 0; (end = m_logTail.find('\n', begin)) != std::string::npos; begin = end + 1)
        log(std::string_view(m_logTail).substr(begin, end - begin));
    m_logTail.erase(0, begin);
    if (!m_logTail.empty() && (all || m_logTail.size() > longestLogLine)) {
        log(m_logTail);
        m_logTail.clear();
    }
}

void LocalLink::close()
{
    if (m_closing || m_over)
        return;
    m_closing = true;
    m_bulk.clear();
    m_bulkBytes = 0;
    if (m_out >= 0) {
        flush();
        return;
    }
    QMetaObject::invokeMethod(
        this,
        [this] {
            end(Error{Kind::cancelled, u"The connection to the agent was closed."_s, {}});
        },
        Qt::QueuedConnection);
}

void LocalLink::end(const Error& error)
{
    if (m_over)
        return;
    m_over = true;
    release();
    if (m_pid > 0)
        reapChild(m_pid);
    m_pid = 0;
    emit closed(error);
}

void LocalLink::release()
{
    // A notifier may be the one that called us: it is deleted when its call has returned.
    for (auto* notifier : {&m_readable, &m_writable, &m_logReadable}) {
        if (*notifier) {
            (*notifier)->setEnabled(false);
            notifier->release()->deleteLater();
        }
    }
    for (int* fd : {&m_in, &m_out, &m_log}) {
        if (*fd >= 0)
            ::close(*fd);
        *fd = -1;
    }
}

} // namespace transport
