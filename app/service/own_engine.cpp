// SPDX-License-Identifier: GPL-3.0-or-later
#include "own_engine.h"

#include "service_runtime.h"

#include <QCoreApplication>
#include <QEventLoop>

using namespace Qt::StringLiterals;

namespace app {

using core::Error;

/// Its event loop is our own: QThread's own exec() leaves the thread unable to wait in a nested loop, as close() does.
class OwnEngine::Thread : public QThread
{
public:
    Thread(OwnEngine& owner, CommandLine line, commands::Surroundings around, Paths paths)
        : m_owner(owner)
        , m_line(std::move(line))
        , m_around(std::move(around))
        , m_paths(std::move(paths))
    {
        setObjectName(u"service"_s);
    }

    /// From the window's thread, after it was opened.
    void endLoop() { QMetaObject::invokeMethod(m_loop, &QEventLoop::quit, Qt::QueuedConnection); }

    void run() override
    {
        serve();
        // The end of a thread deletes what waits for it, but not what those destructors hand on to deleteLater().
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

private:
    void serve()
    {
        ServiceRuntime host(m_line, m_around, m_paths);
        QEventLoop loop;
        m_loop = &loop;
        const Result<QUrl> url = host.open();
        api::EnginePort* port = url ? &host.port() : nullptr;
        const Error error = url ? Error() : url.error();
        QMetaObject::invokeMethod(
            &m_owner, [owner = &m_owner, port, error] { owner->onOpened(port, error); }, Qt::QueuedConnection);
        if (url)
            loop.exec();
        host.close();
    }

    OwnEngine& m_owner;
    CommandLine m_line;
    commands::Surroundings m_around;
    Paths m_paths;
    QEventLoop* m_loop = nullptr;
};

OwnEngine::OwnEngine(CommandLine line, commands::Surroundings around, Paths paths, QObject* parent)
    : EngineClient(parent)
    , m_thread(std::make_unique<Thread>(*this, std::move(line), std::move(around), std::move(paths)))
{
}

OwnEngine::~OwnEngine()
{
    if (m_thread->isRunning()) {
        QEventLoop loop;
        end([&loop] { loop.quit(); });
        loop.exec();
    }
}

void OwnEngine::start()
{
    if (m_started)
        return;
    m_started = true;
    emit linkChanged(LinkState::connecting, {}, 0);
    m_thread->start();
}

void OwnEngine::onOpened(api::EnginePort* port, const Error& error)
{
    if (!port) {
        m_error = error;
        emit linkChanged(LinkState::lost, error.message, 0);
        for (const auto& [command, done] : std::exchange(m_waiting, {}))
            done(tl::unexpected(error));
        return;
    }
    m_client = std::make_unique<client::LocalEngineClient>(*port);
    connect(m_client.get(), &EngineClient::changed, this, &EngineClient::changed);
    connect(m_client.get(), &EngineClient::linkChanged, this, &EngineClient::linkChanged);
    if (m_ending) {
        m_client.reset();
        m_thread->endLoop();
        return;
    }
    m_client->start();
    for (auto& [command, done] : std::exchange(m_waiting, {}))
        m_client->execute(std::move(command), std::move(done));
}

void OwnEngine::execute(api::Command command, std::function<void(core::Result<api::Reply>)> done)
{
    if (m_client) {
        m_client->execute(std::move(command), std::move(done));
    } else if (m_error || m_ending) {
        const Error error = m_error.value_or(Error{core::Kind::network, tr("The service is ending."), {}});
        QMetaObject::invokeMethod(
            this, [done, error] { done(tl::unexpected(error)); }, Qt::QueuedConnection);
    } else {
        m_waiting.append({std::move(command), std::move(done)});
    }
}

void OwnEngine::end(const std::function<void()>& ended)
{
    if (!m_thread->isRunning()) {
        QMetaObject::invokeMethod(
            this, [ended] { ended(); }, Qt::QueuedConnection);
        return;
    }
    connect(m_thread.get(), &QThread::finished, this, [ended] { ended(); });
    if (m_ending)
        return;
    m_ending = true;
    // While it is still opening, onOpened() ends it.
    if (m_client) {
        m_client.reset();
        m_thread->endLoop();
    }
}

} // namespace app
