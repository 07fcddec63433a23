// SPDX-License-Identifier: GPL-3.0-or-later
// The probe of a test job, with the programs that an image may have.
#include "services/core/logging.h"
#include "services/platforms/cluster/post_probe.h"
#include "services/trial/ingest_token.h"
#include "tests/services/platforms/recording_sink.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;

static const QByteArray mark = "0123456789-abcdefghij_";

class TestPostProbe : public QObject
{
    Q_OBJECT
private slots:
    void tools_data();
    void tools();
    void brokenPython();
    void exitCodes();
    void keepsWhatItFound();

private:
    /// How the command ends with only these programs in PATH.
    int runWith(const QStringList& programs, const QString& url);
};

int TestPostProbe::runWith(const QStringList& programs, const QString& url)
{
    QTemporaryDir folder;
    for (const QString& program : programs)
        if (!QFile::link(QStandardPaths::findExecutable(program, {u"/usr/bin"_s, u"/bin"_s}), folder.filePath(program)))
            return -2;
    QProcessEnvironment environment;
    environment.insert(u"PATH"_s, folder.path());
    QProcess shell;
    shell.setProcessEnvironment(environment);
    shell.start(u"/bin/sh"_s, {u"-c"_s, postProbeCommand({url, mark})});
    while (shell.state() != QProcess::NotRunning)
        QTest::qWait(10); // the server is of this thread
    if (shell.exitStatus() != QProcess::NormalExit || !shell.readAllStandardOutput().isEmpty())
        return -1;
    return shell.exitCode();
}

void TestPostProbe::tools_data()
{
    QTest::addColumn<QStringList>("programs");
    QTest::newRow("python3") << QStringList{u"python3"_s};
    QTest::newRow("curl") << QStringList{u"curl"_s};
    QTest::newRow("bash") << QStringList{u"bash"_s, u"timeout"_s, u"cat"_s};
    QTest::newRow("all") << QStringList{u"python3"_s, u"curl"_s, u"bash"_s, u"timeout"_s, u"cat"_s};
    QTest::newRow("none") << QStringList{};
}

