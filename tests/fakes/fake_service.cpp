// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_service.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace {

QByteArray chunk(const QByteArray& bytes)
{
    return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
}

} // namespace

FakeService::FakeService(QByteArray token)
    : m_token(std::move(token))
    , m_server(std::make_unique<QTcpServer>())
{
    connect(m_server.get(), &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket* socket = m_server->nextPendingConnection()) {
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
            connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
                m_buffers.remove(socket);
                socket->deleteLater();
            });
        }
    });
    m_server->listen(QHostAddress::LocalHost);
    json("GET /api/v1/health", R"({"status":"ok","uptimeSeconds":5})");
}

FakeService::~FakeService()
{
    for (QTcpSocket* socket : m_server->findChildren<QTcpSocket*>())
        socket->disconnect(this); // Their ends come with the server's, when our members are gone.
}

QString FakeService::url() const
{
    return u"http://127.0.0.1:%1"_s.arg(m_server->serverPort());
}

void FakeService::on(const QByteArray& methodAndPath, Reply reply)
{
    m_handlers[methodAndPath] = [reply](const Request&) { return reply; };
}

void FakeService::on(const QByteArray& methodAndPath, std::function<Reply(const Request&)> handler)
{
    m_handlers[methodAndPath] = std::move(handler);
}

void FakeService::json(const QByteArray& methodAndPath, const QByteArray& body, int status)
{
    on(methodAndPath, Reply{status, body, {{"Content-Type", "application/json"}}});
}

void FakeService::problem(const QByteArray& methodAndPath, int status, const QByteArray& kind, const QByteArray& detail)
{
    on(methodAndPath,
        Reply{status,
            R"({"type":"about:blank","title":"Problem","status":)" + QByteArray::number(status) + R"(,"detail":")"
                + detail + R"(","kind":")" + kind + "\"}",
            {{"Content-Type", "application/problem+json"}}});
}

void FakeService::events(const QByteArray& first)
{
    on("GET /api/v1/events", Reply{200, first + '\n', {{"Content-Type", "application/x-ndjson"}}, true});
}

void FakeService::push(const QByteArray& line)
{
    for (const QPointer<QTcpSocket>& socket : std::as_const(m_streams))
        if (socket)
            socket->write(chunk(line + '\n'));
}

void FakeService::closeStreams(bool clean)
{
    for (const QPointer<QTcpSocket>& socket : std::exchange(m_streams, {}))
        if (socket) {
            if (clean)
                socket->write("0\r\n\r\n");
            socket->disconnectFromHost();
        }
}

QList<FakeService::Request> FakeService::requests(const QByteArray& methodAndPath) const
{
    QList<Request> fits;
    for (const Request& request : m_requests)
        if (request.method + ' ' + request.path() == methodAndPath)
            fits += request;
    return fits;
}

int FakeService::openStreams() const
{
    return int(std::count_if(m_streams.begin(), m_streams.end(), [](const auto& socket) { return !socket.isNull(); }));
}

void FakeService::read(QTcpSocket* socket)
{
    QByteArray& buffer = m_buffers[socket];
    buffer += socket->readAll();
    while (const std::optional<ReceivedRequest> received = takeRequest(buffer)) {
        const Request request{*received};
        m_requests += request;
        answer(socket, request);
        emit requested(request.method + ' ' + request.path());
    }
}

void FakeService::answer(QTcpSocket* socket, const Request& request)
{
    const QByteArray name = request.method + ' ' + request.path();
    Reply reply;
    if (request.path() != "/api/v1/health" && request.headers.value("authorization") != "Bearer " + m_token)
        reply = {401, R"({"status":401,"title":"Unauthorized","detail":"No token.","kind":"auth"})"};
    else if (const auto handler = m_handlers.value(name))
        reply = handler(request);
    else
        reply = {404,
            R"({"status":404,"title":"Not Found","detail":"There is nothing at )" + name + R"(.","kind":"not_found"})"};
    if (reply.hangUp) {
        socket->abort();
        return;
    }
    QByteArray head = "HTTP/1.1 " + QByteArray::number(reply.status) + " X\r\n";
    for (const auto& [header, value] : reply.headers)
        head += header + ": " + value + "\r\n";
    if (reply.stream) {
        socket->write(
            head + "Transfer-Encoding: chunked\r\n\r\n" + (reply.body.isEmpty() ? QByteArray() : chunk(reply.body)));
        m_streams += socket;
    } else {
        head += "Content-Length: " + QByteArray::number(reply.body.size()) + "\r\n\r\n";
        socket->write(request.method == "HEAD" ? head : head + reply.body); // which has the length, and no body
    }
}
