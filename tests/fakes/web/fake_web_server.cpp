// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_web_server.h"

#include <QCryptographicHash>
#include <QSslServer>
#include <QTcpServer>
#include <QTcpSocket>

using namespace Qt::StringLiterals;

namespace fakes {

FakeWebServer::Peer::Peer(QTcpSocket* socket)
    : m_socket(socket)
{
}

void FakeWebServer::Peer::send(const QByteArray& bytes) const
{
    if (m_socket)
        m_socket->write(bytes);
}

void FakeWebServer::Peer::answer(int status, const QByteArray& body, const QByteArray& headers) const
{
    send("HTTP/1.1 " + QByteArray::number(status) + " Any\r\n" + headers
        + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
}

void FakeWebServer::Peer::chunk(const QByteArray& bytes) const
{
    send(QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n");
}

void FakeWebServer::Peer::close() const
{
    if (m_socket)
        m_socket->disconnectFromHost();
}

void FakeWebServer::Peer::reset() const
{
    if (m_socket)
        m_socket->abort();
}

qint64 FakeWebServer::Peer::queued() const
{
    return m_socket ? m_socket->bytesToWrite() : 0;
}

bool FakeWebServer::Peer::isOpen() const
{
    return m_socket && m_socket->state() == QAbstractSocket::ConnectedState;
}

QByteArray FakeWebServer::Peer::take() const
{
    return m_socket ? m_socket->readAll() : QByteArray();
}

FakeWebServer::FakeWebServer(std::optional<QSslConfiguration> tls)
    : m_isTls(tls.has_value())
{
    if (tls) {
        auto server = std::make_unique<QSslServer>();
        server->setSslConfiguration(*tls);
        server->setHandshakeTimeout(600'000); // of real time
        m_server = std::move(server);
    } else {
        m_server = std::make_unique<QTcpServer>();
    }
    m_server->setListenBacklogSize(500);
    connect(m_server.get(), &QTcpServer::pendingConnectionAvailable, this, [this] {
        while (QTcpSocket* socket = m_server->nextPendingConnection())
            accept(socket);
    });
    m_handler = [](const Peer& peer, const Request&) { peer.answer(200, "{}"); };
    m_server->listen(QHostAddress::LocalHost);
}

FakeWebServer::~FakeWebServer()
{
    for (QTcpSocket* socket : m_server->findChildren<QTcpSocket*>())
        socket->disconnect(this);
}

QUrl FakeWebServer::url(const QString& host) const
{
    return QUrl(u"%1://%2:%3"_s.arg(m_isTls ? u"https"_s : u"http"_s, host).arg(m_server->serverPort()));
}

int FakeWebServer::port() const
{
    return m_server->serverPort();
}

void FakeWebServer::stopListening()
{
    m_server->close();
}

int FakeWebServer::open() const
{
    const QList<QTcpSocket*> sockets = m_server->findChildren<QTcpSocket*>();
    return int(std::count_if(sockets.begin(), sockets.end(),
        [](const QTcpSocket* socket) { return socket->state() == QAbstractSocket::ConnectedState; }));
}

void FakeWebServer::accept(QTcpSocket* socket)
{
    ++m_connections;
    connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    if (m_connected) {
        m_connected(Peer(socket));
        return;
    }
    connect(socket, &QTcpSocket::readyRead, this, [this, socket, number = m_connections] { read(socket, number); });
    if (socket->bytesAvailable() > 0)
        read(socket, m_connections);
}

void FakeWebServer::read(QTcpSocket* socket, int connection)
{
    for (;;) {
        const QByteArray there = socket->peek(socket->bytesAvailable());
        QByteArray rest = there;
        const std::optional<ReceivedRequest> received = takeRequest(rest);
        if (!received)
            return;
        socket->read(there.size() - rest.size());
        const Request request{*received, connection};
        m_requests += request;
        if (request.headers.contains("upgrade"))
            disconnect(socket, &QTcpSocket::readyRead, this, nullptr); // what follows is the test's
        const QPointer<QTcpSocket> alive(socket);
        m_handler(Peer(socket), request);
        if (!alive || !socket->isOpen() || request.headers.contains("upgrade"))
            return;
    }
}

QByteArray serverFrame(int first, const QByteArray& payload)
{
    QByteArray frame(1, char(first));
    if (payload.size() < 126) {
        frame += char(payload.size());
    } else {
        frame += char(126);
        frame += char(payload.size() >> 8);
        frame += char(payload.size());
    }
    return frame + payload;
}

QByteArray upgradeAnswer(const FakeWebServer::Request& request, const QByteArray& protocol)
{
    const QByteArray proof = QCryptographicHash::hash(
        request.headers.value("sec-websocket-key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", QCryptographicHash::Sha1);
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        + proof.toBase64() + "\r\nSec-WebSocket-Protocol: " + protocol + "\r\n\r\n";
}

} // namespace fakes
