// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>

#include <utility>

/// A loopback port in front of another one. Each connection may carry so many bytes, both ways together, and is then cut in the
/// middle of whatever travels. One that ends before leaves the rest to the next.
class CuttingRelay : public QObject
{
public:
    /// `budgets` of the connections in their order; those that follow carry everything.
    CuttingRelay(int target, QList<qint64> budgets)
        : m_target(target)
        , m_budgets(std::move(budgets))
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket* socket = m_server.nextPendingConnection())
                carry(socket);
        });
        m_server.listen(QHostAddress::LocalHost);
    }
    [[nodiscard]] int port() const { return m_server.serverPort(); }
    [[nodiscard]] int cuts() const { return m_cuts; }

private:
    void carry(QTcpSocket* near)
    {
        auto* far = new QTcpSocket(near);
        auto left = std::make_shared<qint64>(m_budgets.isEmpty() ? -1 : m_budgets.takeFirst());
        far->connectToHost(QStringLiteral("127.0.0.1"), quint16(m_target));
        const auto pass = [this, near, left](QTcpSocket* from, QTcpSocket* to) {
            QByteArray bytes = from->readAll();
            if (*left >= 0) {
                const bool isLast = bytes.size() >= *left;
                bytes.truncate(*left);
                *left -= bytes.size();
                to->write(bytes);
                if (isLast) {
                    ++m_cuts;
                    to->flush();
                    near->disconnect(this);
                    near->deleteLater(); // with its child: both ends are reset
                }
                return;
            }
            to->write(bytes);
        };
        connect(near, &QTcpSocket::readyRead, this, [near, far, pass] { pass(near, far); });
        connect(far, &QTcpSocket::readyRead, this, [near, far, pass] { pass(far, near); });
        for (QTcpSocket* end : {near, far}) {
            connect(end, &QTcpSocket::disconnected, this, [this, left] {
                if (*left > 0)
                    m_budgets.prepend(std::exchange(*left, -1));
            });
            connect(end, &QTcpSocket::disconnected, near, &QObject::deleteLater);
        }
    }

    int m_target;
    QList<qint64> m_budgets;
    int m_cuts = 0;
    QTcpServer m_server; // the last one: its connections end with it
};
