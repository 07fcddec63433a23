// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_fixture.h"

#include "app/trialkeeper/base/io.h"

#include <QElapsedTimer>

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using json = nlohmann::json;

/// Trials from start to end, on the real program.
class TestKeeperTrials : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_fixture = std::make_unique<KeeperFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void greets();
    void refusesWrongHello_data();
    void refusesWrongHello();
    void startsAndFinishes();
    void tellsTheEnd_data();
    void tellsTheEnd();
    void givesWhatATrialSees();
    void inheritsNoDescriptors();
    void gpuVariables_data();
    void gpuVariables();
    void setupAndShell();
    void startsOnce();
    void startsABatch();
    void refusesSpecs_data();
    void refusesSpecs();
    void cancels_data();
    void cancels();
    void cancelLetsHandlersTidyUp();
    void cancelKillsTheWholeTree();
    void ownResultWinsOverACancel();
    void cancelBeforeTheStart_data();
    void cancelBeforeTheStart();
    void endsWhatACommandLeavesBehind();
    void letsATeeFinish();
    void recordsPrecedeTheEnd();
    void stdoutModes_data();
    void stdoutModes();
    void skipsAGiantLine();
    void bigOutputIsNotRead();
    void fileMadeAnew_data();
    void fileMadeAnew();
    void fileCutByTheTrial();
    void writesParameters();

private:
    /// The bytes of the next `records` messages, up to that many, the offset of the first, and whether one said reset.
    std::tuple<std::string, std::int64_t, bool> receive(const std::string& bytes);

    std::unique_ptr<KeeperFixture> m_fixture;
};

void TestKeeperTrials::greets()
{
    const json hello = m_fixture->begin();
    QCOMPARE(hello["version"].get<int>(), 1);
    QCOMPARE(hello["base"].get<std::string>(), m_fixture->base);
    QVERIFY(!hello["bootId"].get<std::string>().empty());
    QVERIFY(hello["cpuCount"].get<int>() >= 1);
    QVERIFY(hello["memoryTotal"].get<std::int64_t>() > 1 << 20);
    QCOMPARE(hello["trials"].size(), std::size_t(0));
    struct stat info
    {
    };
    QCOMPARE(::stat((m_fixture->base + "/svc/m1/trials").c_str(), &info), 0);
    QCOMPARE(int(info.st_mode & 0777), 0700);
    m_fixture->agent->send({{"m", "ping"}, {"req", 5}});
    QCOMPARE(m_fixture->agent->waitForName("pong").json["req"].get<int>(), 5);
    m_fixture->agent->send({{"m", "nonsense"}, {"req", 6}});
    const AgentMessage failed = m_fixture->agent->waitForName("failed");
    QCOMPARE(failed.json["req"].get<int>(), 6);
    QCOMPARE(failed.json["kind"].get<std::string>(), std::string("invalid"));
    QCOMPARE(m_fixture->agent->finish(), 0); // the end of its input is a normal end
}

void TestKeeperTrials::refusesWrongHello_data()
{
    QTest::addColumn<QByteArray>("first");
    const auto frame = [](const json& message) {
        std::string out;
        return trialkeeper::appendFrame(out, message.dump()) ? QByteArray::fromStdString(out) : QByteArray();
    };
    const json good = {{"m", "hello"}, {"version", 1}, {"serviceId", "svc"}, {"machineId", "m1"}};
    const auto with = [&](const char* name, const json& value) {
        json changed = good;
        changed[name] = value;
        return frame(changed);
    };
    QTest::newRow("other version") << with("version", 99);
    QTest::newRow("no version") << with("version", nullptr);
    QTest::newRow("service with a slash") << with("serviceId", "../x");
    QTest::newRow("service empty") << with("serviceId", "");
    QTest::newRow("machine up") << with("machineId", "..");
    QTest::newRow("machine of a wrong type") << with("machineId", json::array());
    QTest::newRow("not hello first") << frame({{"m", "ping"}, {"req", 1}});
    QTest::newRow("not an object") << frame(json::array({1, 2}));
    QTest::newRow("not JSON") << QByteArray("\x04\0\0\0\x02\0xx", 8);
    QTest::newRow("no frame") << QByteArray("GET / HTTP/1.1\r\n\r\n");
    QTest::newRow("nested deeply") << [] {
        std::string out;
        return trialkeeper::appendFrame(out, "{\"m\":" + std::string(200000, '[')) ? QByteArray::fromStdString(out)
                                                                                   : QByteArray();
    }();
}

void TestKeeperTrials::refusesWrongHello()
{
    QFETCH(QByteArray, first);
    AgentProcess agent(m_fixture->program, m_fixture->base);
    QVERIFY(agent.start());
    agent.sendBytes(first.toStdString());
    const AgentMessage reply = agent.next();
    QVERIFY(reply.name() == "helloFailed" || reply.name() == "failed");
    QVERIFY(!reply.json["message"].get<std::string>().empty());
    QCOMPARE(agent.next().name(), std::string()); // and it has ended
    QVERIFY(agent.atEnd());
    QVERIFY(!KeeperFixture::exists(m_fixture->folder.path().toStdString() + "/x"));
}