void TestPostProbe::tools()
{
    QFETCH(QStringList, programs);
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const QString url = u"http://127.0.0.1:%1/a way/$(exit 7)'"_s.arg(server.serverPort());
    QByteArray body;
    QByteArray status = "200 OK";
    QByteArray asked;
    connect(&server, &QTcpServer::newConnection, this, [&] {
        QTcpSocket* const socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, socket, [&, socket] {
            if (!socket->peek(8'192).contains("\r\n\r\n"))
                return;
            asked = socket->readAll();
            socket->write("HTTP/1.1 " + status
                + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                + QByteArray::number(body.size()) + "\r\n\r\n" + body);
            socket->disconnectFromHost();
        });
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    });
    const auto found = [&] { return postReachOf(runWith(programs, url)); };
    if (programs.isEmpty()) {
        QVERIFY(found() == PostReach::untried);
        return;
    }
    body = "{\"mark\":\"" + mark + "\"}";
    QVERIFY(found() == PostReach::reached);
    QVERIFY2(asked.startsWith("GET /a%20way/$(exit%207)'/ingest/v1 HTTP/1.1\r\n"), asked.constData());
    QVERIFY2(asked.toLower().contains("\r\nhost: 127.0.0.1"), asked.constData());
    body = "{\"mark\":\"another service's mark\"}";
    QVERIFY(found() == PostReach::another);
    body = {};
    status = "404 Not Found";
    QVERIFY(found() == PostReach::another);
    server.close();
    QVERIFY(found() == PostReach::silent);
    QVERIFY(postReachOf(runWith(programs, u"http://no-such-name.invalid:8650"_s)) == PostReach::silent);
}

/// What is called python3 need not be one.
void TestPostProbe::brokenPython()
{
    QTemporaryDir folder;
    QFile script(folder.filePath(u"python3"_s));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\nexit 1\n");
    script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    script.close();
    QProcessEnvironment environment;
    environment.insert(u"PATH"_s, folder.path());
    QProcess shell;
    shell.setProcessEnvironment(environment);
    shell.start(u"/bin/sh"_s, {u"-c"_s, postProbeCommand({u"https://127.0.0.1:1"_s, mark})});
    QVERIFY(shell.waitForFinished());
    QVERIFY(postReachOf(shell.exitCode()) == PostReach::untried);
}

void TestPostProbe::exitCodes()
{
    for (const int code : {1, 2, 40, 45, 126, 127, 137, -1})
        QVERIFY(postReachOf(code) == std::nullopt);
    QVERIFY(postReachOf(43) == PostReach::untrusted);
}

void TestPostProbe::keepsWhatItFound()
{
    QTemporaryDir folder;
    platform_test::RecordingSink sink;
    Context context;
    context.id = PlatformId(u"lab"_s);
    context.sink = &sink;
    context.dataDir = folder.path();
    context.cluster = "here";
    const PostProbe probe(&context);
    QCOMPARE(probe.command(), u"exit 0"_s); // posts are not taken at all
    QVERIFY(probe.reachOf(0) == std::nullopt);
    context.posts = {u"http://here:1"_s, mark};
    QVERIFY(probe.command().contains(QString::fromLatin1(mark)));
    QVERIFY(probe.reachOf(std::nullopt) == std::nullopt);
    QVERIFY(probe.reachOf(1) == std::nullopt);
    QVERIFY(!probe.hasFailed());

    TrialSpec spec;
    spec.environment = {{trial::ingestUrlVariable, u"u"_s}, {trial::ingestTokenVariable, u"t"_s}, {u"OTHER"_s, u"o"_s}};
    const auto told = [&] {
        QList<TrialSpec> specs{spec};
        withholdPosts(PostProbe(&context), specs);
        return int(specs.first().environment.size());
    };
    CheckSteps steps(OperationId(u"r"_s), &sink);
    const auto find = [&](PostReach reach) {
        sink.findings.clear();
        probe.report(reach, steps);
        return sink.findings.size() == 1 ? sink.findings.first() : CheckStep();
    };
    QCOMPARE(told(), 3);
    for (const PostReach reach : {PostReach::silent, PostReach::another, PostReach::untrusted}) {
        const CheckStep step = find(reach);
        QCOMPARE(step.state, CheckState::warn);
        QVERIFY(!step.remedy.isEmpty());
        QVERIFY(step.detail.text().contains(u"http://here:1"_s));
        QVERIFY(probe.hasFailed());
        QCOMPARE(told(), 1);
    }
    QVERIFY(steps.all());
    context.posts.url = u"http://there:1"_s;
    QVERIFY(!probe.hasFailed()); // that was another address
    context.posts.url = u"http://here:1"_s;
    QVERIFY(probe.hasFailed());
    context.cluster = "there";
    QVERIFY(!probe.hasFailed()); // that was another cluster: the settings changed, or a form checked others
    QCOMPARE(told(), 3);
    context.cluster = "here";
    QVERIFY(probe.hasFailed());
    QCOMPARE(find(PostReach::untried).state, CheckState::warn);
    QCOMPARE(told(), 3);
    QVERIFY(find(PostReach::silent).state == CheckState::warn && probe.hasFailed());
    QCOMPARE(find(PostReach::reached).state, CheckState::ok);
    QVERIFY(!probe.hasFailed());

    // A file that cannot be read counts as no result, so the address is passed on.
    const QString file = folder.filePath(u"platforms/lab/posts.json"_s);
    for (const QByteArray& text : {QByteArray(), QByteArray("{"), QByteArray("[]"), QByteArray(10'000, ' '),
             QByteArray(R"({"url":"http://here:1","cluster":"here","isReached":0})"),
             QByteArray(R"({"url":"http://here:1","isReached":false})"),
             QByteArray(R"({"url":1,"cluster":"here","isReached":false})"), QByteArray("{\"isReached\":false}")}) {
        QFile kept(file);
        QVERIFY(kept.open(QIODevice::WriteOnly | QIODevice::Truncate));
        kept.write(text);
        kept.close();
        QVERIFY2(!probe.hasFailed(), text.constData());
    }
    // Where it cannot be kept it is still reported.
    QVERIFY(QDir(folder.filePath(u"platforms"_s)).removeRecursively());
    QFile blocked(folder.filePath(u"platforms"_s));
    QVERIFY(blocked.open(QIODevice::WriteOnly));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"not kept"_s));
    QCOMPARE(find(PostReach::silent).state, CheckState::warn);
}

QTEST_GUILESS_MAIN(TestPostProbe)
#include "tst_post_probe.moc"
