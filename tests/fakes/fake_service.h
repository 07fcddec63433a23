// SPDX-License-Identifier: GPL-3.0-or-later
// A service without an engine: scripted replies over real HTTP, for tests of its clients.
#pragma once

#include "received_request.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTcpSocket>

#include <functional>
#include <memory>

class QTcpServer;

class FakeService : public QObject
{
    Q_OBJECT
public:
    struct Request : ReceivedRequest
    {
        [[nodiscard]] QByteArray path() const
        {
            return target.left(target.indexOf('?') < 0 ? target.size() : target.indexOf('?'));
        }
        [[nodiscard]] QByteArray query() const
        {
            return target.indexOf('?') < 0 ? QByteArray() : target.mid(target.indexOf('?') + 1);
        }
    };
    struct Reply
    {
        int status = 200;
        QByteArray body;
        QList<std::pair<QByteArray, QByteArray>> headers;
        bool stream = false; ///< the body is the first piece of a chunked stream that stays open
        bool hangUp = false; ///< the connection is closed instead
    };

    explicit FakeService(QByteArray token = "secret");
    ~FakeService() override;

    [[nodiscard]] QString url() const;
    [[nodiscard]] QByteArray token() const { return m_token; }

    /// The reply to `METHOD /api/v1/path`; the query does not count. A later one for the same replaces it.
    void on(const QByteArray& methodAndPath, Reply reply);
    void on(const QByteArray& methodAndPath, std::function<Reply(const Request&)> handler);
    void json(const QByteArray& methodAndPath, const QByteArray& body, int status = 200);
    void problem(const QByteArray& methodAndPath, int status, const QByteArray& kind, const QByteArray& detail);
    /// GET /api/v1/events: `first` at once, then what push() gives.
    void events(const QByteArray& first = R"({"epoch":"x","revision":1})");
    /// One more line for every open stream.
    void push(const QByteArray& line);
    /// Ends all open streams, whole (`clean`) or in the middle.
    void closeStreams(bool clean);

    [[nodiscard]] const QList<Request>& requests() const { return m_requests; }
    /// The requests of that method and path.
    [[nodiscard]] QList<Request> requests(const QByteArray& methodAndPath) const;
    [[nodiscard]] int openStreams() const;

signals:
    void requested(const QByteArray& methodAndPath);

private:
    void read(QTcpSocket* socket);
    void answer(QTcpSocket* socket, const Request& request);

    QByteArray m_token;
    std::unique_ptr<QTcpServer> m_server;
    QHash<QByteArray, std::function<Reply(const Request&)>> m_handlers;
    QHash<QTcpSocket*, QByteArray> m_buffers;
    QList<QPointer<QTcpSocket>> m_streams;
    QList<Request> m_requests;
};
