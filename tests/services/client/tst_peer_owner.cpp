// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/client/peer_owner.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

#include <sys/socket.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace client;

/// The columns of /proc/net/tcp; the last lines of each case are those of the connection 127.0.0.1:50000 -> :8643.
class TestPeerOwner : public QObject
{
    Q_OBJECT
private slots:
    void owners_data();
    void owners();
    void oddTables_data();
    void oddTables();
    void ofThisComputer();
    void unixPeers();
    void loopback();

private:
    static QByteArray line(const char* local, const char* remote, const char* state, int uid, int inode)
    {
        return QByteArray("   0: ") + local + ' ' + remote + ' ' + state + " 00000000:00000000 00:00000000 00000000 "
            + QByteArray::number(uid) + "        0 " + QByteArray::number(inode)
            + " 1 0000000000000000 20 4 30 10 -1\n";
    }
    static constexpr char four[] = "0100007F:21C3";
    static constexpr char ours[] = "0100007F:C350";
    static constexpr char mapped[] = "0000000000000000FFFF00000100007F:21C3";
    static constexpr char mappedOurs[] = "0000000000000000FFFF00000100007F:C350";
    static constexpr char none[] = "00000000:0000";
};

void TestPeerOwner::owners_data()
{
    QTest::addColumn<QByteArray>("tables");
    QTest::addColumn<QSet<uint>>("owners");
    const QByteArray head =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
    const QByteArray listens = line(four, none, "0A", 1000, 11);
    const QByteArray ourEnd = line(ours, four, "01", 7, 12);
    QTest::newRow("accepted") << head + listens + ourEnd + line(four, ours, "01", 1001, 13) << QSet<uint>{1001};
    QTest::newRow("by another than who listens now")
        << head + listens + line(four, ours, "01", 1002, 13) << QSet<uint>{1002};
    QTest::newRow("waits") << head + listens + line(four, ours, "01", 0, 0) << QSet<uint>{1000};
    QTest::newRow("waits, two listen") << head + listens + line("00000000:21C3", none, "0A", 1003, 14)
            + line(four, ours, "01", 0, 0)
                                       << QSet<uint>{1000, 1003};
    QTest::newRow("waits, other address listens") << head + line("0200007F:21C3", none, "0A", 1003, 14) + listens
            + line(four, ours, "01", 0, 0) << QSet<uint>{1000};
    QTest::newRow("a service of both families")
        << head + line("00000000000000000000000000000000:21C3", "00000000000000000000000000000000:0000", "0A", 5, 1)
            + line(mapped, mappedOurs, "01", 0, 0)
        << QSet<uint>{5};
    QTest::newRow("only our own end") << head + listens + ourEnd << QSet<uint>{};
    QTest::newRow("another connection") << head + listens + line(four, "0100007F:C351", "01", 1001, 13) << QSet<uint>{};
    QTest::newRow("another port") << head + listens + line("0100007F:21C4", ours, "01", 1001, 13) << QSet<uint>{};
    QTest::newRow("empty") << QByteArray() << QSet<uint>{};
}

void TestPeerOwner::owners()
{
    QFETCH(QByteArray, tables);
    QFETCH(QSet<uint>, owners);
    QCOMPARE(ownersOfConnection(tables, {"127.0.0.1", 8643}, {"127.0.0.1", 50000}), owners);
}

void TestPeerOwner::oddTables_data()
{
    QTest::addColumn<QByteArray>("tables");
    QTest::newRow("cut") << line(four, ours, "01", 1001, 13).first(60);
    QTest::newRow("no colon") << QByteArray("0: 0100007F 0100007F 01 0 0 0 1001 0 13\n");
    QTest::newRow("no number") << line(four, ours, "01", 1001, 13).replace("1001", "root");
    QTest::newRow("bytes") << QByteArray("\0\xff\n: : : : : : : : : : :\n", 26);
}

void TestPeerOwner::oddTables()
{
    QFETCH(QByteArray, tables);
    QVERIFY(ownersOfConnection(tables, {"127.0.0.1", 8643}, {"127.0.0.1", 50000}).isEmpty());
    QVERIFY(ownersOfConnection(tables, {"no address", 8643}, {"", 50000}).isEmpty());
}

void TestPeerOwner::ofThisComputer()
{
    for (const QHostAddress::SpecialAddress place :
        {QHostAddress::LocalHost, QHostAddress::LocalHostIPv6, QHostAddress::Any}) {
        QTcpServer server;
        if (!server.listen(place))
            continue; // a computer without IPv6
        const QHostAddress target = place == QHostAddress::Any ? QHostAddress::LocalHost : server.serverAddress();
        QTcpSocket socket;
        socket.connectToHost(target, server.serverPort());
        QVERIFY(socket.waitForConnected());
        const auto owners = [&] {
            return ownersOfConnection(connectionTables(), {target.toString().toLatin1(), server.serverPort()},
                {socket.localAddress().toString().toLatin1(), socket.localPort()});
        };
        QCOMPARE(owners(), QSet<uint>{getuid()}); // nobody has accepted it yet
        QVERIFY(server.waitForNewConnection(5'000));
        QCOMPARE(owners(), QSet<uint>{getuid()});
    }
}

void TestPeerOwner::unixPeers()
{
    int ends[2];
    QCOMPARE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    QCOMPARE(ownerOfUnixPeer(ends[0]), std::optional<uint>(getuid()));
    close(ends[0]);
    close(ends[1]);
    QVERIFY(!ownerOfUnixPeer(ends[0]));
}

void TestPeerOwner::loopback()
{
    for (const char* host : {"localhost", "127.0.0.1", "127.8.9.1", "::1"})
        QVERIFY2(isLoopback(QString::fromLatin1(host)), host);
    for (const char* host : {"", "10.0.0.1", "0.0.0.0", "localhost.evil.example", "127.0.0.1.evil.example", "::2"})
        QVERIFY2(!isLoopback(QString::fromLatin1(host)), host);
}

QTEST_GUILESS_MAIN(TestPeerOwner)
#include "tst_peer_owner.moc"