void TestKeeperTrials::startsAndFinishes()
{
    m_fixture->begin();
    const json result = m_fixture->start(KeeperFixture::specOf("t1", "echo out; echo err >&2; sleep 0.2"));
    QVERIFY(result["pid"].get<int>() > 1);
    QCOMPARE(result["repeat"].get<bool>(), false);
    QVERIFY(result["time"].get<std::int64_t>() > 1700000000000);
    const json end = m_fixture->waitForEnd("t1");
    QCOMPARE(end["type"].get<std::string>(), std::string("exited"));
    QCOMPARE(end["success"].get<bool>(), true);
    QCOMPARE(end["exitCode"].get<int>(), 0);
    QCOMPARE(end["signal"].get<int>(), 0);
    QVERIFY(!end.contains("failureClass") && !end.contains("intent"));
    QVERIFY(end["usage"]["peakMemoryBytes"].get<std::int64_t>() > 100000);
    QVERIFY(end["usage"]["wallMs"].get<int>() >= 190);
    QVERIFY(end["time"].get<std::int64_t>() >= result["time"].get<std::int64_t>());
    const json events = m_fixture->eventsOf("t1");
    QCOMPARE(events.size(), std::size_t(1));
    QCOMPARE(events[0]["type"].get<std::string>(), std::string("running"));
    QVERIFY(events[0]["pid"] == result["pid"]);
    QVERIFY(events[0]["next"] == end["offset"]);
    QCOMPARE(m_fixture->fileOf("t1", "stdout"), std::string("out\n"));
    QCOMPARE(m_fixture->fileOf("t1", "stderr"), std::string("err\n"));
    QVERIFY(m_fixture->fileOf("t1", "exit").starts_with("exit 0 0 0 0 "));
    for (const char* name : {"spec.json", "token", "journal", "parameter.cfg", "stdout"}) {
        struct stat info
        {
        };
        QCOMPARE(::stat((m_fixture->trialPath("t1") + '/' + name).c_str(), &info), 0);
        QCOMPARE(int(info.st_mode & 0777), 0600);
    }
    QVERIFY(KeeperFixture::eventually([&] { return !KeeperFixture::alive(m_fixture->keeperOf("t1")); }));
}

void TestKeeperTrials::tellsTheEnd_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("code"); // -1: null
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("failureClass");
    QTest::newRow("one") << "exit 1" << 1 << 0 << "exitCode";
    QTest::newRow("255") << "exit 255" << 255 << 0 << "exitCode";
    QTest::newRow("not found") << "there-is-no-such-program" << 127 << 0 << "commandNotFound";
    QTest::newRow("not executable") << "/etc/passwd" << 126 << 0 << "exitCode";
    QTest::newRow("segmentation fault") << "kill -SEGV $$" << -1 << 11 << "signal";
    QTest::newRow("terminated") << "kill -TERM $$" << -1 << 15 << "signal";
    QTest::newRow("a program in it was killed") << "sh -c 'kill -ABRT $$'; exit $?" << 134 << 0 << "exitCode";
    QTest::newRow("syntax") << "if then" << 2 << 0 << "exitCode";
}

void TestKeeperTrials::tellsTheEnd()
{
    QFETCH(QString, command);
    QFETCH(int, code);
    QFETCH(int, signal);
    QFETCH(QString, failureClass);
    m_fixture->begin();
    const json end = m_fixture->run(KeeperFixture::specOf("t1", command.toStdString()));
    QCOMPARE(end["success"].get<bool>(), false);
    if (code < 0)
        QVERIFY(end["exitCode"].is_null());
    else
        QCOMPARE(end["exitCode"].get<int>(), code);
    QCOMPARE(end["signal"].get<int>(), signal);
    QCOMPARE(end["failureClass"].get<std::string>(), failureClass.toStdString());
    QVERIFY(end["reason"].get<std::string>().size() > 10);
}

