// SPDX-License-Identifier: GPL-3.0-or-later
#include "api_server.h"

#include "http_session.h"
#include "server_core.h"

#include "services/core/logging.h"
#include "services/core/random_text.h"
#include "services/http/net/accept_loop.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QLocale>

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace http {

static constexpr int turnedAwayAtOnce = 64; ///< connections beyond the limit that get a 503; further ones are closed

ServerCore::ServerCore(ApiConfig c, api::EnginePort& p, Access a)
    : config(std::move(c))
    , port(p)
    , access(std::move(a))
    , audit(config.auditFile)
    , hub(config.limits.events)
    , stats(routes().size())
    , strangers(size_t(config.limits.strangers), size_t(config.limits.strangersOfPeer))
{
    uploads.setMaxThreadCount(1);
}

void ServerCore::add(const std::shared_ptr<Connection>& connection)
{
    if (connections.insert(connection).second && connection->peer().isLocal)
        ++localConnections;
}

void ServerCore::remove(const std::shared_ptr<Connection>& connection)
{
    strangers.remove(connection.get());
    if (connections.erase(connection) > 0 && connection->peer().isLocal)
        --localConnections;
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

void ServerCore::changeTokens(const ChangeTokens& change, std::function<void(Result<QByteArray>)> done)
{
    using enum ChangeTokens::What;
    if (!config.saveTokens || m_isChangingTokens) {
        done(fail(Kind::conflict,
            config.saveTokens ? u"The tokens are being changed by another request; try again."_m
                              : u"The tokens of this service cannot be changed."_m));
        return;
    }
    QList<TokenRecord> tokens = access.tokens();
    const QString name = change.what == rotate ? ownerToken.toString() : change.record.name;
    const QByteArray token = change.what == revoke ? QByteArray() : randomToken();
    const qint64 time = QDateTime::currentMSecsSinceEpoch();
    if (change.what == create) {
        tokens.append(change.record);
        tokens.last().sha256 = tokenHash(token);
    } else if (change.what == revoke) {
        tokens.removeIf([&](const TokenRecord& known) { return known.name == name; });
    } else {
        for (TokenRecord& known : tokens)
            if (known.name == name) {
                known.sha256 = tokenHash(token);
                known.createdTime = time;
            }
    }
    QList<TokenRecord> others = tokens;
    others.removeIf([](const TokenRecord& known) { return known.name == ownerToken; });
    m_isChangingTokens = true;
    uploads.start([weak = weak_from_this(), save = config.saveTokens, what = change.what, tokens, others, token, name,
                      done = std::move(done)] {
        const Result<> saved = save(what == rotate ? token : QByteArray(), others);
        const auto self = weak.lock();
        if (!self)
            return;
        net::post(self->io, [weak, saved, what, tokens, token, name, done] {
            const auto core = weak.lock();
            if (!core)
                return;
            core->m_isChangingTokens = false;
            if (!saved)
                return done(fail(saved));
            core->access.setTokens(tokens);
            Json json{{"name", name}};
            if (what != revoke)
                json["token"] = QString::fromLatin1(token);
            done(dumpJson(json));
            if (what != create)
                core->endConnectionsOf(name);
        });
    });
}

void ServerCore::dropExpiredTokens(qint64 nowMs)
{
    QStringList expired;
    for (const TokenRecord& token : access.tokens())
        if (token.expiryTime && *token.expiryTime <= nowMs)
            expired.append(token.name);
    if (expired.isEmpty() || m_isChangingTokens)
        return;
    QList<TokenRecord> tokens = access.tokens();
    tokens.removeIf([&](const TokenRecord& token) { return expired.contains(token.name); });
    access.setTokens(tokens);
    for (const QString& name : expired)
        endConnectionsOf(name);
}

/// But those that are just answering: they end with their answer.
void ServerCore::endConnectionsOf(const QString& tokenName)
{
    const auto all = connections;
    for (const auto& connection : all)
        if (connection->caller() == tokenName)
            connection->disown();
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
    return View{mirror, config.platformKinds, uptime, access.tokens(),
        [this] {
            stats.connections = int(connections.size());
            stats.listeners = hub.listeners();
            return prometheusText(mirror, stats);
        },
        config.ingestUrl};
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
    [[nodiscard]] bool hasSocket() const { return m_local != nullptr; }
    [[nodiscard]] std::shared_ptr<ServerCore> core() const { return m_core; }

private:
    using Timer =
        net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>, Executor>;

    Result<std::unique_ptr<net::ssl::context>> loadTls() const;
    [[nodiscard]] Result<Acceptor> bind(const net::ip::address& address) const;
    [[nodiscard]] Result<LocalAcceptor> bindLocal() const;
    void accepted(Socket socket);
    void acceptedLocal(LocalSocket socket);
    std::shared_ptr<Connection> enter(LinkPtr link, int open, int limit);
    void tick();
    void forgetChanges();

    ApiConfig m_config;
    api::EnginePort& m_port;
    std::shared_ptr<ServerCore> m_core;
    std::unique_ptr<net::ssl::context> m_tls;
    std::unique_ptr<AcceptLoop<Acceptor>> m_tcp;
    std::unique_ptr<AcceptLoop<LocalAcceptor>> m_local;
    std::unique_ptr<Timer> m_ticker;
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
        return fail(Kind::invalid, u"TLS needs both a certificate and its key."_m);
    auto context = std::make_unique<net::ssl::context>(net::ssl::context::tls_server);
    error_code ec;
    context->set_options(net::ssl::context::default_workarounds | net::ssl::context::no_sslv2
            | net::ssl::context::no_sslv3 | net::ssl::context::no_tlsv1 | net::ssl::context::no_tlsv1_1,
        ec);
    context->use_certificate_chain_file(QFile::encodeName(m_config.tlsCert).toStdString(), ec);
    if (ec)
        return fail(Kind::resource,
            u"The certificate %1 cannot be read: %2."_m.arg(m_config.tlsCert, QString::fromStdString(ec.message())));
    context->use_private_key_file(QFile::encodeName(m_config.tlsKey).toStdString(), net::ssl::context::pem, ec);
    if (ec)
        return fail(Kind::resource,
            u"The key %1 cannot be read, or does not belong to the certificate: %2."_m.arg(
                m_config.tlsKey, QString::fromStdString(ec.message())));
    return context;
}

Result<Acceptor> ApiServer::Impl::bind(const net::ip::address& address) const
{
    error_code ec;
    Acceptor acceptor(m_core->io.get_executor());
    for (const quint16 port : {m_config.port, quint16(0)}) {
        acceptor = Acceptor(m_core->io.get_executor());
        const net::ip::tcp::endpoint endpoint(address, port);
        acceptor.open(endpoint.protocol(), ec);
        if (!ec)
            acceptor.set_option(net::socket_base::reuse_address(true), ec);
        if (!ec)
            acceptor.bind(endpoint, ec);
        if (!ec)
            acceptor.listen(net::socket_base::max_listen_connections, ec);
        if (ec != net::error::address_in_use || !m_config.fallBackToFreePort)
            break;
    }
    if (!ec)
        return acceptor;
    const QString where = m_config.address + u':' + QString::number(m_config.port);
    if (ec == net::error::address_in_use)
        return fail(Kind::conflict,
            u"The address %1 is in use by another program; choose another port, or 0 for a free one."_m.arg(where));
    return fail(
        Kind::resource, u"It is not possible to listen on %1: %2."_m.arg(where, QString::fromStdString(ec.message())));
}

/// The caller holds the lock of the data directory, so a socket that lies there is of a service that has ended.
Result<LocalAcceptor> ApiServer::Impl::bindLocal() const
{
    const QByteArray path = QFile::encodeName(m_config.socket);
    ::unlink(path.constData());
    // A path in a socket's address has at most 107 bytes; through a descriptor of its folder it is always short.
    const QFileInfo info(m_config.socket);
    const int folder = ::open(QFile::encodeName(info.path()).constData(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    const QByteArray reached = "/proc/self/fd/" + QByteArray::number(folder) + '/' + QFile::encodeName(info.fileName());
    error_code ec;
    LocalAcceptor acceptor(m_core->io.get_executor());
    acceptor.open(net::local::stream_protocol(), ec);
    if (!ec)
        acceptor.bind(net::local::stream_protocol::endpoint(reached.toStdString()), ec);
    if (!ec && ::chmod(path.constData(), 0600) != 0)
        ec = error_code(errno, boost::system::system_category());
    if (!ec)
        acceptor.listen(net::socket_base::max_listen_connections, ec);
    if (folder >= 0)
        ::close(folder);
    if (ec)
        return fail(Kind::resource,
            u"The socket %1 cannot be made: %2."_m.arg(m_config.socket, QString::fromStdString(ec.message())));
    return acceptor;
}

static QList<TokenRecord> allTokens(const ApiConfig& config)
{
    TokenRecord owner;
    owner.name = ownerToken.toString();
    owner.scope = Scope::admin;
    owner.sha256 = tokenHash(config.token);
    return QList<TokenRecord>{owner} + config.moreTokens;
}

Result<QUrl> ApiServer::Impl::start()
{
    if (m_config.token.isEmpty())
        return fail(Kind::invalid, u"The service needs a token."_m);
    error_code ec;
    const QString text = m_config.address == u"localhost" ? u"127.0.0.1"_s : m_config.address;
    const net::ip::address address = net::ip::make_address(text.toStdString(), ec);
    if (ec)
        return fail(Kind::invalid,
            u"\"%1\" is not an address to listen on; give one of this computer's addresses, such as 127.0.0.1 or 0.0.0.0."_m
                .arg(m_config.address));
    auto tls = loadTls();
    if (!tls)
        return fail(tls);
    m_tls = *std::move(tls);
    const bool beyondLoopback = !address.is_loopback();
    if (beyondLoopback && !m_tls && !m_config.insecure)
        return fail(Kind::invalid,
            u"Listening on %1 lets other computers in: give a certificate (--tls-cert and --tls-key), or accept with --insecure that the token travels in clear."_m
                .arg(m_config.address));

    QStringList names = m_config.hostNames;
    if (beyondLoopback)
        names.append(hostName());
    m_core = std::make_shared<ServerCore>(
        m_config, m_port, Access(allTokens(m_config), names, beyondLoopback, m_tls != nullptr));
    m_core->tls = m_tls.get();
    const auto noRoom = [](error_code failed) {
        qCWarning(lcHttp, "accepting a connection failed: %s", failed.message().c_str());
    };
    auto bound = bind(address);
    if (!bound) {
        m_core.reset();
        return fail(bound);
    }
    m_tcp = std::make_unique<AcceptLoop<Acceptor>>(
        *std::move(bound), [this](Socket socket) { accepted(std::move(socket)); }, noRoom);
    if (!m_config.socket.isEmpty()) {
        auto local = bindLocal();
        if (local)
            m_local = std::make_unique<AcceptLoop<LocalAcceptor>>(
                *std::move(local), [this](LocalSocket socket) { acceptedLocal(std::move(socket)); }, noRoom);
        else
            qCWarning(lcHttp).noquote() << local.error().message;
    }
    QUrl url;
    url.setScheme(m_tls ? u"https"_s : u"http"_s);
    url.setHost(address.is_unspecified() ? hostName() : QString::fromStdString(address.to_string()));
    url.setPort(m_tcp->acceptor().local_endpoint().port());

    m_ticker = std::make_unique<Timer>(m_core->io);
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

void ApiServer::Impl::accepted(Socket socket)
{
    error_code ignored;
    socket.set_option(net::ip::tcp::no_delay(true), ignored);
    const auto peer = socket.remote_endpoint(ignored).address();
    const auto connection = enter(makeLink(std::move(socket), m_tls.get()),
        int(m_core->connections.size()) - m_core->localConnections, m_config.limits.connections);
    if (!connection)
        return;
    // On this computer every address is everybody's.
    Connection* oldest = m_core->strangers.add(connection.get(), peer.is_loopback() ? std::string() : peer.to_string());
    if (oldest)
        oldest->close();
}

void ApiServer::Impl::acceptedLocal(LocalSocket socket)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    // The mode of its folder keeps other users out; should it be changed, this does.
    if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        && (peer.uid == ::getuid() || peer.uid == 0))
        enter(makeLink(std::move(socket)), m_core->localConnections, m_config.limits.localConnections);
}

/// Begins to serve the link, or turns it away when `open` has reached the limit; null: it is closed without a word.
std::shared_ptr<Connection> ApiServer::Impl::enter(LinkPtr link, int open, int limit)
{
    if (open < limit)
        return startSession(*m_core, std::move(link));
    if (open < limit + turnedAwayAtOnce)
        return turnAway(*m_core, std::move(link));
    return {};
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
        m_core->dropExpiredTokens(QDateTime::currentMSecsSinceEpoch());
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
        m_tcp.reset();
        if (std::exchange(m_local, {}))
            QFile::remove(m_config.socket);
        m_ticker.reset();
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

std::shared_ptr<ServerCore> ApiServer::core() const
{
    return m_impl->core();
}

bool ApiServer::hasSocket() const
{
    return m_impl->hasSocket();
}

} // namespace http
