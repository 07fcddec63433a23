// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/http/net/access.h"

#include <QTest>

using namespace Qt::StringLiterals;
using http::Access;

class TestAccess : public QObject
{
    Q_OBJECT
private slots:
    void hosts_data();
    void hosts();
    void origins();
    void tokens_data();
    void tokens();
};

void TestAccess::hosts_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<bool>("loopback");
    QTest::addColumn<bool>("beyond");
    const auto row = [](const char* host, bool loopback, bool beyond) {
        QTest::newRow(host) << QByteArray(host) << loopback << beyond;
    };
    row("localhost", true, true);
    row("LOCALHOST:8643", true, true);
    row("127.0.0.1:1", true, true);
    row("127.1.2.3", true, true);
    row("[::1]:8643", true, true);
    row("[::1]", true, true);
    row("lab.example", true, true); // configured
    row("Lab.Example:8643", true, true);
    row("10.0.0.5:8643", false, true); // an address cannot be rebound
    row("[fe80::1]", false, true);
    row("evil.example", false, false);
    row("localhost.evil.example", false, false);
    row("127.0.0.1.evil.example", false, false);
    row("localhost:x", false, false);
    row("localhost:99999", false, false);
    row("[::1", false, false);
    row("[::1]x", false, false);
    row("", false, false);
}

void TestAccess::hosts()
{
    QFETCH(QByteArray, host);
    QFETCH(bool, loopback);
    QFETCH(bool, beyond);
    QCOMPARE(Access("t", {u"lab.example"_s}, false, false).acceptsHost(host), loopback);
    QCOMPARE(Access("t", {u"lab.example"_s}, true, false).acceptsHost(host), beyond);
}

void TestAccess::origins()
{
    const Access plain("t", {}, false, false);
    QVERIFY(plain.acceptsOrigin("http://localhost:8643", "localhost:8643"));
    QVERIFY(!plain.acceptsOrigin("http://localhost:8644", "localhost:8643"));
    QVERIFY(!plain.acceptsOrigin("https://localhost:8643", "localhost:8643"));
    QVERIFY(!plain.acceptsOrigin("http://evil.example", "localhost:8643"));
    QVERIFY(!plain.acceptsOrigin("null", "localhost:8643"));
    QVERIFY(Access("t", {}, false, true).acceptsOrigin("https://localhost:8643", "localhost:8643"));
}

void TestAccess::tokens_data()
{
    QTest::addColumn<QByteArray>("authorization");
    QTest::addColumn<bool>("good");
    const auto row = [](const char* text, bool good) { QTest::newRow(text) << QByteArray(text) << good; };
    row("Bearer secret", true);
    row("bearer secret", true);
    row("Bearer  secret ", true);
    row("", false);
    row("Bearer", false);
    row("Bearer ", false);
    row("Bearer secre", false);
    row("Bearer secret2", false);
    row("Basic secret", false);
    row("secret", false);
}

void TestAccess::tokens()
{
    QFETCH(QByteArray, authorization);
    QFETCH(bool, good);
    QCOMPARE(Access("secret", {}, false, false).acceptsAuthorization(authorization), good);
    QVERIFY(
        !Access({}, {}, false, false).acceptsAuthorization(authorization)); // no token configured: no one is accepted
}

QTEST_GUILESS_MAIN(TestAccess)
#include "tst_access.moc"
