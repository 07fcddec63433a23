// SPDX-License-Identifier: GPL-3.0-or-later
// An HTTP server on loopback that sends whatever bytes a test wants, when it wants: also what no real one sends.
#pragma once

#include "tests/fakes/received_request.h"

#include <QObject>
#include <QPointer>
#include <QSslConfiguration>
#include <QUrl>

#include <functional>
#include <memory>
#include <optional>

class QTcpServer;
class QTcpSocket;

namespace fakes {

class FakeWebServer : public QObject
{
public:
    struct Request : ReceivedRequest
    {
        int connection = 0; ///< which one, from 1
    };

    /// A connection; stays valid when it has ended, and does nothing then.
    class Peer
    {
    public:
        explicit Peer(QTcpSocket* socket = nullptr);
        void send(const QByteArray& bytes) const;
        /// Status line, Content-Length, body. `headers`: whole lines.
        void answer(
            int status, const QByteArray& body, const QByteArray& headers = "Content-Type: application/json\r\n") const;
        void chunk(const QByteArray& bytes) const; ///< of a chunked answer; an empty one ends it
        void close() const;                        ///< after what was sent
        void reset() const;                        ///< at once
        [[nodiscard]] qint64 queued() const;       ///< bytes that the client did not take
        [[nodiscard]] bool isOpen() const;
        [[nodiscard]] QByteArray take() const; ///< what came after the upgrade

    private:
        friend class FakeWebServer;
        QPointer<QTcpSocket> m_socket;
    };

    using Handler = std::function<void(const Peer&, const Request&)>;

    /// With TLS where a configuration is given.
    explicit FakeWebServer(std::optional<QSslConfiguration> tls = {});
    ~FakeWebServer() override;

    [[nodiscard]] QUrl url(const QString& host = QStringLiteral("127.0.0.1")) const;
    [[nodiscard]] int port() const;
    /// Called for each request; without one the answer is `{}`.
    void on(Handler handler) { m_handler = std::move(handler); }
    /// Called for each connection instead of reading requests from it.
    void onConnection(std::function<void(const Peer&)> handler) { m_connected = std::move(handler); }
    /// No new connections: they are refused.
    void stopListening();

    [[nodiscard]] const QList<Request>& requests() const { return m_requests; }
    [[nodiscard]] int connections() const { return m_connections; } ///< that ever were
    [[nodiscard]] int open() const;                                 ///< connections now

private:
    void accept(QTcpSocket* socket);
    void read(QTcpSocket* socket, int connection);

    std::unique_ptr<QTcpServer> m_server;
    bool m_isTls;
    Handler m_handler;
    std::function<void(const Peer&)> m_connected;
    QList<Request> m_requests;
    int m_connections = 0;
};

/// A frame as a server sends it. `first`: final bit and opcode.
[[nodiscard]] QByteArray serverFrame(int first, const QByteArray& payload);
/// The answer of 101 to a request for a WebSocket.
[[nodiscard]] QByteArray upgradeAnswer(const FakeWebServer::Request& request, const QByteArray& protocol);

} // namespace fakes
