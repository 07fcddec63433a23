// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_origin.h"
#include "http_tls.h"
#include "waiters.h"

#include <QNetworkProxy>

class QSslSocket;
class QTcpSocket;

namespace transport {

/// Bytes to and from one server, with or without TLS, through a proxy or not. Held by shared_ptr: a coroutine that awaits one of its
/// tasks holds it, too. One open() or read() at a time, and beside it writes. Nothing is read that was not asked for, beyond a buffer of
/// readAheadBytes, so a server that sends faster than its answer is used waits.
///
/// Errors: Kind::network (unreachable, broken), Kind::auth (the certificate is not trusted, or the proxy wants other credentials),
/// Kind::timeout, Kind::cancelled. After one the connection is of no more use.
class HttpConnection
{
public:
    static constexpr qsizetype readAheadBytes = 64 * 1024;

    struct Plan
    {
        HttpOrigin origin;
        bool isOwn = true;        ///< the base URL's origin (HttpTls)
        bool offersHttp2 = false; ///< in the handshake of TLS; else HTTP/1.1 alone
        QNetworkProxy proxy = QNetworkProxy::NoProxy;
        int connectMs = 10'000;
    };

    HttpConnection(Clock* clock, HttpTls tls, Plan plan);
    ~HttpConnection();
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;

    [[nodiscard]] const Plan& plan() const { return m_plan; }
    /// Whether requests go to an HTTP proxy that forwards them itself, with absolute targets: http URLs behind one.
    [[nodiscard]] bool isForwarded() const;

    [[nodiscard]] Task<Result<>> open(Patience patience);
    /// After open(): the server chose HTTP/2.
    [[nodiscard]] bool speaksHttp2() const;
    /// 1 to `most` bytes; none: the server closed the connection.
    [[nodiscard]] Task<Result<QByteArray>> read(qsizetype most, Patience patience);
    /// True when all was given to the system; false when the server sent something, or closed, before.
    [[nodiscard]] Task<Result<bool>> write(QByteArray bytes, Patience patience);
    /// Queues without waiting: for what is small. Precondition: open.
    void post(const QByteArray& bytes);
    /// Waits until less than `most` bytes are queued. False: the connection ended.
    [[nodiscard]] Task<Result<bool>> drained(qint64 most, Patience patience);
    /// Puts bytes that were read too far before what is read next.
    void unread(const QByteArray& bytes);
    /// Open, and nothing came that was not read.
    [[nodiscard]] bool isIdle() const;
    /// At once, without closing TLS in order. What waits ends with Kind::network.
    void abort();

private:
    void watch();
    [[nodiscard]] Task<Result<>> wait(Patience patience);
    [[nodiscard]] qint64 queued() const;
    [[nodiscard]] bool isEnded() const;
    [[nodiscard]] bool wantsCertificate() const;
    [[nodiscard]] Error brokenError() const;
    [[nodiscard]] Error connectError() const;

    Clock* m_clock;
    HttpTls m_tls;
    Plan m_plan;
    QTcpSocket* m_socket = nullptr; ///< ends by deleteLater: this may be destroyed inside one of its signals
    QSslSocket* m_secure = nullptr; ///< the same one, with TLS
    Waiters m_waiters;
    QByteArray m_unread;
    QString m_problem; ///< what the socket said when it failed
    QString m_certificateProblem;
    bool m_isProxyAuth = false;
    bool m_isClosed = false; ///< by the server, in order or not
    bool m_isFailed = false;
};

} // namespace transport
