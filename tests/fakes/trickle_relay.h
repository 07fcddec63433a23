// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>
#include <utility>

/// A loopback port in front of another one, at the end of a very thin wire: so many bytes a second each way.
class TrickleRelay : public QObject
{
public:
    TrickleRelay(int target, int bytesPerSecond, int tickMs = 1'000)
        : m_target(target)
        , m_step(std::max(1, bytesPerSecond * tickMs / 1'000))
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket* socket = m_server.nextPendingConnection())
                carry(socket);
        });
        connect(&m_tick, &QTimer::timeout, this, [this, bytesPerSecond] {
            // By the clock: a tick that comes late is made good.
            const qint64 due = m_time.elapsed() * bytesPerSecond / 1'000;
            const qint64 most = due - std::exchange(m_due, due);
            for (const auto& [from, to] : m_ways)
                to->write(from->read(most));
        });
        m_time.start();
        m_server.listen(QHostAddress::LocalHost);
        m_tick.start(tickMs);
    }
    [[nodiscard]] int port() const { return m_server.serverPort(); }
    [[nodiscard]] int connections() const { return m_connections; } ///< that ever were

private:
    void carry(QTcpSocket* near)
    {
        ++m_connections;
        auto* far = new QTcpSocket(near);
        far->setReadBufferSize(4 * m_step); // there is something to make a late tick good with
        near->setReadBufferSize(4 * m_step);
        far->connectToHost(QStringLiteral("127.0.0.1"), quint16(m_target));
        m_ways.emplaceBack(near, far);
        m_ways.emplaceBack(far, near);
        const auto end = [this, near, far] {
            m_ways.removeIf([near, far](const auto& way) { return way.first == near || way.first == far; });
            near->deleteLater();
        };
        connect(near, &QTcpSocket::disconnected, this, end);
        connect(far, &QTcpSocket::disconnected, this, end);
    }

    QList<std::pair<QTcpSocket*, QTcpSocket*>> m_ways; ///< outlives the server, whose sockets end with it
    QTcpServer m_server;
    QTimer m_tick;
    QElapsedTimer m_time;
    qint64 m_due = 0; ///< bytes each way, up to the last tick
    int m_target;
    int m_step;
    int m_connections = 0;
};
