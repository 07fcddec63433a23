// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_session.h"

#include "ssh_worker.h"

#include "services/core/logging.h"

using namespace Qt::StringLiterals;

namespace transport {

namespace {

/// Well below what the worker lets wait.
constexpr qint64 reportAfter = 256 * 1024;

} // namespace

// ------------------------------------------------------------------------------------------------------------------ SshIo

SshIo::SshIo(SshSilence silence)
    : m_silence(silence)
{
    for (int i = 0; i < threads; ++i) {
        m_threads[i].setObjectName(u"ssh-%1"_s.arg(i + 1));
        m_threads[i].start();
        m_last[i].moveToThread(&m_threads[i]);
    }
}

SshIo::~SshIo()
{
    // Workers that were given up are deleted before their thread ends: quit() alone would overtake that. Nor may the thread quit by itself
    // where it is asked to: posting wakes its event loop up after the event is taken, and a thread that has ended has none.
    for (QObject& last : m_last)
        QMetaObject::invokeMethod(
            &last, [] { /* all that was posted before is done */ }, Qt::BlockingQueuedConnection);
    for (QThread& thread : m_threads)
        thread.quit();
    for (QThread& thread : m_threads)
        thread.wait();
}

QThread* SshIo::next()
{
    m_next = (m_next + 1) % threads;
    return &m_threads[m_next];
}

// ------------------------------------------------------------------------------------------------------------- SshSession

SshSession::SshSession(SshLoggedIn login, std::shared_ptr<SshIo> io, std::shared_ptr<SshSession> jump)
    : m_report(std::move(login.report))
    , m_io(std::move(io))
    , m_jump(std::move(jump))
    , m_worker(new SshWorker(SshSessionHandle(takeSshSession(*login.state)), m_io->silence()))
{
    connect(m_worker, &SshWorker::channelOpened, this, [this](int id) {
        const auto found = m_channels.find(id);
        if (found != m_channels.end())
            emit found->second->opened();
    });
    // Used bytes are acknowledged in large steps: each costs a turn of the I/O thread.
    connect(m_worker, &SshWorker::channelData, this,
        [this, used = std::map<int, qint64>()](int id, const QByteArray& bytes, bool standardError) mutable {
            const auto found = m_channels.find(id);
            if (found == m_channels.end())
                return;
            qint64 report = 0;
            if (qint64& sum = used[id]; (sum += bytes.size()) >= reportAfter)
                report = std::exchange(sum, 0);
            if (report > 0)
                QMetaObject::invokeMethod(
                    m_worker, [worker = m_worker, id, report] { worker->consumed(id, report); }, Qt::QueuedConnection);
            SshChannel* channel = found->second;
            if (standardError)
                emit channel->errorData(bytes);
            else
                emit channel->data(bytes);
        });
    connect(m_worker, &SshWorker::channelWritten, this, [this](int id, qint64 bytes) {
        const auto found = m_channels.find(id);
        if (found == m_channels.end())
            return;
        found->second->m_unwritten -= bytes;
        emit found->second->written();
    });
    connect(m_worker, &SshWorker::channelClosed, this, [this](int id, int exitCode, const Error& error) {
        if (const auto forward = m_forwards.extract(id)) {
            if (!error.message.isEmpty() && forward.mapped())
                forward.mapped()(error);
            return;
        }
        const auto found = m_channels.find(id);
        if (found == m_channels.end())
            return;
        SshChannel* channel = found->second;
        m_channels.erase(found);
        channel->m_session = nullptr;
        emit channel->closed(exitCode, error);
    });
    connect(m_worker, &SshWorker::ended, this, &SshSession::onEnded);
    m_worker->moveToThread(m_io->next());
    QMetaObject::invokeMethod(m_worker, &SshWorker::begin);
}

SshSession::~SshSession()
{
    for (const auto& [id, channel] : m_channels)
        channel->m_session = nullptr;
    m_worker->disconnect(this);
    m_worker->deleteLater();
}

void SshSession::onEnded(const Error& error)
{
    m_alive = false;
    emit ended(error);
}

std::unique_ptr<SshChannel> SshSession::exec(const QByteArray& command)
{
    const int id = m_nextChannel++;
    auto channel = std::unique_ptr<SshChannel>(new SshChannel(this, id));
    m_channels[id] = channel.get();
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, id, command] { worker->openExec(id, command); });
    return channel;
}

void SshSession::forward(const QString& host, int port, int descriptor, std::function<void(const Error&)> failed)
{
    const int id = m_nextChannel++;
    m_forwards[id] = std::move(failed);
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, id, host = host.toUtf8(), port, descriptor] {
        worker->openForward(id, host, port, descriptor);
    });
}

void SshSession::drop(int channel)
{
    m_channels.erase(channel);
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, channel] { worker->closeChannel(channel); });
}

// ------------------------------------------------------------------------------------------------------------- SshChannel

SshChannel::SshChannel(SshSession* session, int id)
    : m_session(session)
    , m_id(id)
{
}

SshChannel::~SshChannel()
{
    if (m_session)
        m_session->drop(m_id);
}

void SshChannel::write(const QByteArray& bytes)
{
    if (!m_session || bytes.isEmpty())
        return;
    m_unwritten += bytes.size();
    SshWorker* worker = m_session->m_worker;
    QMetaObject::invokeMethod(worker, [worker, id = m_id, bytes] { worker->write(id, bytes); });
}

void SshChannel::sendEof()
{
    if (!m_session)
        return;
    SshWorker* worker = m_session->m_worker;
    QMetaObject::invokeMethod(worker, [worker, id = m_id] { worker->sendEof(id); });
}

} // namespace transport