void TestKeeperTrials::givesWhatATrialSees()
{
    ::setenv("NNI_TRIAL_COMMAND_CHANNEL", "http://of-another-trial", 1);
    ::setenv("CUDA_VISIBLE_DEVICES", "5", 1);
    ::setenv("GOES_AWAY", "1", 1);
    ::setenv("IS_KEPT", "kept", 1);
    m_fixture->begin();
    json spec = KeeperFixture::specOf("t1",
        "env -0 > $NNI_OUTPUT_DIR/env; pwd > $NNI_OUTPUT_DIR/pwd; umask > $NNI_OUTPUT_DIR/umask; cat > "
        "$NNI_OUTPUT_DIR/stdin");
    spec["jobId"] = "aB3xY";
    spec["environment"] = {{"MINE", "a b\n'c'"}, {"NNI_EXP_ID", "other"}};
    spec["unsetEnvironment"] = {"GOES_AWAY"};
    QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    const std::string path = m_fixture->trialPath("t1");
    std::map<std::string, std::string> values;
    const std::string text = m_fixture->fileOf("t1", "output/env");
    for (std::size_t at = 0; at < text.size();) {
        const std::string pair = text.c_str() + at;
        at += pair.size() + 1;
        values[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
    }
    const std::map<std::string, std::string> expected = {
        {"NNI_PLATFORM", "local"},
        {"NNI_EXP_ID", "other"},
        {"NNI_TRIAL_JOB_ID", "aB3xY"},
        {"NNI_SYS_DIR", path},
        {"NNI_OUTPUT_DIR", path + "/output"},
        {"NNI_TRIAL_SEQ_ID", "7"},
        {"NNI_CODE_DIR", path + "/code"},
        {"MULTI_PHASE", "false"},
        {"TRIALDECK_PARAMETERS_FILE", path + "/parameters.json"},
        {"TRIALDECK_METRICS_FILE", path + "/metrics.jsonl"},
        {"TRIALDECK_OUTPUT_DIR", path + "/output"},
        {"MINE", "a b\n'c'"},
        {"IS_KEPT", "kept"},
        {"PWD", path + "/code"},
    };
    for (const auto& [name, value] : expected)
        QCOMPARE(values[name], value);
    for (const char* absent :
        {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "NNI_TRIAL_COMMAND_CHANNEL", "GOES_AWAY", "REUSE_MODE"})
        QVERIFY2(values.count(absent) == 0, absent);
    QCOMPARE(m_fixture->fileOf("t1", "output/pwd"), path + "/code\n");
    QCOMPARE(m_fixture->fileOf("t1", "output/stdin"), std::string());
    const mode_t mask = ::umask(0);
    ::umask(mask);
    QCOMPARE(std::stoi(m_fixture->fileOf("t1", "output/umask"), nullptr, 8), int(mask));
    QCOMPARE(m_fixture->fileOf("t1", "parameter.cfg"), spec["parameterCfg"].get<std::string>());
    QCOMPARE(m_fixture->fileOf("t1", "parameters.json"), std::string(R"({"lr": 0.10})"));
    ::unsetenv("CUDA_VISIBLE_DEVICES");
    ::unsetenv("NNI_TRIAL_COMMAND_CHANNEL");
}

void TestKeeperTrials::inheritsNoDescriptors()
{
    // One that whoever started the agent has left open.
    const int stray = ::open("/dev/zero", O_RDONLY);
    QVERIFY(stray > 2);
    m_fixture->begin();
    ::close(stray);
    // The shell's own, looked at from a child of it.
    const json end = m_fixture->run(
        KeeperFixture::specOf("t1", "ls -l /proc/$$/fd >listing; cut -sd: -f2- listing >&2; ls /proc/$$/fd; :"));
    QCOMPARE(end["success"].get<bool>(), true);
    QVERIFY2(m_fixture->fileOf("t1", "stdout") == "0\n1\n2\n", m_fixture->fileOf("t1", "stderr").c_str());
    // The keeper and the wrapper hold nothing of the agent's surroundings either, which may be an SSH channel.
    const json running = m_fixture->start(KeeperFixture::specOf("t2", "exec sleep 100"));
    QVERIFY(running.contains("pid"));
    for (const pid_t pid : {m_fixture->keeperOf("t2"), m_fixture->wrapperOf("t2")}) {
        QVERIFY(pid > 0);
        const std::filesystem::path folder = "/proc/" + std::to_string(pid) + "/fd";
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::error_code isClosed; // meanwhile: the keeper writes files
            QVERIFY(std::filesystem::read_symlink(entry, isClosed) != "/dev/zero");
        }
    }
    m_fixture->cancel("t2", "user", 0);
    QVERIFY(m_fixture->waitForEnd("t2").contains("intent"));
}

void TestKeeperTrials::gpuVariables_data()
{
    QTest::addColumn<QString>("visible");
    QTest::newRow("none") << "-1";
    QTest::newRow("two") << "0,3";
    QTest::newRow("slice") << "MIG-11111111-2222-3333-4444-555555555555";
}

void TestKeeperTrials::gpuVariables()
{
    QFETCH(QString, visible);
    m_fixture->begin();
    json spec = KeeperFixture::specOf("t1", "echo $CUDA_VISIBLE_DEVICES $CUDA_DEVICE_ORDER");
    spec["gpu"] = {{"visible", visible.toStdString()}};
    QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    QCOMPARE(m_fixture->fileOf("t1", "stdout"), visible.toStdString() + " PCI_BUS_ID\n");
}

void TestKeeperTrials::setupAndShell()
{
    m_fixture->begin();
    json spec = KeeperFixture::specOf("t1", "echo $FROM_SETUP; [[ a == a* ]] && echo bash");
    spec["setup"] = "export FROM_SETUP=yes";
    QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    QCOMPARE(m_fixture->fileOf("t1", "stdout"), std::string("yes\nbash\n"));
    spec = KeeperFixture::specOf("t2", "echo must not run");
    spec["setup"] = "source /there/is/no/such/file";
    const json end = m_fixture->run(spec);
    QCOMPARE(end["exitCode"].get<int>(), 1);
    QCOMPARE(m_fixture->fileOf("t2", "stdout"), std::string());
    QVERIFY(m_fixture->fileOf("t2", "stderr").find("the setup line failed with exit code 1") != std::string::npos);
    spec = KeeperFixture::specOf("t3", "shopt -q login_shell && echo login");
    spec["loginShell"] = true;
    QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    QVERIFY(m_fixture->fileOf("t3", "stdout").ends_with("login\n"));
}

