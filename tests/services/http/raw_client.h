// SPDX-License-Identifier: GPL-3.0-or-later
// A client that sends exactly the bytes of a test, also invalid ones.
#pragma once

#include "services/http/api_server.h"
#include "tests/fakes/fake_engine_port.h"

#include <QElapsedTimer>
#include <QFile>
#include <QMap>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

struct RawResponse
{
    int status = 0;                       ///< 0: the connection ended without an answer
    QMap<QByteArray, QByteArray> headers; ///< names in lower case
    QByteArray body;
    bool closed = false; ///< the connection was at its end afterwards

    [[nodiscard]] core::Json json() const { return core::parseJson(body).value_or(core::Json()); }
};

class RawClient
{
public:
    explicit RawClient(int port) { open(port); }
    RawClient(RawClient&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
        , m_in(std::move(other.m_in))
    {
    }
    ~RawClient() { close(); }

    void open(int port)
    {
        m_fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const int one = 1;
        setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(quint16(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(m_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
            close();
    }
    void close()
    {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = -1;
    }
    /// As a process that dies: unread bytes are thrown away, the other side gets a reset.
    void reset()
    {
        const linger hard{1, 0};
        setsockopt(m_fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        close();
    }
    void setReceiveBuffer(int bytes) { setsockopt(m_fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes); }
    [[nodiscard]] int fd() const { return m_fd; }

    /// Whether all of it could be handed over; stops when the other side stopped listening.
    bool send(const QByteArray& bytes)
    {
        qsizetype sent = 0;
        while (sent < bytes.size()) {
            pollfd p{m_fd, POLLOUT, 0};
            if (::poll(&p, 1, 10'000) <= 0)
                return false;
            const ssize_t n =
                ::send(m_fd, bytes.constData() + sent, size_t(bytes.size() - sent), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (n < 0 && errno == EAGAIN)
                continue;
            if (n <= 0)
                return false;
            sent += n;
        }
        return true;
    }

    /// More bytes into the buffer: false at the end of the connection or when none came in time.
    bool receive(int timeoutMs = 10'000)
    {
        pollfd p{m_fd, POLLIN, 0};
        m_timedOut = ::poll(&p, 1, timeoutMs) <= 0;
        if (m_timedOut)
            return false;
        QByteArray piece(256 * 1024, Qt::Uninitialized);
        const ssize_t n = ::recv(m_fd, piece.data(), size_t(piece.size()), 0);
        if (n <= 0)
            return false;
        m_in.append(piece.constData(), n);
        return true;
    }
    [[nodiscard]] bool timedOut() const { return m_timedOut; }
    /// Whether the other side closes within the time; what comes before is dropped.
    bool closesWithin(int timeoutMs)
    {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < timeoutMs) {
            if (!receive(timeoutMs - int(timer.elapsed())))
                return !m_timedOut;
            m_in.clear();
        }
        return false;
    }

    /// One line, without its end; empty at the end of the connection.
    QByteArray line(int timeoutMs = 10'000)
    {
        qsizetype end = 0;
        while ((end = m_in.indexOf('\n')) < 0) {
            if (!receive(timeoutMs))
                return {};
        }
        QByteArray out = m_in.left(end);
        m_in.remove(0, end + 1);
        if (out.endsWith('\r'))
            out.chop(1);
        return out;
    }
    QByteArray bytes(qsizetype count, int timeoutMs = 10'000)
    {
        while (m_in.size() < count) {
            if (!receive(timeoutMs))
                return {};
        }
        QByteArray out = m_in.left(count);
        m_in.remove(0, count);
        return out;
    }

    /// The header alone: status and fields.
    RawResponse head(int timeoutMs = 10'000)
    {
        RawResponse out;
        const QByteArray first = line(timeoutMs);
        if (!first.startsWith("HTTP/1.1 "))
            return out;
        out.status = first.mid(9, 3).toInt();
        for (;;) {
            const QByteArray field = line(timeoutMs);
            if (field.isEmpty())
                break;
            const qsizetype colon = field.indexOf(':');
            out.headers.insert(field.left(colon).toLower(), field.mid(colon + 1).trimmed());
        }
        return out;
    }
    /// One chunk's bytes; empty for the last one, or at the end.
    QByteArray chunk(int timeoutMs = 10'000)
    {
        const qsizetype size = line(timeoutMs).toLongLong(nullptr, 16);
        const QByteArray out = bytes(size, timeoutMs);
        (void)line(timeoutMs);
        return out;
    }
    RawResponse response(bool isHead = false, int timeoutMs = 10'000)
    {
        RawResponse out = head(timeoutMs);
        if (out.status == 0 || isHead || out.status == 304)
            return out;
        if (out.headers.value("transfer-encoding") == "chunked") {
            for (QByteArray piece = chunk(timeoutMs); !piece.isEmpty(); piece = chunk(timeoutMs))
                out.body += piece;
        } else {
            out.body = bytes(out.headers.value("content-length").toLongLong(), timeoutMs);
        }
        return out;
    }

private:
    int m_fd = -1;
    QByteArray m_in;
    bool m_timedOut = false;
};

inline constexpr const char* testToken = "secret-token";

/// A request with what every one needs; `extra` are header lines with their ends.
inline QByteArray request(
    const QByteArray& method, const QByteArray& target, const QByteArray& body = {}, const QByteArray& extra = {})
{
    QByteArray out =
        method + ' ' + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + testToken + "\r\n" + extra;
    if (!body.isNull())
        out += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    return out + "\r\n" + body;
}

/// A server over a fake engine, with short limits where a test needs them.
class ServerFixture
{
public:
    explicit ServerFixture(http::ApiConfig config = {})
    {
        config.token = testToken;
        m_server = std::make_unique<http::ApiServer>(std::move(config), engine);
        const auto url = m_server->start();
        Q_ASSERT(url);
        m_port = url->port();
        engine.settle();
        // The first full state is on its way to the server's thread: from here on it answers.
        QElapsedTimer timer;
        timer.start();
        while (get("/api/v1/version").status != 200 && timer.elapsed() < 5000) { }
    }

    [[nodiscard]] int port() const { return m_port; }
    RawResponse exchange(const QByteArray& text, bool isHead = false) const
    {
        RawClient client(m_port);
        client.send(text);
        return client.response(isHead);
    }
    RawResponse get(const QByteArray& target, const QByteArray& extra = {}) const
    {
        return exchange(request("GET", target, {}, extra));
    }
    RawResponse post(const QByteArray& target, const QByteArray& body) const
    {
        return exchange(request("POST", target, body));
    }
    void stop() { m_server->stop(); }

    fakes::FakeEnginePort engine;

private:
    std::unique_ptr<http::ApiServer> m_server;
    int m_port = 0;
};

#if defined(__SANITIZE_ADDRESS__)
/// Freed memory is given back at once: tests here look at how much the process holds.
extern "C" [[gnu::used]] inline const char* __asan_default_options()
{
    return "quarantine_size_mb=1:thread_local_quarantine_size_kb=16";
}
#endif

/// Resident memory of this process, in bytes.
inline qint64 residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').at(1).toLongLong() * sysconf(_SC_PAGESIZE);
}
