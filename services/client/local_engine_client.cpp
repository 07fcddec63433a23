// SPDX-License-Identifier: GPL-3.0-or-later
#include "local_engine_client.h"

#include <QDateTime>
#include <QMutex>

namespace client {

/// The way home for calls on the service thread; they may outlive the client.
struct LocalEngineClient::Home
{
    QMutex mutex;
    LocalEngineClient* client = nullptr;

    void post(std::function<void(LocalEngineClient&)> call)
    {
        const QMutexLocker lock(&mutex);
        if (client)
            QMetaObject::invokeMethod(
                client, [c = client, call = std::move(call)] { call(*c); }, Qt::QueuedConnection);
    }
};

LocalEngineClient::LocalEngineClient(EnginePort& port, QObject* parent)
    : EngineClient(parent)
    , m_port(port)
    , m_home(std::make_shared<Home>())
{
    m_home->client = this;
}

LocalEngineClient::~LocalEngineClient()
{
    {
        const QMutexLocker lock(&m_home->mutex);
        m_home->client = nullptr;
    }
    if (m_listener)
        m_port.stopListening(m_listener);
}

void LocalEngineClient::start()
{
    if (m_listener)
        return;
    emit linkChanged(LinkState::connecting, {}, 0);
    m_listener = m_port.listen([home = m_home](ChangePtr change) {
        home->post([change = std::move(change)](LocalEngineClient& self) {
            if (change->full)
                emit self.linkChanged(LinkState::connected, {}, QDateTime::currentMSecsSinceEpoch());
            emit self.changed(change);
        });
    });
}

void LocalEngineClient::execute(Command command, std::function<void(Result<Reply>)> done)
{
    m_port.execute(std::move(command), [home = m_home, done = std::move(done)](Result<Reply> reply) {
        home->post([done, reply = std::move(reply)](LocalEngineClient&) { done(reply); });
    });
}

} // namespace client
