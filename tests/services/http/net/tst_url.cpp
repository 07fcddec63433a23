// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/http/net/url.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace http;

class TestUrl : public QObject
{
    Q_OBJECT
private slots:
    void paths_data();
    void paths();
    void queries();
    void refusals_data();
    void refusals();
};

void TestUrl::paths_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QStringList>("wanted"); // empty: refused
    QTest::newRow("plain") << QByteArray("/api/v1/trials") << QStringList{u"api"_s, u"v1"_s, u"trials"_s};
    QTest::newRow("escapes") << QByteArray("/a%20b/%C3%A9") << QStringList{u"a b"_s, u"é"_s};
    QTest::newRow("plus stays") << QByteArray("/a+b") << QStringList{u"a+b"_s};
    QTest::newRow("escaped slash") << QByteArray("/a%2Fb/c") << QStringList{u"a/b"_s, u"c"_s};
    for (const char* bad : {"", "*", "api", "http://localhost/x", "//a", "/a/", "/a//b", "/a/../b", "/a/./b",
             "/%2e%2e/b", "/%2e/b", "/a%0", "/a%zz", "/a%00b", "/a%0Ab", "/%ff", "/%c3"})
        QTest::newRow(bad) << QByteArray(bad) << QStringList{};
}

void TestUrl::paths()
{
    QFETCH(QByteArray, path);
    QFETCH(QStringList, wanted);
    QCOMPARE(pathSegments(path).has_value(), !wanted.isEmpty());
    QCOMPARE(pathSegments(path).value_or(QStringList()), wanted);
    QCOMPARE(pathSegments("/"), QStringList());
}

void TestUrl::queries()
{
    Query query("a=x%20y+z&n=12&flag=true&list=1,2&list=3&&e=");
    QString text;
    qint64 number = 0;
    std::optional<qint64> absent;
    bool flag = false;
    QStringList list;
    query.read("a", text);
    query.read("n", number, 1, 12);
    query.read("missing", absent, 0, 5);
    query.read("flag", flag);
    query.read("list", list);
    QCOMPARE(text, u"x y z"_s);
    QCOMPARE(number, 12);
    QVERIFY(!absent);
    QVERIFY(flag);
    QCOMPARE(list, (QStringList{u"1"_s, u"2"_s, u"3"_s}));
    // `e` was never read.
    QVERIFY(!query.finish());
    QCOMPARE(query.finish().error().message, u"Unknown parameter \"e\"."_s);
}

void TestUrl::refusals_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("no number") << QByteArray("n=x") << u"must be a whole number from 1 to 10"_s;
    QTest::newRow("too large") << QByteArray("n=11") << u"must be a whole number from 1 to 10"_s;
    QTest::newRow("too small") << QByteArray("n=0") << u"must be a whole number from 1 to 10"_s;
    QTest::newRow("fraction") << QByteArray("n=1.5") << u"must be a whole number"_s;
    QTest::newRow("twice") << QByteArray("n=1&n=2") << u"given twice"_s;
    QTest::newRow("bool") << QByteArray("flag=maybe") << u"true or false"_s;
    QTest::newRow("empty") << QByteArray("a=") << u"is empty"_s;
    QTest::newRow("escape") << QByteArray("a=%4") << u"broken %-escape"_s;
    QTest::newRow("utf-8") << QByteArray("a=%ff") << u"invalid UTF-8"_s;
}

void TestUrl::refusals()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    Query query(text);
    QString a;
    qint64 n = 1;
    bool flag = false;
    query.read("a", a);
    query.read("n", n, 1, 10);
    query.read("flag", flag);
    const auto done = query.finish();
    QVERIFY(!done);
    QVERIFY2(done.error().message.contains(says), qPrintable(done.error().message));
}

QTEST_GUILESS_MAIN(TestUrl)
#include "tst_url.moc"
