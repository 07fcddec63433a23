// SPDX-License-Identifier: GPL-3.0-or-later
#include "api_server.h"

#include "http_session.h"
#include "server_core.h"

#include "services/core/logging.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>

#include <QDateTime>
#include <QFile>
#include <QLocale>

#include <malloc.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace http {

static constexpr int turnedAwayAtOnce = 64; ///< connections beyond the limit that get a 503; further ones are closed

ServerCore::ServerCore(ApiConfig c, api::EnginePort& p, Access a)
    : config(std::move(c))
    , port(p)
    , access(std::move(a))
    , hub(config.limits.events)
    , stats(routes().size())
{
    uploads.setMaxThreadCount(1);
}

void ServerCore::execute(api::Command command, std::function<void(Result<api::Reply>)> done)
{
    port.execute(
        std::move(command), [weak = weak_from_this(), done = std::move(done)](Result<api::Reply> reply) mutable {
            if (const auto self = weak.lock()) {
                net::post(
                    self->io, [done = std::move(done), reply = std::move(reply)]() mutable { done(std::move(reply)); });
            }
        });
}

void ServerCore::apply(const api::ChangePtr& change)
{
    mirror.apply(*change);
    hub.apply(change, QDateTime::currentMSecsSinceEpoch());
    for (const auto& resume : std::exchange(m_waiting, {}))
        resume();
}

View ServerCore::view()
{
    const auto uptime = std::chrono::duration_cast<std::chrono::seconds>(now() - m_started).count();
    return View{mirror, config.platformKinds, uptime, [this] {
                    stats.connections = int(connections.size());
                    stats.listeners = hub.listeners();
                    return prometheusText(mirror, stats);
                }};
}

const QByteArray& ServerCore::dateLine()
{
    const qint64 second = QDateTime::currentSecsSinceEpoch();
    if (second != m_dateSecond) {
        m_dateSecond = second;
        const QString text =
            QLocale::c().toString(QDateTime::fromSecsSinceEpoch(second, Qt::UTC), u"ddd, dd MMM yyyy HH:mm:ss"_s);
        m_dateLine = "Date: " + text.toLatin1() + " GMT\r\n";
    }
    return m_dateLine;
}

// --------------------------------------------------------------------------------------------------------------- ApiServer

class ApiServer::Impl
{
public:
    Impl(ApiConfig config, api::EnginePort& port)
        : m_config(std::move(config))
        , m_port(port)
    {
    }
    ~Impl() { stop(); }

    Result<QUrl> start();
    void stop();

private:
    using Timer =
        net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>, Executor>;

    Result<std::unique_ptr<net::ssl::context>> loadTls() const;
    Result<> bind(const net::ip::address& address);
    void accept();
    void accepted(Socket socket);
    void tick();
    void forgetChanges();

    ApiConfig m_config;
    api::EnginePort& m_port;
    std::shared_ptr<ServerCore> m_core;
    std::unique_ptr<net::ssl::context> m_tls;
    std::unique_ptr<Acceptor> m_acceptor;
    std::unique_ptr<Timer> m_ticker;
    std::unique_ptr<Timer> m_retry;
    std::optional<int> m_listener;
    qint64 m_forgottenBytes = 0; ///< since the last trim; used on the http thread
    std::thread m_thread;
};

static QString hostName()
{
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    return QString::fromLocal8Bit(name);
}

Result<std::unique_ptr<net::ssl::context>> ApiServer::Impl::loadTls() const
{
    if (m_config.tlsCert.isEmpty() && m_config.tlsKey.isEmpty())
        return std::unique_ptr<net::ssl::context>();
    if (m_config.tlsCert.isEmpty() || m_config.tlsKey.isEmpty())
        return fail(Kind::invalid, u"TLS needs both a certificate and its key."_s);
    auto context = std::make_unique<net::ssl::context>(net::ssl::context::tls_server);
    error_code ec;
    context->set_options(net::ssl::context::default_workarounds | net::ssl::context::no_sslv2
            | net::ssl::context::no_sslv3 | net::ssl::context::no_tlsv1 | net::ssl::context::no_tlsv1_1,
        ec);
    context->use_certificate_chain_file(QFile::encodeName(m_config.tlsCert).toStdString(), ec);
    if (ec)
        return fail(Kind::resource,
            u"The certificate %1 cannot be read: %2."_s.arg(m_config.tlsCert, QString::fromStdString(ec.message())));
    context->use_private_key_file(QFile::encodeName(m_config.tlsKey).toStdString(), net::ssl::context::pem, ec);
    if (ec)
        return fail(Kind::resource,
            u"The key %1 cannot be read, or does not belong to the certificate: %2."_s.arg(
                m_config.tlsKey, QString::fromStdString(ec.message())));
    return context;
}

Result<> ApiServer::Impl::bind(const net::ip::address& address)
{
    error_code ec;
    for (const quint16 port : {m_config.port, quint16(0)}) {
        m_acceptor = std::make_unique<Acceptor>(m_core->io.get_executor());
        const net::ip::tcp::endpoint endpoint(address, port);
        m_acceptor->open(endpoint.protocol(), ec);
        if (!ec)
            m_acceptor->set_option(net::socket_base::reuse_address(true), ec);
        if (!ec)
            m_acceptor->bind(endpoint, ec);
        if (!ec)
            m_acceptor->listen(net::socket_base::max_listen_connections, ec);
        if (ec != net::error::address_in_use || !m_config.fallBackToFreePort)
            break;
    }
    if (!ec)
        return {};
    const QString where = m_config.address + u':' + QString::number(m_config.port);
    if (ec == net::error::address_in_use)
        return fail(Kind::conflict,
            u"The address %1 is in use by another program; choose another port, or 0 for a free one."_s.arg(where));
    return fail(
        Kind::resource, u"It is not possible to listen on %1: %2."_s.arg(where, QString::fromStdString(ec.message())));
}

