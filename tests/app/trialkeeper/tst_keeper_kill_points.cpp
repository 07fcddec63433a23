// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_fixture.h"
#include "keeper_tracer.h"

#include "app/trialkeeper/base/proc.h"

#include <csignal>

using json = nlohmann::json;
using At = KeeperTracer::At;

/// A keeper, its wrapper, or both are killed before each system call that they make for one trial. Whatever is told of the start,
/// the command runs at most once; it never runs where the agent said that nothing was started; and each trial comes to one end.
class TestKeeperKillPoints : public QObject
{
    Q_OBJECT

private slots:
    void eachCall_data();
    void eachCall();
    void agentDiesWhileTheStartIsUndecided();
    void anotherAgentComesAtEachCall();

private:
    static bool isGone(pid_t pid) { return pid <= 0 || !KeeperFixture::exists("/proc/" + std::to_string(pid)); }
    /// The agent has seen the death of its child: that signal was there before this question.
    static void askAgent(KeeperFixture& fixture)
    {
        fixture.agent->send({{"m", "ping"}, {"req", 900}});
        QCOMPARE(fixture.agent->waitForName("pong").name(), std::string("pong"));
    }
    static json specOf(const std::string& id, const std::string& marks)
    {
        return KeeperFixture::specOf(id, "echo x >> " + marks + "; exit 4");
    }
};

void TestKeeperKillPoints::eachCall_data()
{
    QTest::addColumn<At>("at");
    QTest::addColumn<bool>("keeper");
    QTest::addColumn<bool>("wrapper");
    QTest::addColumn<bool>("hold");
    QTest::newRow("keeper") << At::keeper << true << false << false;
    QTest::newRow("wrapper") << At::wrapper << false << true << false;
    QTest::newRow("keeper before the wrapper's call") << At::wrapper << true << false << true;
    QTest::newRow("both at the keeper's calls") << At::keeper << true << true << false;
    QTest::newRow("both at the wrapper's calls") << At::wrapper << true << true << false;
}

void TestKeeperKillPoints::eachCall()
{
    QFETCH(At, at);
    QFETCH(bool, keeper);
    QFETCH(bool, wrapper);
    QFETCH(bool, hold);
    KeeperFixture fixture;
    fixture.program = TRIALDECK_BIN_DIR "/trialkeeper"; // as it is used: sanitizers make calls of their own
    fixture.begin();
    int points = 0;
    int refused = 0;
    for (int call = 1;; ++call) {
        const std::string id = "k" + std::to_string(call);
        const std::string marks = fixture.folder.path().toStdString() + '/' + id;
        const QByteArray where = QByteArray("at call ") + QByteArray::number(call);
        auto tracer =
            std::make_unique<KeeperTracer>(fixture.agent->pid(), KeeperTracer::Plan{at, call, keeper, wrapper, hold});
        if (!tracer->isAttached())
            QSKIP("ptrace(2) is not allowed here");
        fixture.agent->send({{"m", "start"}, {"trials", json::array({specOf(id, marks)})}});
        AgentMessage reply;
        if (hold) {
            // The agent knows that the keeper is dead before its wrapper goes on.
            reply = fixture.agent->waitFor(
                [&](const AgentMessage& message) { return message.name() == "started" || tracer->isDone(); }, 1);
            while (reply.name().empty() && !tracer->isDone())
                reply = fixture.agent->waitForName("started", 1);
            if (tracer->isDone()) {
                askAgent(fixture);
                askAgent(fixture);
            }
            tracer->release();
            for (const AgentMessage& message : fixture.agent->passed)
                if (message.name() == "started")
                    reply = message;
        }
        if (reply.name().empty())
            reply = fixture.agent->waitForName("started");
        QVERIFY2(reply.json.is_object() && reply.json["results"].size() == 1, where);
        json result = reply.json["results"][0];
        if (result.contains("kind")) {
            // Nothing may come of it any more: then it is started anew.
            ++refused;
            tracer->release();
            QVERIFY2(KeeperFixture::eventually([&] { return isGone(tracer->keeper()) && isGone(tracer->wrapper()); }),
                where);
            QVERIFY2(trialkeeper::survivorsOf(fixture.trialPath(id) + "/metrics.jsonl").empty(), where);
            QVERIFY2(!KeeperFixture::exists(marks), where + " the command ran though its start was refused");
        }
        const bool reached = tracer->isReached();
        if (result.contains("kind")) {
            tracer.reset();
            result = fixture.start(specOf(id, marks));
            QVERIFY2(!result.contains("kind"), where + ' ' + result.dump().c_str());
        }
        if (result.value("repeat", false)) {
            fixture.agent->send({{"m", "adopt"}, {"trials", json::array({{{"id", id}}})}});
            const AgentMessage adopted = fixture.agent->waitForName("adopted");
            const std::string state = adopted.json["trials"][0]["state"];
            QVERIFY2(state == "running" || state == "ended", where + ' ' + state.c_str());
        }
        const json end = fixture.waitForEnd(id);
        QVERIFY2(end.contains("type"), where + " the trial has no end");
        const std::string ran = KeeperFixture::readFile(marks);
        if (end.value("exitCode", json()) == json(4))
            QVERIFY2(ran == "x\n", where + ' ' + ran.c_str());
        else
            QVERIFY2(wrapper && (ran.empty() || (keeper && ran == "x\n")), where + ' ' + end.dump().c_str());
        tracer.reset();
        fixture.agent->passed.clear();
        if (!reached)
            break; // it makes no more calls
        ++points;
    }
    qInfo() << points << "kill points," << refused << "starts refused";
    QVERIFY(points > 10);
}