void TestKeeperTrials::startsOnce()
{
    m_fixture->begin();
    const json spec = KeeperFixture::specOf("t1", "echo x >> $NNI_OUTPUT_DIR/starts; sleep 1");
    QCOMPARE(m_fixture->start(spec)["repeat"].get<bool>(), false);
    json again = m_fixture->start(spec);
    QCOMPARE(again["repeat"].get<bool>(), true);
    QVERIFY(!again.contains("pid"));
    QCOMPARE(m_fixture->waitForEnd("t1")["success"].get<bool>(), true);
    QCOMPARE(m_fixture->start(spec)["repeat"].get<bool>(), true); // also after the end
    m_fixture->begin();
    QCOMPARE(m_fixture->start(spec)["repeat"].get<bool>(), true); // and to the next agent
    QCOMPARE(m_fixture->fileOf("t1", "output/starts"), std::string("x\n"));
    // Sent twice at once: one result, one start.
    m_fixture->agent->send({{"m", "start"},
        {"trials",
            {KeeperFixture::specOf("t2", "echo x >> $NNI_OUTPUT_DIR/starts"), KeeperFixture::specOf("t2", "echo x")}}});
    QCOMPARE(m_fixture->waitForEnd("t2")["success"].get<bool>(), true);
    QCOMPARE(m_fixture->fileOf("t2", "output/starts"), std::string("x\n"));
}

void TestKeeperTrials::startsABatch()
{
    m_fixture->begin();
    json specs = json::array();
    for (int i = 0; i < 100; ++i)
        specs.push_back(KeeperFixture::specOf(
            "b" + std::to_string(i), "echo " + std::to_string(i) + " >> $TRIALDECK_METRICS_FILE"));
    specs.push_back(KeeperFixture::specOf("../evil", "true"));
    m_fixture->agent->send({{"m", "start"}, {"trials", specs}});
    std::map<std::string, int> started;
    std::set<std::string> ended;
    int failed = 0;
    while (ended.size() < 100) {
        const AgentMessage message = m_fixture->agent->next();
        QVERIFY(!message.name().empty());
        if (message.name() == "started") {
            for (const json& result : message.json["results"]) {
                failed += result.contains("kind") ? 1 : 0;
                ++started[result["trial"]];
            }
        } else if (message.name() == "event" && message.json.value("final", false)) {
            QVERIFY(ended.insert(message.json["trial"]).second);
            QCOMPARE(message.json["success"].get<bool>(), true);
        }
        m_fixture->agent->passed.push_back(message);
    }
    QCOMPARE(failed, 1);
    QCOMPARE(started.size(), std::size_t(101));
    for (const auto& [id, count] : started)
        QCOMPARE(count, 1);
    for (int i = 0; i < 100; ++i)
        QCOMPARE(m_fixture->streamOf("b" + std::to_string(i), "file"), std::to_string(i) + "\n");
}

void TestKeeperTrials::refusesSpecs_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QString>("kind");
    QTest::newRow("id up") << QByteArray(R"({"id":".."})") << "invalid";
    QTest::newRow("id with slash") << QByteArray(R"({"id":"a/b"})") << "invalid";
    QTest::newRow("id absolute") << QByteArray(R"({"id":"/tmp/x"})") << "invalid";
    QTest::newRow("id a number") << QByteArray(R"({"id":5})") << "invalid";
    QTest::newRow("id long") << QByteArray(R"({"id":")" + QByteArray(97, 'a') + R"("})") << "invalid";
    QTest::newRow("no command") << QByteArray(R"({"command":""})") << "invalid";
    QTest::newRow("command with NUL") << QByteArray(R"({"command":"a\u0000b"})") << "invalid";
    QTest::newRow("environment name") << QByteArray(R"({"environment":{"A=B":"x"}})") << "invalid";
    QTest::newRow("environment value") << QByteArray(R"({"environment":{"A":5}})") << "invalid";
    QTest::newRow("code not uploaded") << QByteArray(R"({"code":{"kind":"archive","sha":")" + QByteArray(64, 'a')
        + R"("}})") << "resource";
    QTest::newRow("code up") << QByteArray(R"({"code":{"kind":"archive","sha":"../../../../etc"}})") << "invalid";
    QTest::newRow("code relative") << QByteArray(R"({"code":{"kind":"folder","path":"etc"}})") << "invalid";
    QTest::newRow("code kind") << QByteArray(R"({"code":{"kind":"magic"}})") << "invalid";
    QTest::newRow("code folder missing") << QByteArray(R"({"code":{"kind":"folder","path":"/there/is/none"}})")
                                         << "not_found";
    QTest::newRow("in place missing") << QByteArray(R"({"code":{"kind":"inPlace","path":"/there/is/none"}})")
                                      << "not_found";
}