Result<QUrl> ApiServer::Impl::start()
{
    if (m_config.token.isEmpty())
        return fail(Kind::invalid, u"The service needs a token."_s);
    error_code ec;
    const QString text = m_config.address == u"localhost" ? u"127.0.0.1"_s : m_config.address;
    const net::ip::address address = net::ip::make_address(text.toStdString(), ec);
    if (ec)
        return fail(Kind::invalid,
            u"\"%1\" is not an address to listen on; give one of this computer's addresses, such as 127.0.0.1 or 0.0.0.0."_s
                .arg(m_config.address));
    auto tls = loadTls();
    if (!tls)
        return fail(tls);
    m_tls = *std::move(tls);
    const bool beyondLoopback = !address.is_loopback();
    if (beyondLoopback && !m_tls && !m_config.insecure)
        return fail(Kind::invalid,
            u"Listening on %1 lets other computers in: give a certificate (--tls-cert and --tls-key), or accept with --insecure that the token travels in clear."_s
                .arg(m_config.address));

    QStringList names = m_config.hostNames;
    if (beyondLoopback)
        names.append(hostName());
    m_core =
        std::make_shared<ServerCore>(m_config, m_port, Access(m_config.token, names, beyondLoopback, m_tls != nullptr));
    if (auto bound = bind(address); !bound) {
        m_acceptor.reset();
        m_core.reset();
        return fail(bound);
    }
    QUrl url;
    url.setScheme(m_tls ? u"https"_s : u"http"_s);
    url.setHost(address.is_unspecified() ? hostName() : QString::fromStdString(address.to_string()));
    url.setPort(m_acceptor->local_endpoint().port());

    m_ticker = std::make_unique<Timer>(m_core->io);
    m_retry = std::make_unique<Timer>(m_core->io);
    accept();
    tick();
    m_thread = std::thread([core = m_core] {
        pthread_setname_np(pthread_self(), "http");
        core->io.run();
    });
    m_listener = m_port.listen([weak = std::weak_ptr(m_core)](api::ChangePtr change) {
        if (const auto core = weak.lock())
            net::post(core->io, [weak, change = std::move(change)] {
                if (const auto self = weak.lock())
                    self->apply(change);
            });
    });
    return url;
}

void ApiServer::Impl::accept()
{
    m_acceptor->async_accept([this](error_code ec, Socket socket) {
        if (ec == net::error::operation_aborted)
            return;
        if (!ec) {
            accepted(std::move(socket));
            accept();
            return;
        }
        // No file descriptors left, as a rule: some will be free in a moment.
        qCWarning(lcHttp, "accepting a connection failed: %s", ec.message().c_str());
        m_retry->expires_after(ms(100));
        m_retry->async_wait([this](error_code cancelled) {
            if (!cancelled)
                accept();
        });
    });
}

void ApiServer::Impl::accepted(Socket socket)
{
    error_code ignored;
    socket.set_option(net::ip::tcp::no_delay(true), ignored);
    const int open = int(m_core->connections.size());
    const int limit = m_config.limits.connections;
    if (open < limit)
        startSession(*m_core, makeLink(std::move(socket), m_tls.get()));
    else if (open < limit + turnedAwayAtOnce)
        turnAway(*m_core, makeLink(std::move(socket), m_tls.get()));
}

void ApiServer::Impl::tick()
{
    const ApiLimits& limits = m_config.limits;
    const int shortest =
        std::min({limits.headerMs, limits.idleMs, limits.stallMs, limits.replyMs, limits.lingerMs, limits.eventIdleMs});
    m_ticker->expires_after(ms(std::clamp(shortest / 4, 20, 500)));
    m_ticker->async_wait([this](error_code ec) {
        if (ec)
            return;
        const Time time = now();
        const auto connections = m_core->connections; // ticks end some of them
        for (const auto& connection : connections)
            connection->tick(time);
        forgetChanges();
        tick();
    });
}

/// Old changes go, and what they held goes back to the computer: after a burst of trials that is tens of megabytes, which the
/// allocator would keep for the next one.
void ApiServer::Impl::forgetChanges()
{
    constexpr qint64 worthTrimming = 8 * 1024 * 1024;
    const qint64 before = m_core->hub.keptBytes();
    m_core->hub.expire(QDateTime::currentMSecsSinceEpoch());
    m_forgottenBytes += before - m_core->hub.keptBytes();
    if (m_forgottenBytes < worthTrimming)
        return;
    m_forgottenBytes = 0;
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

void ApiServer::Impl::stop()
{
    if (!m_core)
        return;
    m_port.stopListening(*m_listener);
    net::post(m_core->io, [this] {
        m_acceptor.reset();
        m_ticker.reset();
        m_retry.reset();
        const auto connections = m_core->connections;
        for (const auto& connection : connections)
            connection->close();
        m_core->io.stop();
    });
    m_thread.join();
    m_core->uploads.waitForDone();
    m_core.reset();
    m_tls.reset();
}

ApiServer::ApiServer(ApiConfig config, api::EnginePort& port)
    : m_impl(std::make_unique<Impl>(std::move(config), port))
{
}

ApiServer::~ApiServer() = default;

Result<QUrl> ApiServer::start()
{
    return m_impl->start();
}

void ApiServer::stop()
{
    m_impl->stop();
}

} // namespace http
