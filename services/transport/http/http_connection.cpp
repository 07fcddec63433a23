// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_connection.h"

#include <QSslSocket>
#include <QTcpSocket>

using namespace Qt::StringLiterals;

namespace transport {

/// Names below `localhost` are this computer (RFC 6761, 6.3), which not every resolver knows.
static QString dialedName(const QString& host)
{
    return host.endsWith(".localhost"_L1) ? u"localhost"_s : host;
}

static constexpr qsizetype writePieceBytes = 64 * 1024;

HttpConnection::HttpConnection(Clock* clock, HttpTls tls, Plan plan)
    : m_clock(clock)
    , m_tls(std::move(tls))
    , m_plan(std::move(plan))
{
    if (m_plan.origin.isTls) {
        m_secure = new QSslSocket;
        m_socket = m_secure;
        m_tls.prepare(*m_secure, m_plan.isOwn, m_plan.offersHttp2);
    } else {
        m_socket = new QTcpSocket;
    }
    m_socket->setReadBufferSize(readAheadBytes);
    m_socket->setProxy(isForwarded() ? QNetworkProxy(QNetworkProxy::NoProxy) : m_plan.proxy);
    watch();
}

HttpConnection::~HttpConnection()
{
    abort();
    m_socket->deleteLater();
}

bool HttpConnection::isForwarded() const
{
    const auto type = m_plan.proxy.type();
    return !m_plan.origin.isTls && (type == QNetworkProxy::HttpProxy || type == QNetworkProxy::HttpCachingProxy);
}

bool HttpConnection::speaksHttp2() const
{
    return m_secure && m_secure->sslConfiguration().nextNegotiatedProtocol() == "h2";
}

void HttpConnection::watch()
{
    const auto woken = [this] { m_waiters.wake(); };
    QObject::connect(m_socket, &QIODevice::readyRead, m_socket, woken);
    QObject::connect(m_socket, &QIODevice::bytesWritten, m_socket, woken);
    QObject::connect(m_socket, &QAbstractSocket::connected, m_socket, woken);
    QObject::connect(m_socket, &QAbstractSocket::disconnected, m_socket, [this] {
        m_isClosed = true;
        m_waiters.wake();
    });
    QObject::connect(m_socket, &QAbstractSocket::errorOccurred, m_socket, [this](QAbstractSocket::SocketError error) {
        if (error == QAbstractSocket::TemporaryError)
            return;
        m_isClosed = m_isClosed || error == QAbstractSocket::RemoteHostClosedError;
        m_isFailed = m_isFailed || error != QAbstractSocket::RemoteHostClosedError;
        m_isProxyAuth = m_isProxyAuth || error == QAbstractSocket::ProxyAuthenticationRequiredError;
        if (m_problem.isEmpty())
            m_problem = m_socket->errorString();
        m_waiters.wake();
    });
    if (!m_secure)
        return;
    QObject::connect(m_secure, &QSslSocket::encrypted, m_socket, woken);
    QObject::connect(m_secure, &QSslSocket::encryptedBytesWritten, m_socket, woken);
    // Runs after the decision of HttpTls, which was connected first; when that ignored the errors, no failure follows.
    QObject::connect(m_secure, &QSslSocket::sslErrors, m_socket, [this](const QList<QSslError>& errors) {
        if (!errors.isEmpty())
            m_certificateProblem = errors.first().errorString();
    });
}

/// Until anything happens to the socket.
Task<Result<>> HttpConnection::wait(Patience patience)
{
    auto waiting = m_waiters.wait(m_clock, patience, m_plan.origin);
    co_return co_await waiting;
}

/// The server ended the handshake because of our certificate, or because it got none. In TLS 1.3 that comes after the handshake.
bool HttpConnection::wantsCertificate() const
{
    return m_secure && m_problem.contains(u"alert"_s) && m_problem.contains(u"certificate"_s);
}

Error HttpConnection::connectError() const
{
    const QString server = originText(m_plan.origin);
    if (wantsCertificate())
        return {Kind::auth,
            u"%1 does not accept the client certificate, or wants one. Correct it in the platform's settings."_m.arg(
                server),
            m_problem};
    if (m_isProxyAuth)
        return {Kind::auth,
            u"The proxy %1 wants other credentials. Correct them in the platform's settings."_m.arg(
                m_plan.proxy.hostName()),
            m_problem};
    if (!m_certificateProblem.isEmpty())
        return {Kind::auth,
            u"The certificate of %1 is not trusted: %2 Add its authority or its fingerprint to the platform's settings, if it is the right server."_m
                .arg(server, m_certificateProblem.endsWith(u'.') ? m_certificateProblem : m_certificateProblem + u'.'),
            m_problem};
    return {Kind::network,
        u"%1 cannot be reached: %2."_m.arg(
            server, m_problem.isEmpty() ? u"the connection was closed"_m : Message(m_problem)),
        {}};
}

Error HttpConnection::brokenError() const
{
    if (wantsCertificate())
        return connectError();
    return {Kind::network, u"The connection to %1 broke."_m.arg(originText(m_plan.origin)), m_problem};
}

Task<Result<>> HttpConnection::open(Patience patience)
{
    const HttpOrigin& origin = m_plan.origin;
    if (m_plan.connectMs > 0)
        patience.endMs = std::min(patience.endMs, m_clock->steadyMs() + m_plan.connectMs);
    patience.silenceMs = 0;
    if (isForwarded())
        m_socket->connectToHost(m_plan.proxy.hostName(), m_plan.proxy.port());
    else if (m_secure)
        m_secure->connectToHostEncrypted(
            dialedName(origin.host), origin.port, m_tls.peerName(origin.host, m_plan.isOwn));
    else
        m_socket->connectToHost(dialedName(origin.host), origin.port);
    for (;;) {
        if (m_isFailed || m_isClosed)
            co_return tl::unexpected(connectError());
        if (m_secure ? m_secure->isEncrypted() : m_socket->state() == QAbstractSocket::ConnectedState)
            break;
        auto waiting = wait(patience);
        const Result<> waited = co_await waiting;
        if (!waited) {
            abort();
            co_return waited;
        }
    }
    if (m_secure && !m_tls.isExpected(*m_secure, m_plan.isOwn)) {
        abort();
        co_return fail(Kind::auth,
            u"The certificate of %1 is not the one of the fingerprint in the platform's settings."_m.arg(
                originText(origin)));
    }
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    co_return Result<>();
}

bool HttpConnection::isEnded() const
{
    return m_isFailed || m_isClosed;
}

Task<Result<QByteArray>> HttpConnection::read(qsizetype most, Patience patience)
{
    for (;;) {
        if (patience.stop.stop_requested())
            co_return tl::unexpected(cancelledError());
        if (!m_unread.isEmpty()) {
            QByteArray front = m_unread.first(std::min(most, m_unread.size()));
            m_unread.remove(0, front.size());
            co_return front;
        }
        if (m_socket->bytesAvailable() > 0) {
            QByteArray bytes = m_socket->read(most);
            if (!bytes.isEmpty())
                co_return bytes;
        }
        if (m_isFailed)
            co_return tl::unexpected(brokenError());
        if (isEnded())
            co_return QByteArray();
        auto waiting = wait(patience);
        const Result<> waited = co_await waiting;
        if (!waited)
            co_return fail(waited);
    }
}

qint64 HttpConnection::queued() const
{
    return m_socket->bytesToWrite() + (m_secure ? m_secure->encryptedBytesToWrite() : 0);
}

Task<Result<bool>> HttpConnection::write(QByteArray bytes, Patience patience)
{
    for (qsizetype at = 0; at < bytes.size(); at += writePieceBytes) {
        post(bytes.mid(at, writePieceBytes));
        const bool isLast = at + writePieceBytes >= bytes.size();
        // The last piece is waited for, too: it is silence of the server only when nothing of ours is on its way.
        const qint64 most = isLast ? 1 : writePieceBytes;
        for (;;) {
            if (m_isFailed && m_socket->bytesAvailable() == 0)
                co_return tl::unexpected(brokenError());
            if (m_socket->bytesAvailable() > 0 || isEnded())
                co_return isLast&& queued() == 0;
            if (queued() < most)
                break;
            auto waiting = wait(patience);
            const Result<> waited = co_await waiting;
            if (!waited)
                co_return fail(waited);
        }
    }
    co_return true;
}

void HttpConnection::post(const QByteArray& bytes)
{
    if (!isEnded())
        m_socket->write(bytes);
}

Task<Result<bool>> HttpConnection::drained(qint64 most, Patience patience)
{
    while (!isEnded()) {
        if (queued() < most)
            co_return true;
        auto waiting = wait(patience);
        const Result<> waited = co_await waiting;
        if (!waited)
            co_return fail(waited);
    }
    co_return false;
}

void HttpConnection::unread(const QByteArray& bytes)
{
    m_unread.prepend(bytes);
}

bool HttpConnection::isIdle() const
{
    return !isEnded() && m_unread.isEmpty() && m_socket->bytesAvailable() == 0 && queued() == 0;
}

void HttpConnection::abort()
{
    m_isFailed = true;
    m_socket->disconnect(m_socket);
    m_socket->abort();
    if (m_problem.isEmpty())
        m_problem = u"closed here"_s;
    m_waiters.wake();
}

} // namespace transport