void TestKeeperKillPoints::agentDiesWhileTheStartIsUndecided()
{
    // The wrapper has made no token yet: a trial in that state must not be called one that was not started.
    KeeperFixture fixture;
    fixture.program = TRIALDECK_BIN_DIR "/trialkeeper";
    fixture.begin();
    const std::string marks = fixture.folder.path().toStdString() + "/t1";
    auto tracer =
        std::make_unique<KeeperTracer>(fixture.agent->pid(), KeeperTracer::Plan{At::wrapper, 1, true, false, true});
    if (!tracer->isAttached())
        QSKIP("ptrace(2) is not allowed here");
    fixture.agent->send({{"m", "start"}, {"trials", json::array({specOf("t1", marks)})}});
    QVERIFY(KeeperFixture::eventually([&] { return tracer->isDone(); }));
    AgentProcess second(fixture.program, fixture.base);
    const json hello = second.takeOver(json::array({{{"id", "t1"}}}));
    QVERIFY(hello.is_object());
    QCOMPARE(hello["trials"][0]["state"].get<std::string>(), std::string("running"));
    QVERIFY(!KeeperFixture::exists(marks));
    tracer->release();
    const AgentMessage end =
        second.waitFor([](const AgentMessage& message) { return message.json.value("final", false); });
    QCOMPARE(end.json.value("exitCode", -1), 4);
    QCOMPARE(KeeperFixture::readFile(marks), std::string("x\n"));
    tracer.reset();
}

void TestKeeperKillPoints::anotherAgentComesAtEachCall()
{
    // The files that a keeper makes for its trial are there in part when the next agent takes the trial over.
    KeeperFixture fixture;
    fixture.program = TRIALDECK_BIN_DIR "/trialkeeper";
    int adopted = 0;
    for (int call = 1;; ++call) {
        fixture.begin();
        const std::string id = "a" + std::to_string(call);
        const QByteArray where = QByteArray("at call ") + QByteArray::number(call);
        auto tracer = std::make_unique<KeeperTracer>(
            fixture.agent->pid(), KeeperTracer::Plan{At::keeper, call, false, false, true});
        if (!tracer->isAttached())
            QSKIP("ptrace(2) is not allowed here");
        json spec =
            KeeperFixture::specOf(id, "echo said; echo '{\"metric\": 1}' >> \"$TRIALDECK_METRICS_FILE\"; exit 4");
        spec["stdoutMode"] = "all";
        fixture.agent->send({{"m", "start"}, {"trials", json::array({spec})}});
        QVERIFY(KeeperFixture::eventually(
            [&] { return tracer->isReached() || fixture.agent->waitForName("started", 1).name() == "started"; }));
        if (!tracer->isReached())
            break; // it makes no more calls before it has reported
        fixture.killAgent();
        const json hello = fixture.begin(json::array({{{"id", id}}}));
        QVERIFY2(hello.is_object() && hello["trials"].size() == 1, where);
        const bool isTaken = hello["trials"][0]["state"] == "running";
        tracer->release();
        if (isTaken) {
            ++adopted;
            const json end = fixture.waitForEnd(id);
            QVERIFY2(end.value("exitCode", -1) == 4, where + ' ' + end.dump().c_str());
            QCOMPARE(fixture.streamOf(id, "stdout"), std::string("said\n"));
            QCOMPARE(fixture.streamOf(id, "file"), std::string("{\"metric\": 1}\n"));
        }
        QVERIFY2(KeeperFixture::eventually([&] { return !KeeperFixture::alive(tracer->keeper()); }), where);
        tracer.reset();
    }
    qInfo() << adopted << "moments at which the trial was taken over";
    QVERIFY(adopted > 10);
}

QTEST_GUILESS_MAIN(TestKeeperKillPoints)
#include "tst_keeper_kill_points.moc"
