// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/exec_channels.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using transport::WebSocketMessage;
using transport::WebSocketOpcode;

class TestExecChannels : public QObject
{
    Q_OBJECT
private slots:
    void targets();
    void refusedTargets_data();
    void refusedTargets();
    void input();
    void output();
    void ends_data();
    void ends();
    void statusInPieces();
    void endlessStatus();
};

namespace {

WebSocketMessage binary(const QByteArray& payload)
{
    return {WebSocketOpcode::binary, payload};
}

} // namespace

void TestExecChannels::targets()
{
    const auto target = execTarget({u"ml"_s, u"t1-x7"_s, u"main"_s, {u"sh"_s, u"-c"_s, u"a && b=\"c\""_s}, true});
    QVERIFY(target);
    QCOMPARE(*target,
        "/api/v1/namespaces/ml/pods/t1-x7/exec?container=main&command=sh&command=-c&command=a%20%26%26%20b%3D%22c%22&stdin=true&stdout=true&stderr=true&tty=false"_ba);
    QCOMPARE(execProtocols(), (QList<QByteArray>{"v5.channel.k8s.io", "v4.channel.k8s.io"}));
    QVERIFY(endsInput("v5.channel.k8s.io") && !endsInput("v4.channel.k8s.io"));
}

void TestExecChannels::refusedTargets_data()
{
    QTest::addColumn<PodCommand>("command");
    QTest::newRow("no command") << PodCommand{u"ml"_s, u"p"_s, u"main"_s, {}, false};
    QTest::newRow("an empty program") << PodCommand{u"ml"_s, u"p"_s, u"main"_s, {QString()}, false};
    QTest::newRow("no pod") << PodCommand{u"ml"_s, {}, u"main"_s, {u"sh"_s}, false};
    QTest::newRow("no container") << PodCommand{u"ml"_s, u"p"_s, {}, {u"sh"_s}, false};
    QTest::newRow("a pod that leads elsewhere") << PodCommand{u"ml"_s, u"../x"_s, u"main"_s, {u"sh"_s}, false};
    QTest::newRow("no namespace") << PodCommand{{}, u"p"_s, u"main"_s, {u"sh"_s}, false};
}

void TestExecChannels::refusedTargets()
{
    QFETCH(PodCommand, command);
    const auto target = execTarget(command);
    QVERIFY(!target);
    QCOMPARE(target.error().kind, Kind::invalid);
}

void TestExecChannels::input()
{
    QCOMPARE(inputMessage("abc"), QByteArray("\0abc", 4));
    QCOMPARE(endOfInputMessage(), QByteArray("\xff\0", 2));
}

void TestExecChannels::output()
{
    ExecChannels channels;
    const auto shown = [&](const WebSocketMessage& message) {
        const ExecChannels::Output taken = channels.take(message);
        return taken.output + '|' + taken.errors;
    };
    QCOMPARE(shown(binary("\1")), "|"_ba); // the server's first one
    QCOMPARE(shown(binary("\1out")), "out|"_ba);
    QCOMPARE(shown(binary("\2err")), "|err"_ba);
    QCOMPARE(shown(binary(QByteArray("\1\0\1", 3))), QByteArray("\0\1|", 3));
    QCOMPARE(shown(binary({})), "|"_ba);
    QCOMPARE(shown(binary("\7x")), "|"_ba);
    QCOMPARE(shown(binary("\xff\1")), "|"_ba);
    QCOMPARE(shown({WebSocketOpcode::text, "\1out"}), "|"_ba);
    QCOMPARE(shown({WebSocketOpcode::close, "\1out"}), "|"_ba);
    QVERIFY(!channels.end());
}

void TestExecChannels::ends_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QString>("end"); ///< empty: not known
    const auto nonZero = [](const QByteArray& code) {
        return R"({"metadata":{},"status":"Failure","reason":"NonZeroExitCode","message":"command terminated","details":{"causes":[{"reason":"Other","message":"9"},{"reason":"ExitCode","message":")"
            + code + R"("}]}})";
    };
    QTest::newRow("success") << R"({"metadata":{},"status":"Success"})"_ba << u"0"_s;
    QTest::newRow("three") << nonZero("3") << u"3"_s;
    QTest::newRow("by a signal") << nonZero("137") << u"137"_s;
    QTest::newRow("no exit code") << nonZero("many") << u"platform"_s;
    QTest::newRow("zero is none of a failure") << nonZero("0") << u"platform"_s;
    QTest::newRow("too large") << nonZero("256") << u"platform"_s;
    QTest::newRow("no such container")
        << R"({"metadata":{},"status":"Failure","reason":"InternalError","message":"container not found","code":500})"_ba
        << u"platform"_s;
    QTest::newRow("gone")
        << R"({"kind":"Status","status":"Failure","reason":"NotFound","message":"no pod","code":404})"_ba
        << u"not_found"_s;
    QTest::newRow("half") << R"({"metadata":{},"sta)"_ba << QString();
    QTest::newRow("words") << "error: stream closed"_ba << QString();
    QTest::newRow("nothing") << QByteArray() << QString();
}

void TestExecChannels::ends()
{
    QFETCH(QByteArray, status);
    QFETCH(QString, end);
    ExecChannels channels;
    QVERIFY(channels.take(binary("\3" + status)).output.isEmpty());
    const auto ended = channels.end();
    QCOMPARE(!ended ? QString() : *ended ? QString::number(**ended) : kindName(ended->error().kind), end);
}

void TestExecChannels::statusInPieces()
{
    ExecChannels channels;
    const QByteArray status = R"({"metadata":{},"status":"Success"})";
    for (qsizetype i = 0; i < status.size(); ++i) {
        QVERIFY(!channels.end());
        QVERIFY(channels.take(binary("\3" + status.mid(i, 1))).output.isEmpty());
    }
    QCOMPARE(channels.end()->value(), 0);
}

void TestExecChannels::endlessStatus()
{
    ExecChannels channels;
    for (int i = 0; i < 100; ++i)
        QVERIFY(channels.take(binary("\3" + QByteArray(10'000, ' '))).output.isEmpty());
    QVERIFY(channels.take(binary("\3{\"status\":\"Success\"}")).output.isEmpty());
    QVERIFY(!channels.end()); // what is over the limit is not kept
}

QTEST_APPLESS_MAIN(TestExecChannels)
#include "tst_exec_channels.moc"