void TestKeeperTrials::refusesSpecs()
{
    QFETCH(QByteArray, change);
    QFETCH(QString, kind);
    m_fixture->begin();
    json spec = KeeperFixture::specOf("t1", "true");
    spec.update(json::parse(change.toStdString()));
    const json result = m_fixture->start(spec);
    QCOMPARE(result.value("kind", std::string()), kind.toStdString());
    QVERIFY(result["message"].get<std::string>().size() > 10);
    // Nothing is left of it.
    QVERIFY(!KeeperFixture::exists(m_fixture->trialPath("t1")));
    QCOMPARE(m_fixture->begin()["trials"].size(), std::size_t(0));
}

void TestKeeperTrials::cancels_data()
{
    QTest::addColumn<QString>("intent");
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("signal");
    QTest::newRow("user") << "user"
                          << "exec sleep 100" << 15;
    QTest::newRow("early") << "early"
                           << "exec sleep 100" << 15;
    QTest::newRow("system") << "sys"
                            << "sleep 100" << 15;
    QTest::newRow("handles it")
        << "user"
        << "trap 'exit 0' TERM; echo ready > $NNI_OUTPUT_DIR/ready; while :; do sleep 0.05; done" << 0;
    QTest::newRow("stopped") << "user"
                             << "kill -STOP $$" << 15;
}

