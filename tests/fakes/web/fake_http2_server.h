// SPDX-License-Identifier: GPL-3.0-or-later
// A server of HTTP/2 over TLS on loopback that answers when a test says so, and breaks as it says.
#pragma once

#include <QList>
#include <QObject>
#include <QSslConfiguration>
#include <QUrl>

#include <functional>
#include <memory>
#include <vector>

class QSslServer;

namespace fakes {

class FakeHttp2Server : public QObject
{
    class Connection;

public:
    using Headers = QList<std::pair<QByteArray, QByteArray>>;

    /// A request and its answer; stays valid when its connection has ended, and does nothing then.
    class Stream
    {
    public:
        [[nodiscard]] QByteArray field(const QByteArray& name) const; ///< of the request; `:path`, `authorization`, …
        void answer(int status, const Headers& headers = {}) const;
        void interim(int status) const;
        void send(const QByteArray& bytes) const;
        void end() const;
        void reset() const;                   ///< RST_STREAM: the server failed
        void refuse() const;                  ///< RST_STREAM: it did nothing for this request
        [[nodiscard]] qint64 queued() const;  ///< bytes that the client has no room for
        [[nodiscard]] bool isDropped() const; ///< the client wants no more, or is gone
        [[nodiscard]] int connection() const; ///< which one, from 1

    private:
        friend class FakeHttp2Server;
        struct Data;
        std::shared_ptr<Data> m_data;
    };

    /// `mostStreams`: that it allows on a connection.
    explicit FakeHttp2Server(QSslConfiguration tls, int mostStreams = 250);
    ~FakeHttp2Server() override;

    [[nodiscard]] QUrl url() const;
    /// Called for each request; without one the answer is 200 and `{}`.
    void on(std::function<void(const Stream&)> handler) { m_handler = std::move(handler); }

    /// All connections: no more requests, those under way go on.
    void goAway();
    void cut(); ///< all connections, at once
    void sendRaw(const QByteArray& bytes);
    void setDeaf(bool isDeaf) { m_isDeaf = isDeaf; } ///< it reads nothing any more

    [[nodiscard]] const std::vector<Stream>& streams() const { return m_streams; }
    [[nodiscard]] int pings() const { return m_pings; }
    [[nodiscard]] int connections() const { return m_connections; } ///< that ever were
    [[nodiscard]] int open() const;                                 ///< connections now

private:
    std::unique_ptr<QSslServer> m_server;
    int m_mostStreams;
    std::function<void(const Stream&)> m_handler;
    std::vector<std::unique_ptr<Connection>> m_open;
    std::vector<Stream> m_streams;
    int m_connections = 0;
    int m_pings = 0;
    bool m_isDeaf = false;
};

} // namespace fakes
