// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/transport/ssh/far_endpoint.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace transport;

class TestFarEndpoint : public QObject
{
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void isUsable_data();
    void isUsable();
};

void TestFarEndpoint::reads_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<bool>("found");
    QTest::addColumn<QString>("socket");
    QTest::addColumn<QString>("tokenFile");
    QTest::addColumn<qint64>("pid");
    const auto row = [](const char* name, const char* output, bool found, const QString& socket = {},
                         const QString& tokenFile = {}, qint64 pid = 0) {
        QTest::newRow(name) << QByteArray(output) << found << socket << tokenFile << pid;
    };
    const char* const plain =
        R"({"url": "http://127.0.0.1:8643", "tokenFile": "/d/token", "pid": 42, "socket": "/d/s"})";
    row("as it is written", plain, true, u"/d/s"_s, u"/d/token"_s, 42);
    row("greeted by the shell", QByteArray("Welcome to lab1\n").append(plain).constData(), true, u"/d/s"_s,
        u"/d/token"_s, 42);
    row("without a socket", R"({"url": "http://127.0.0.1:8643", "tokenFile": "/d/token", "pid": 42})", true, {},
        u"/d/token"_s, 42);
    row("a socket that is a number", R"({"socket": 7, "tokenFile": "/d/token", "pid": 42})", true, {}, u"/d/token"_s,
        42);
    row("a token file that is a list", R"({"socket": "/d/s", "tokenFile": ["/d/token"], "pid": 42})", true, u"/d/s"_s,
        {}, 42);
    row("a pid that is a text", R"({"socket": "/d/s", "tokenFile": "/d/token", "pid": "42"})", true, u"/d/s"_s,
        u"/d/token"_s);
    row("no object", R"(["/d/s"])", false);
    row("half", R"({"socket": "/d/s", "tok)", false);
    row("nothing", "", false);
}

void TestFarEndpoint::reads()
{
    QFETCH(QByteArray, output);
    QFETCH(bool, found);
    QFETCH(QString, socket);
    QFETCH(QString, tokenFile);
    QFETCH(qint64, pid);
    const auto read = parseFarEndpoint(output);
    QCOMPARE(read.has_value(), found);
    if (found)
        QCOMPARE(*read, (FarEndpoint{socket, tokenFile, pid}));
}

void TestFarEndpoint::isUsable_data()
{
    QTest::addColumn<FarEndpoint>("endpoint");
    QTest::addColumn<bool>("usable");
    QTest::newRow("as it should be") << FarEndpoint{u"/d/s"_s, u"/d/token"_s, 42} << true;
    QTest::newRow("no socket") << FarEndpoint{{}, u"/d/token"_s, 42} << false;
    QTest::newRow("relative") << FarEndpoint{u"d/s"_s, u"/d/token"_s, 42} << false;
    QTest::newRow("longest") << FarEndpoint{u'/' + QString(106, u'x'), u"/d/token"_s, 42} << true;
    QTest::newRow("too long") << FarEndpoint{u'/' + QString(107, u'x'), u"/d/token"_s, 42} << false;
    QTest::newRow("two lines") << FarEndpoint{u"/d/s"_s, u"/d/token\n/etc/x"_s, 42} << false;
    QTest::newRow("a NUL in it") << FarEndpoint{u"/d/s"_s + QChar(0) + u"x"_s, u"/d/token"_s, 42} << false;
}

void TestFarEndpoint::isUsable()
{
    QFETCH(FarEndpoint, endpoint);
    QFETCH(bool, usable);
    QCOMPARE(endpoint.isUsable(), usable);
}

QTEST_GUILESS_MAIN(TestFarEndpoint)
#include "tst_far_endpoint.moc"
