// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest_server.h"

#include "ingest_core.h"
#include "ingest_session.h"

#include "services/core/logging.h"
#include "services/http/net/accept_loop.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace http {

namespace {

/// The listener and its clock. On the http thread, but for its making.
class IngestListener
{
public:
    IngestListener(std::shared_ptr<IngestCore> core, Acceptor acceptor)
        : m_core(std::move(core))
        , m_ticker(m_core->server.io)
        , m_loop(
              std::move(acceptor), [this](Socket socket) { accepted(std::move(socket)); },
              [](error_code failed) {
                  qCWarning(lcHttp, "accepting a connection of a trial failed: %s", failed.message().c_str());
              })
    {
        tick();
    }

    void closeAll()
    {
        const auto connections = m_core->connections;
        for (const auto& connection : connections)
            connection->close();
    }

private:
    using Timer =
        net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>, Executor>;

    void accepted(Socket socket)
    {
        if (int(m_core->connections.size()) >= m_core->config.limits.connections)
            return;
        error_code ignored;
        socket.set_option(net::ip::tcp::no_delay(true), ignored);
        const auto peer = socket.remote_endpoint(ignored).address();
        const auto connection = startIngestSession(m_core, makeLink(std::move(socket), m_core->server.tls));
        Connection* oldest =
            m_core->strangers.add(connection.get(), peer.is_loopback() ? std::string() : peer.to_string());
        if (oldest)
            oldest->close();
    }

    void tick()
    {
        const IngestLimits& limits = m_core->config.limits;
        const int shortest =
            std::min({limits.headerMs, limits.idleMs, limits.pieceMs, limits.stallMs, limits.replyMs, limits.lingerMs});
        m_ticker.expires_after(ms(std::clamp(shortest / 4, 20, 500)));
        m_ticker.async_wait([this, alive = std::weak_ptr(m_alive)](error_code ec) {
            if (ec || alive.expired())
                return;
            const Time time = now();
            const auto connections = m_core->connections; // ticks end some of them
            for (const auto& connection : connections)
                connection->tick(time);
            tick();
        });
    }

    std::shared_ptr<IngestCore> m_core;
    const std::shared_ptr<bool> m_alive =
        std::make_shared<bool>(); ///< a tick that is queued already is called all the same
    Timer m_ticker;
    AcceptLoop<Acceptor> m_loop;
};

} // namespace

class IngestServer::Impl
{
public:
    Impl(IngestConfig config, ApiServer& api, api::PostPort& port)
        : m_config(std::move(config))
        , m_api(api)
        , m_port(port)
    {
    }
    ~Impl() { stop(); }

    Result<> start(IngestSocket socket)
    {
        const std::shared_ptr<ServerCore> server = m_api.core();
        if (!server)
            return fail(Kind::internal, u"The service does not serve yet."_m);
        error_code ec;
        Acceptor acceptor(server->io.get_executor());
        acceptor.assign(socket.isSix() ? net::ip::tcp::v6() : net::ip::tcp::v4(), socket.release(), ec);
        if (ec)
            return fail(Kind::resource,
                u"It is not possible to listen for the metrics of trials: %1."_m.arg(
                    QString::fromStdString(ec.message())));
        m_server = server;
        const auto core = std::make_shared<IngestCore>(m_config, *server, m_port);
        const auto listener = std::make_shared<std::unique_ptr<IngestListener>>();
        m_listener = listener;
        net::post(server->io, [server = server.get(), core, listener, acceptor = std::move(acceptor)]() mutable {
            server->stats.ingest.emplace();
            *listener = std::make_unique<IngestListener>(core, std::move(acceptor));
        });
        return {};
    }

    void stop()
    {
        if (const auto server = m_server.lock())
            net::post(server->io, [listener = std::exchange(m_listener, {})] {
                if (!*listener)
                    return;
                (*listener)->closeAll();
                listener->reset();
            });
        m_server.reset();
    }

private:
    const IngestConfig m_config;
    ApiServer& m_api;
    api::PostPort& m_port;
    std::weak_ptr<ServerCore> m_server;
    std::shared_ptr<std::unique_ptr<IngestListener>> m_listener; ///< the pointer in it belongs to the http thread
};

IngestServer::IngestServer(IngestConfig config, ApiServer& api, api::PostPort& port)
    : m_impl(std::make_unique<Impl>(std::move(config), api, port))
{
}

IngestServer::~IngestServer() = default;

Result<> IngestServer::start(IngestSocket socket)
{
    return m_impl->start(std::move(socket));
}

void IngestServer::stop()
{
    m_impl->stop();
}

} // namespace http