void TestKeeperTrials::cancels()
{
    QFETCH(QString, intent);
    QFETCH(QString, command);
    QFETCH(int, signal);
    m_fixture->begin();
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", command.toStdString())).contains("pid"));
    if (command.contains(QStringLiteral("ready")))
        QVERIFY(KeeperFixture::eventually(
            [&] { return KeeperFixture::exists(m_fixture->trialPath("t1") + "/output/ready"); }));
    QCOMPARE(
        m_fixture->cancel("t1", intent.toStdString(), 60'000)["state"].get<std::string>(), std::string("cancelling"));
    const json end = m_fixture->waitForEnd("t1");
    QCOMPARE(end["intent"].get<std::string>(), intent.toStdString());
    QCOMPARE(end["success"].get<bool>(), false);
    QCOMPARE(end["signal"].get<int>(), signal);
    QVERIFY(!end.contains("failureClass"));
    const json events = m_fixture->eventsOf("t1");
    QCOMPARE(events.back()["type"].get<std::string>(), std::string("cancelling"));
    QCOMPARE(m_fixture->cancel("t1")["state"].get<std::string>(), std::string("ended"));
    QCOMPARE(m_fixture->cancel("nobody")["state"].get<std::string>(), std::string("unknown"));
    QCOMPARE(m_fixture->cancel("../..")["state"].get<std::string>(), std::string("unknown"));
}

/// A command that a handler of SIGTERM starts, while others of the tree are still to get the signal, does not get it.
void TestKeeperTrials::cancelLetsHandlersTidyUp()
{
    constexpr int commands = 40;
    m_fixture->begin();
    // Many processes stand before the one with the handler, which is busy while the tree is walked.
    const std::string command = "for i in $(seq 300); do sleep 1000 & done; (trap 'for i in $(seq "
        + std::to_string(commands)
        + "); do touch $NNI_OUTPUT_DIR/tidy.$i; done; exit' TERM; touch $NNI_OUTPUT_DIR/ready; sleep 1000 & wait) & "
          "wait";
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", command)).contains("pid"));
    QVERIFY(
        KeeperFixture::eventually([&] { return KeeperFixture::exists(m_fixture->trialPath("t1") + "/output/ready"); }));
    m_fixture->cancel("t1", "user", 120'000);
    QCOMPARE(m_fixture->waitForEnd("t1", 120'000)["signal"].get<int>(), 15);
    for (int i = 1; i <= commands; ++i)
        QVERIFY2(KeeperFixture::exists(m_fixture->trialPath("t1") + "/output/tidy." + std::to_string(i)),
            qPrintable(QString::number(i)));
}

void TestKeeperTrials::cancelKillsTheWholeTree()
{
    m_fixture->begin();
    // Three that ignore SIGTERM: a child, one that left the session, and an orphan of a dead parent.
    const std::string stubborn = "trap '' TERM; echo $BASHPID >> $NNI_OUTPUT_DIR/pids; while :; do sleep 0.1; done";
    const std::string command = "echo $$ > $NNI_OUTPUT_DIR/pids; (" + stubborn + ") & setsid bash -c \""
        + "trap '' TERM; echo \\$\\$ >> $NNI_OUTPUT_DIR/pids; while :; do sleep 0.1; done"
        + "\" & (setsid bash -c \"(trap '' TERM; echo \\$BASHPID >> $NNI_OUTPUT_DIR/pids; while :; do sleep 0.1; done) "
          "&\") ; sleep 100";
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", command)).contains("pid"));
    std::vector<pid_t> pids;
    QVERIFY(KeeperFixture::eventually([&] {
        pids.clear();
        std::istringstream text(m_fixture->fileOf("t1", "output/pids"));
        for (int pid = 0; text >> pid;)
            pids.push_back(pid);
        return pids.size() == 4;
    }));
    for (const pid_t pid : pids)
        QVERIFY(KeeperFixture::alive(pid));
    QElapsedTimer timer;
    timer.start();
    m_fixture->cancel("t1", "user", 500);
    const json end = m_fixture->waitForEnd("t1");
    QVERIFY(timer.elapsed() >= 450);
    QVERIFY(timer.elapsed() < 30'000);
    QCOMPARE(end["intent"].get<std::string>(), std::string("user"));
    // The end is reported after the last process is dead.
    for (const pid_t pid : pids)
        QVERIFY2(!KeeperFixture::alive(pid), std::to_string(pid).c_str());
}

void TestKeeperTrials::ownResultWinsOverACancel()
{
    m_fixture->begin();
    const json started = m_fixture->start(KeeperFixture::specOf("t1", "(trap '' TERM; exec sleep 100) & exit 3"));
    QVERIFY(started.contains("pid"));
    // The command has ended, reaped or not; its child still lives, so the trial has not.
    const pid_t command = started["pid"];
    QVERIFY(KeeperFixture::eventually([command] { return !KeeperFixture::alive(command); }));
    m_fixture->cancel("t1", "user", 100);
    const json end = m_fixture->waitForEnd("t1");
    QCOMPARE(end["exitCode"].dump(), std::string("3"));
    QVERIFY2(!end.contains("intent"), end.dump().c_str());
    QCOMPARE(end["failureClass"].get<std::string>(), std::string("exitCode"));
}

void TestKeeperTrials::cancelBeforeTheStart_data()
{
    QTest::addColumn<bool>("inOnePiece"); // the agent reads both before it starts the first
    QTest::newRow("read together") << true;
    QTest::newRow("while some start") << false;
}

void TestKeeperTrials::cancelBeforeTheStart()
{
    QFETCH(bool, inOnePiece);
    m_fixture->begin();
    json specs = json::array();
    json ids = json::array();
    for (int i = 0; i < 60; ++i) {
        specs.push_back(KeeperFixture::specOf("c" + std::to_string(i), "exec sleep 100"));
        ids.push_back("c" + std::to_string(i));
    }
    const json start = {{"m", "start"}, {"trials", specs}};
    const json cancel = {{"m", "cancel"}, {"trials", ids}, {"intent", "user"}};
    if (inOnePiece) {
        std::string both;
        QVERIFY(trialkeeper::appendFrame(both, start.dump()) && trialkeeper::appendFrame(both, cancel.dump()));
        m_fixture->agent->sendBytes(both);
    } else {
        m_fixture->agent->send(start);
        m_fixture->agent->send(cancel);
    }
    int open = 60;
    int never = 0;
    while (open > 0) {
        const AgentMessage message = m_fixture->agent->next();
        QVERIFY(!message.name().empty());
        if (message.name() == "started") {
            for (const json& result : message.json["results"]) {
                if (result.contains("kind")) {
                    QCOMPARE(result["kind"].get<std::string>(), std::string("cancelled"));
                    ++never;
                    --open;
                }
            }
        } else if (message.name() == "event" && message.json.value("final", false)) {
            QCOMPARE(message.json["intent"].get<std::string>(), std::string("user"));
            --open;
        }
    }
    QVERIFY(never > 0 || !inOnePiece);
}

void TestKeeperTrials::endsWhatACommandLeavesBehind()
{
    m_fixture->begin();
    const json end = m_fixture->run(KeeperFixture::specOf("t1", "sleep 100 & echo $! > $NNI_OUTPUT_DIR/pid; exit 0"));
    QCOMPARE(end["success"].get<bool>(), true);
    QCOMPARE(end["leftovers"].get<int>(), 1);
    QVERIFY(!KeeperFixture::alive(std::atoi(m_fixture->fileOf("t1", "output/pid").c_str())));
}

void TestKeeperTrials::letsATeeFinish()
{
    m_fixture->begin();
    for (int i = 1;; ++i) {
        QVERIFY(i <= 30);
        const std::string id = "t" + std::to_string(i);
        const json end =
            m_fixture->run(KeeperFixture::specOf(id, "exec > >(cat > $NNI_OUTPUT_DIR/log); echo last words"));
        QCOMPARE(end["success"].get<bool>(), true);
        if (end["leftovers"] == 0) {
            QCOMPARE(m_fixture->fileOf(id, "output/log"), std::string("last words\n"));
            break;
        }
        // On a busy machine `cat` may have had no turn; its second after the command's end it had.
        QVERIFY(trialkeeper::nowMs() - end["time"].get<std::int64_t>() >= 1'000);
    }
}

void TestKeeperTrials::recordsPrecedeTheEnd()
{
    m_fixture->begin();
    const json end = m_fixture->run(KeeperFixture::specOf("t1",
        "for i in $(seq 3000); do echo \"{\\\"metric\\\": $i}\" >> $TRIALDECK_METRICS_FILE; done; printf 'ME000003abc' "
        ">> $NNI_SYS_DIR/.nni/metrics; printf torn >> $TRIALDECK_METRICS_FILE"));
    QCOMPARE(end["success"].get<bool>(), true);
    std::string expected;
    for (int i = 1; i <= 3000; ++i)
        expected += "{\"metric\": " + std::to_string(i) + "}\n";
    QCOMPARE(m_fixture->streamOf("t1", "file"), expected + "torn");
    QCOMPARE(m_fixture->streamOf("t1", "nni"), std::string("ME000003abc"));
    QCOMPARE(m_fixture->agent->next(100).name(), std::string()); // nothing follows the end
}

void TestKeeperTrials::stdoutModes_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QString>("expected");
    QTest::newRow("none") << "none"
                          << "";
    QTest::newRow("sdk") << "sdk"
                         << "NNISDK_MEb'{\"a\": 1}'\nNNISDK_MEb'{\"b\": \"it's\"}'\nNNISDK_MEb'last'";
    QTest::newRow("all")
        << "all"
        << "plain\nNNISDK_MEb'{\"a\": 1}'\nNNISDK_MEb'{\"b\": \"it's\"}'\n xNNISDK_MEb'no'\nNNISDK\n\nNNISDK_MEb'last'";
}

void TestKeeperTrials::stdoutModes()
{
    QFETCH(QString, mode);
    QFETCH(QString, expected);
    m_fixture->begin();
    json spec = KeeperFixture::specOf("t1",
        R"(printf "plain\nNNISDK_MEb'{\"a\": 1}'\nNNISDK_"; sleep 0.1; printf "MEb'{\"b\": \"it's\"}'\n xNNISDK_MEb'no'\nNNISDK\n\nNNISDK_MEb'last'")");
    spec["stdoutMode"] = mode.toStdString();
    QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    QCOMPARE(m_fixture->streamOf("t1", "stdout"), expected.toStdString());
    if (mode != QStringLiteral("sdk"))
        return;
    // Offsets are those of the lines; the cursor always stands at the start of one.
    const std::string text = m_fixture->fileOf("t1", "stdout");
    for (const AgentMessage& message : m_fixture->agent->passed) {
        if (message.name() != "records")
            continue;
        QCOMPARE(text.substr(message.json["offset"], message.raw.size()), message.raw);
        const std::size_t next = message.json["next"];
        QVERIFY(next == text.size() || next == 0 || text[next - 1] == '\n');
    }
}

void TestKeeperTrials::skipsAGiantLine()
{
    m_fixture->begin();
    json spec = KeeperFixture::specOf("t1",
        R"(echo "NNISDK_MEb'one'"; printf "NNISDK_MEb'"; head -c 10000000 /dev/zero | tr '\0' x; echo; head -c 10000000 /dev/zero | tr '\0' y; echo; printf "NNISDK_MEb'"; head -c 900000 /dev/zero | tr '\0' z; echo "'"; echo "NNISDK_MEb'two'")");
    spec["stdoutMode"] = "sdk";
    QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    const std::string got = m_fixture->streamOf("t1", "stdout");
    QCOMPARE(got.size(), std::size_t(16 + 11 + 900000 + 2 + 16));
    QVERIFY(got.starts_with("NNISDK_MEb'one'\nNNISDK_MEb'zzz"));
    QVERIFY(got.ends_with("zz'\nNNISDK_MEb'two'\n"));
    const auto findings = std::count_if(m_fixture->agent->passed.begin(), m_fixture->agent->passed.end(),
        [](const AgentMessage& message) { return message.name() == "finding"; });
    QCOMPARE(int(findings), 1);
}

void TestKeeperTrials::bigOutputIsNotRead()
{
    m_fixture->program = TRIALDECK_BIN_DIR "/trialkeeper"; // a sanitizer's memory is not the program's
    m_fixture->begin();
    const auto memory = [&] {
        const std::string status =
            KeeperFixture::readFile("/proc/" + std::to_string(m_fixture->agent->pid()) + "/status");
        return std::atol(status.c_str() + status.find("VmHWM:") + 6);
    };
    const auto bytesRead = [&] {
        // Of the thread: the process's counts those of the children that it has reaped.
        const std::string pid = std::to_string(m_fixture->agent->pid());
        const std::string io = KeeperFixture::readFile("/proc/" + pid + "/task/" + pid + "/io");
        return std::atol(io.c_str() + io.find("rchar:") + 6);
    };
    const long memoryBefore = memory();
    const long readBefore = bytesRead();
    QCOMPARE(m_fixture->run(KeeperFixture::specOf("t1", "head -c 200000000 /dev/zero"))["success"].get<bool>(), true);
    QVERIFY(memory() - memoryBefore < 1000);
    QVERIFY(bytesRead() - readBefore < 1000000);
    QCOMPARE(m_fixture->streamOf("t1", "stdout"), std::string());
}

std::tuple<std::string, std::int64_t, bool> TestKeeperTrials::receive(const std::string& bytes)
{
    std::string got;
    std::int64_t offset = -1;
    bool reset = false;
    while (got.size() < bytes.size()) {
        const AgentMessage message = m_fixture->agent->waitForName("records");
        if (message.name().empty())
            break;
        offset = offset < 0 ? message.json["offset"].get<std::int64_t>() : offset;
        reset = reset || message.json.value("reset", false);
        got += message.raw;
    }
    return {got, offset, reset};
}

void TestKeeperTrials::fileMadeAnew_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("of the SDK") << QByteArray("/.nni/metrics");
    QTest::newRow("of lines") << QByteArray("/metrics.jsonl");
}

/// A file system may give the number of a deleted file to the next one, and texts may be of one length.
void TestKeeperTrials::fileMadeAnew()
{
    QFETCH(QByteArray, file);
    m_fixture->begin();
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", "exec sleep 100")).contains("pid"));
    const std::string metrics = m_fixture->trialPath("t1") + file.constData();
    for (int i = 0; i < 6; ++i) {
        const std::string text = "value " + std::to_string(i) + '\n';
        std::filesystem::remove(metrics);
        KeeperFixture::writeFile(metrics, text);
        const auto got = receive(text);
        QCOMPARE(QByteArray::fromStdString(std::get<0>(got)), QByteArray::fromStdString(text));
        QCOMPARE(std::get<1>(got), std::int64_t(text.size()) * i);
        QCOMPARE(std::get<2>(got), i > 0);
    }
    // Unlinked, and held open by its writer.
    std::ofstream held(metrics, std::ios::app);
    std::filesystem::remove(metrics);
    KeeperFixture::writeFile(metrics, "new\n");
    QCOMPARE(QByteArray::fromStdString(std::get<0>(receive("new\n"))), QByteArray("new\n"));
    KeeperFixture::writeFile(metrics, "more\n");
    QCOMPARE(QByteArray::fromStdString(std::get<0>(receive("more\n"))), QByteArray("more\n"));
    m_fixture->cancel("t1", "user", 0);
    QVERIFY(m_fixture->waitForEnd("t1").contains("final"));
}

void TestKeeperTrials::fileCutByTheTrial()
{
    m_fixture->begin();
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", "exec sleep 100")).contains("pid"));
    const std::string metrics = m_fixture->trialPath("t1") + "/.nni/metrics";
    KeeperFixture::writeFile(metrics, "first record");
    QVERIFY(receive("first record") == std::make_tuple(std::string("first record"), std::int64_t(0), false));
    std::ofstream(metrics, std::ios::trunc).flush(); // a second `import nni` of version 1.9
    KeeperFixture::writeFile(metrics, "second");
    QVERIFY(receive("second") == std::make_tuple(std::string("second"), std::int64_t(12), true));
    // The count continues for the next agent, from a cursor in the middle.
    m_fixture->killAgent();
    m_fixture->begin(json::array({{{"id", "t1"}, {"cursors", {{"nni", 15}}}}}));
    QVERIFY(receive("ond") == std::make_tuple(std::string("ond"), std::int64_t(15), false));
    KeeperFixture::writeFile(metrics, "!");
    QVERIFY(receive("!") == std::make_tuple(std::string("!"), std::int64_t(18), false));
    m_fixture->cancel("t1", "user", 0);
    QVERIFY(m_fixture->waitForEnd("t1").contains("final"));
}

void TestKeeperTrials::writesParameters()
{
    m_fixture->begin();
    json spec = KeeperFixture::specOf("t1",
        "while [ ! -s $NNI_SYS_DIR/parameter_1.cfg ]; do sleep 0.02; done; cat $NNI_SYS_DIR/parameter_1.cfg; echo "
        "$MULTI_PHASE");
    spec["multiPhase"] = true;
    QVERIFY(m_fixture->start(spec).contains("pid"));
    const std::string text = R"({"parameters": NaN, "x":  1})";
    m_fixture->agent->send({{"m", "parameter"}, {"req", 3}, {"trial", "t1"}, {"index", 1}, {"text", text}});
    QCOMPARE(m_fixture->agent->waitForName("parameterDone").json["req"].get<int>(), 3);
    QCOMPARE(m_fixture->waitForEnd("t1")["success"].get<bool>(), true);
    QCOMPARE(m_fixture->fileOf("t1", "stdout"), text + "true\n");
    for (const json& bad : {json{{"trial", "../t1"}, {"index", 1}}, json{{"trial", "t1"}, {"index", -1}},
             json{{"trial", "t9"}, {"index", 1}}}) {
        json message = {{"m", "parameter"}, {"req", 4}, {"text", "x"}};
        message.update(bad);
        m_fixture->agent->send(message);
        QCOMPARE(m_fixture->agent->waitForName("failed").json["req"].get<int>(), 4);
    }
}

QTEST_GUILESS_MAIN(TestKeeperTrials)
#include "tst_keeper_trials.moc"
