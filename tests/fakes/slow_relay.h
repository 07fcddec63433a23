// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include <limits>

/// A loopback port in front of another one, far away: each piece arrives so much later. Answers can be held, as where a network dies
/// without a word: connections stay open, requests still arrive, and nothing comes back.
class SlowRelay : public QObject
{
public:
    SlowRelay(int target, int delayMs)
        : m_target(target)
        , m_delayMs(delayMs)
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket* socket = m_server.nextPendingConnection())
                carry(socket);
        });
        m_server.listen(QHostAddress::LocalHost);
    }
    [[nodiscard]] int port() const { return m_server.serverPort(); }
    /// So many bytes of answers still arrive, on all connections together; the rest waits for release().
    void holdAfter(qint64 bytes) { m_left = bytes; }
    void release()
    {
        m_left = everything;
        for (const auto& way : std::as_const(m_ways))
            pass(*way);
    }
    [[nodiscard]] bool holds() const { return m_left == 0; } ///< something was cut off, or nothing more may come

private:
    static constexpr qint64 everything = std::numeric_limits<qint64>::max();

    struct Way
    {
        QTcpSocket* to;
        bool isAnswer;
        QByteArray arrived; ///< on this side, and not passed on
    };

    void pass(Way& way)
    {
        const qint64 most = way.isAnswer ? std::min<qint64>(m_left, way.arrived.size()) : way.arrived.size();
        if (way.isAnswer && m_left != everything)
            m_left -= most;
        way.to->write(way.arrived.first(qsizetype(most)));
        way.arrived.remove(0, qsizetype(most));
    }

    void carry(QTcpSocket* near)
    {
        auto* far = new QTcpSocket(near);
        far->connectToHost(QStringLiteral("127.0.0.1"), quint16(m_target));
        for (const auto& [from, to] : {std::pair(near, far), std::pair(far, near)}) {
            const auto way = std::make_shared<Way>(Way{to, to == near, {}});
            m_ways.append(way);
            connect(from, &QTcpSocket::readyRead, this, [this, from = from, way] {
                QTimer::singleShot(m_delayMs, from, [this, way, bytes = from->readAll()] {
                    way->arrived += bytes;
                    pass(*way);
                });
            });
        }
        const auto end = [this, near, far] {
            m_ways.removeIf([near, far](const auto& way) { return way->to == near || way->to == far; });
            near->deleteLater();
        };
        connect(near, &QTcpSocket::disconnected, this, end);
        connect(far, &QTcpSocket::disconnected, this, end);
    }

    QList<std::shared_ptr<Way>> m_ways; ///< outlives the server, whose sockets end with it
    QTcpServer m_server;
    int m_target;
    int m_delayMs;
    qint64 m_left = everything;
};
