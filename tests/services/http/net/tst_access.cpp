// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/http/net/access.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace http;

class TestAccess : public QObject
{
    Q_OBJECT
private slots:
    void hosts_data();
    void hosts();
    void origins();
    void sites();
    void tokens_data();
    void tokens();
    void severalTokens();

private:
    static TokenRecord record(const QString& name, Scope scope, const QByteArray& token)
    {
        return {name, scope, tokenHash(token), 0, {}};
    }
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
    // What another reader could take for the end of the name.
    row("localhost:", false, false);
    row("localhost:+80", false, false);
    row("localhost: 80", false, false);
    row("localhost:80\n", false, false);
    QTest::newRow("NUL in an address") << QByteArray("127.0.0.1\0.evil.example", 23) << false << false;
    QTest::newRow("NUL in an address of six") << QByteArray("[::1\0.evil.example]", 19) << false << false;
}

void TestAccess::hosts()
{
    QFETCH(QByteArray, host);
    QFETCH(bool, loopback);
    QFETCH(bool, beyond);
    QCOMPARE(Access({}, {u"lab.example"_s}, false, false).acceptsHost(host), loopback);
    QCOMPARE(Access({}, {u"lab.example"_s}, true, false).acceptsHost(host), beyond);
}

void TestAccess::origins()
{
    const Access plain({}, {}, false, false);
    QVERIFY(plain.acceptsOrigin("http://localhost:8643", "localhost:8643"));
    QVERIFY(!plain.acceptsOrigin("http://localhost:8644", "localhost:8643"));
    QVERIFY(!plain.acceptsOrigin("https://localhost:8643", "localhost:8643"));
    QVERIFY(!plain.acceptsOrigin("http://evil.example", "localhost:8643"));
    QVERIFY(!plain.acceptsOrigin("null", "localhost:8643"));
    QVERIFY(Access({}, {}, false, true).acceptsOrigin("https://localhost:8643", "localhost:8643"));
}

void TestAccess::sites()
{
    QVERIFY(Access::acceptsSite("same-origin"));
    QVERIFY(Access::acceptsSite("none"));
    for (const char* other : {"cross-site", "same-site", "", "SAME-ORIGIN", "none, cross-site"})
        QVERIFY2(!Access::acceptsSite(other), other);
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
    const Access access({record(u"owner"_s, Scope::admin, "secret")}, {}, false, false);
    const std::optional<Caller> caller = access.caller(authorization, 1);
    QCOMPARE(caller.has_value(), good);
    QVERIFY(!good || (caller->name == u"owner" && caller->scope == Scope::admin));
    // Without tokens none is accepted.
    QVERIFY(!Access({}, {}, false, false).caller(authorization, 1));
}

void TestAccess::severalTokens()
{
    TokenRecord brief = record(u"brief"_s, Scope::run, "b");
    brief.expiryTime = 100;
    Access access(
        {record(u"owner"_s, Scope::admin, "a"), brief, record(u"reader"_s, Scope::read, "c")}, {}, false, false);
    QCOMPARE(access.caller("Bearer b", 99)->name, u"brief"_s);
    QVERIFY(access.caller("Bearer b", 99)->scope == Scope::run);
    QVERIFY(!access.caller("Bearer b", 100));
    QCOMPARE(access.caller("Bearer c", 100)->name, u"reader"_s);
    access.setTokens({brief});
    QVERIFY(!access.caller("Bearer a", 0));
    // A record without a hash, or with one of another length, matches nothing.
    TokenRecord empty = record(u"empty"_s, Scope::admin, "x");
    empty.sha256.clear();
    TokenRecord cut = record(u"cut"_s, Scope::admin, "x");
    cut.sha256.truncate(8);
    access.setTokens({empty, cut});
    for (const char* text : {"Bearer x", "Bearer ", ""})
        QVERIFY(!access.caller(text, 0));
}

QTEST_GUILESS_MAIN(TestAccess)
#include "tst_access.moc"
