// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_fixture.h"

#include "app/trialkeeper/base/proc.h"
#include "app/trialkeeper/trial/journal.h"

#include <QDir>
#include <QElapsedTimer>
#include <QRandomGenerator>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <random>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using json = nlohmann::json;

namespace {

json named(const std::string& id, const json& cursors = json::object())
{
    return {{"id", id}, {"cursors", cursors}};
}

/// A command that runs until its file `go` appears, and then ends with code 5, reporting one metric before.
const std::string waitsForGo = "echo begin >> $TRIALDECK_METRICS_FILE; while [ ! -e $NNI_OUTPUT_DIR/go ]; do sleep "
                               "0.02; done; echo end >> $TRIALDECK_METRICS_FILE; exit 5";

} // namespace

/// What is killed, what is full, and what comes back.
class TestKeeperFaults : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_fixture = std::make_unique<KeeperFixture>(); }
    void cleanup()
    {
        if (!m_mounted.empty()) {
            m_fixture->agent.reset();
            ::umount2(std::exchange(m_mounted, {}).c_str(), MNT_DETACH);
        }
        m_fixture.reset();
    }

    void killed_data();
    void killed();
    void killedKeeperIsReplaced();
    void cancelAfterKills_data();
    void cancelAfterKills();
    void survivorsAreWaitedFor();
    void everythingKilled();
    void machineRestarted();
    void reusedPidIsNoKeeper();
    void adoptsFromCursors();
    void adoptsMany();
    void endedWhileNobodyWatched();
    void tornJournalIsCut();
    void finalStateWithoutRecord();
    void journalShorterThanItsCursor_data();
    void journalShorterThanItsCursor();
    void filesThatLostTheirEnd_data();
    void filesThatLostTheirEnd();
    void cancelFileThatIsEmpty();
    void deletesItsOwnFolder_data();
    void deletesItsOwnFolder();
    void replacesItsOwnFolder_data();
    void replacesItsOwnFolder();
    void preparedFolderIsStartedAnew();
    void agentEndsOnEndOfInput();
    void laterAgentEndsTheEarlier();
    void fullDisk();
    void meetsAFullDisk_data();
    void meetsAFullDisk();
    void readOnlyDisk();
    void foldersThatOthersCanChange();
    void gpuLocks();
    void gpuLocksOfTwoUsers();
    void gpuLocksThatAreNone();
    void outOfMemoryIsNotGuessed();
    void outOfMemoryIsTold();
    void randomKills();

private:
    std::unique_ptr<KeeperFixture> m_fixture;
    std::string m_mounted;
};

void TestKeeperFaults::killed_data()
{
    QTest::addColumn<bool>("keeper");
    QTest::addColumn<bool>("wrapper");
    QTest::addColumn<bool>("agent");
    QTest::addColumn<bool>("codeKnown"); // its parent or the keeper reaped it
    QTest::newRow("keeper") << true << false << false << true;
    QTest::newRow("wrapper") << false << true << false << true;
    QTest::newRow("agent") << false << false << true << true;
    QTest::newRow("keeper and agent") << true << false << true << true;
    QTest::newRow("wrapper and agent") << false << true << true << true;
    QTest::newRow("keeper and wrapper") << true << true << false << false;
    QTest::newRow("all three") << true << true << true << false;
}

void TestKeeperFaults::killed()
{
    QFETCH(bool, keeper);
    QFETCH(bool, wrapper);
    QFETCH(bool, agent);
    QFETCH(bool, codeKnown);
    m_fixture->begin();
    const json started = m_fixture->start(KeeperFixture::specOf("t1", waitsForGo));
    QVERIFY(started.contains("pid"));
    const pid_t command = started["pid"];
    QVERIFY(KeeperFixture::eventually([&] { return m_fixture->fileOf("t1", "metrics.jsonl") == "begin\n"; }));
    const pid_t keeperPid = m_fixture->keeperOf("t1");
    const pid_t wrapperPid = m_fixture->wrapperOf("t1");
    QVERIFY(keeperPid > 1 && wrapperPid > 1 && keeperPid != wrapperPid && command != wrapperPid);
    if (agent)
        m_fixture->killAgent();
    if (keeper)
        ::kill(keeperPid, SIGKILL);
    if (wrapper)
        ::kill(wrapperPid, SIGKILL);
    if (agent) {
        const json hello = m_fixture->begin(json::array({named("t1")}));
        QCOMPARE(hello["trials"].size(), std::size_t(1));
        QCOMPARE(hello["trials"][0]["state"].get<std::string>(), std::string("running"));
    }
    QVERIFY(KeeperFixture::alive(command));
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/output/go", "x");
    const json end = m_fixture->waitForEnd("t1");
    if (codeKnown) {
        QCOMPARE(end["type"].get<std::string>(), std::string("exited"));
        QCOMPARE(end["exitCode"].get<int>(), 5);
    } else {
        QCOMPARE(end["type"].get<std::string>(), std::string("lost"));
        QCOMPARE(end["failureClass"].get<std::string>(), std::string("keeperLost"));
    }
    QVERIFY(!KeeperFixture::alive(command));
    QCOMPARE(m_fixture->streamOf("t1", "file"), std::string("begin\nend\n"));
    // Exactly one end, also for the next agent.
    QCOMPARE(m_fixture->agent->next(200).name(), std::string());
    m_fixture->begin(json::array({named("t1")}));
    QVERIFY(m_fixture->waitForEnd("t1")["offset"] == end["offset"]);
    QCOMPARE(m_fixture->eventsOf("t1").size(), std::size_t(1));
}

void TestKeeperFaults::killedKeeperIsReplaced()
{
    m_fixture->begin();
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", "exec sleep 100")).contains("pid"));
    for (int round = 0; round < 3; ++round) {
        const pid_t keeper = m_fixture->keeperOf("t1");
        ::kill(keeper, SIGKILL);
        QVERIFY(KeeperFixture::eventually([&] {
            const pid_t next = m_fixture->keeperOf("t1");
            return next > 1 && next != keeper && next != m_fixture->agent->pid() && KeeperFixture::alive(next);
        }));
    }
    m_fixture->cancel("t1");
    const json end = m_fixture->waitForEnd("t1");
    QCOMPARE(end["signal"].get<int>(), 15);
    QCOMPARE(end["intent"].get<std::string>(), std::string("user"));
}

void TestKeeperFaults::cancelAfterKills_data()
{
    QTest::addColumn<bool>("keeper");
    QTest::addColumn<bool>("wrapper");
    QTest::newRow("keeper") << true << false;
    QTest::newRow("wrapper") << false << true;
    QTest::newRow("both") << true << true;
}

void TestKeeperFaults::cancelAfterKills()
{
    QFETCH(bool, keeper);
    QFETCH(bool, wrapper);
    m_fixture->begin();
    const json started = m_fixture->start(
        KeeperFixture::specOf("t1", "trap '' TERM; setsid sleep 100 & echo $! > $NNI_OUTPUT_DIR/pid; sleep 100"));
    QVERIFY(KeeperFixture::eventually([&] { return m_fixture->fileOf("t1", "output/pid").ends_with("\n"); }));
    m_fixture->killAgent();
    // The cancel is given to an agent that has adopted nothing, right after the kills.
    if (keeper)
        ::kill(m_fixture->keeperOf("t1"), SIGKILL);
    if (wrapper)
        ::kill(m_fixture->wrapperOf("t1"), SIGKILL);
    m_fixture->begin();
    QCOMPARE(m_fixture->cancel("t1", "early", 200)["state"].get<std::string>(), std::string("cancelling"));
    m_fixture->agent->send({{"m", "adopt"}, {"trials", json::array({named("t1")})}});
    const json end = m_fixture->waitForEnd("t1");
    QCOMPARE(end["intent"].get<std::string>(), std::string("early"));
    QVERIFY(!KeeperFixture::alive(started["pid"]));
    QVERIFY(!KeeperFixture::alive(std::atoi(m_fixture->fileOf("t1", "output/pid").c_str())));
}

void TestKeeperFaults::survivorsAreWaitedFor()
{
    m_fixture->begin();
    // Keeper, wrapper and command are killed: what is left is a grandchild in its own session.
    const json started = m_fixture->start(KeeperFixture::specOf("t1",
        "setsid sh -c 'echo $$ > $NNI_OUTPUT_DIR/pid; while [ ! -e $NNI_OUTPUT_DIR/go ]; do sleep 0.05; done' & wait"));
    QVERIFY(KeeperFixture::eventually([&] { return m_fixture->fileOf("t1", "output/pid").ends_with("\n"); }));
    const pid_t survivor = std::atoi(m_fixture->fileOf("t1", "output/pid").c_str());
    m_fixture->killAgent();
    for (const pid_t pid : {m_fixture->keeperOf("t1"), m_fixture->wrapperOf("t1"), started["pid"].get<pid_t>()})
        ::kill(pid, SIGKILL);
    m_fixture->begin(json::array({named("t1")}));
    QVERIFY(
        m_fixture->agent->waitFor([](const AgentMessage& message) { return message.json.value("final", false); }, 1500)
            .json.is_null());
    QVERIFY(KeeperFixture::alive(survivor));
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/output/go", "x");
    QCOMPARE(m_fixture->waitForEnd("t1")["failureClass"].get<std::string>(), std::string("keeperLost"));
    QVERIFY(!KeeperFixture::alive(survivor));
}

void TestKeeperFaults::everythingKilled()
{
    m_fixture->begin();
    const json started =
        m_fixture->start(KeeperFixture::specOf("t1", "echo one >> $TRIALDECK_METRICS_FILE; exec sleep 100"));
    QVERIFY(KeeperFixture::eventually([&] { return m_fixture->fileOf("t1", "metrics.jsonl") == "one\n"; }));
    m_fixture->killAgent();
    for (const pid_t pid : {m_fixture->keeperOf("t1"), m_fixture->wrapperOf("t1"), started["pid"].get<pid_t>()})
        ::kill(pid, SIGKILL);
    m_fixture->begin(json::array({named("t1")}));
    const json end = m_fixture->waitForEnd("t1");
    QCOMPARE(end["type"].get<std::string>(), std::string("lost"));
    QCOMPARE(end["failureClass"].get<std::string>(), std::string("keeperLost"));
    QVERIFY(end["reason"].get<std::string>().size() > 10);
    QCOMPARE(m_fixture->streamOf("t1", "file"), std::string("one\n"));
    QCOMPARE(m_fixture->start(KeeperFixture::specOf("t1", "true"))["repeat"].get<bool>(), true); // never started again
}

/// Rewrites a trial's journal with another boot id, as it would be found after a restart of the machine.
static void changeBoot(const std::string& path, const std::string& lockPath)
{
    std::string journal = KeeperFixture::readFile(path);
    const json identity = json::parse(journal.substr(18, journal.find('\n') - 18));
    json other = identity;
    other["bootId"] = "00000000-0000-0000-0000-000000000000";
    std::string record;
    const std::string text = "{\"type\":\"identity\"," + other.dump().substr(1);
    record.resize(text.size() + 64);
    record.resize(trialkeeper::formatJournalRecord(record, text));
    journal = record + journal.substr(journal.find('\n') + 1);
    ::unlink(path.c_str());
    KeeperFixture::writeFile(path, journal);
    ::unlink(lockPath.c_str());
    KeeperFixture::writeFile(lockPath, "1 5 00000000-0000-0000-0000-000000000000");
}

void TestKeeperFaults::machineRestarted()
{
    m_fixture->begin();
    const json started = m_fixture->start(KeeperFixture::specOf("t1", "exec sleep 100"));
    m_fixture->killAgent();
    for (const pid_t pid : {m_fixture->keeperOf("t1"), m_fixture->wrapperOf("t1"), started["pid"].get<pid_t>()})
        ::kill(pid, SIGKILL);
    QVERIFY(KeeperFixture::eventually([&] { return !KeeperFixture::alive(started["pid"]); }));
    changeBoot(m_fixture->trialPath("t1") + "/journal", m_fixture->trialPath("t1") + "/lock");
    m_fixture->begin(json::array({named("t1")}));
    const json end = m_fixture->waitForEnd("t1");
    QCOMPARE(end["type"].get<std::string>(), std::string("lost"));
    QCOMPARE(end["failureClass"].get<std::string>(), std::string("machineRestarted"));
}

void TestKeeperFaults::reusedPidIsNoKeeper()
{
    m_fixture->begin();
    const json started = m_fixture->start(KeeperFixture::specOf("t1", "exec sleep 100"));
    m_fixture->killAgent();
    const pid_t keeper = m_fixture->keeperOf("t1");
    for (const pid_t pid : {keeper, m_fixture->wrapperOf("t1"), started["pid"].get<pid_t>()})
        ::kill(pid, SIGKILL);
    QVERIFY(KeeperFixture::eventually([&] { return !KeeperFixture::alive(keeper); }));
    // The lock names a living process, but one that began at another time: this test itself.
    const std::string lock = m_fixture->fileOf("t1", "lock");
    ::unlink((m_fixture->trialPath("t1") + "/lock").c_str());
    KeeperFixture::writeFile(
        m_fixture->trialPath("t1") + "/lock", std::to_string(::getpid()) + lock.substr(lock.find(' ')));
    m_fixture->begin();
    QCOMPARE(m_fixture->cancel("t1", "user", 0)["state"].get<std::string>(), std::string("cancelling"));
    m_fixture->agent->send({{"m", "adopt"}, {"trials", json::array({named("t1")})}});
    QCOMPARE(m_fixture->waitForEnd("t1")["type"].get<std::string>(), std::string("lost"));
}

void TestKeeperFaults::adoptsFromCursors()
{
    m_fixture->begin();
    json spec = KeeperFixture::specOf("t1",
        "printf 'ab' >> $TRIALDECK_METRICS_FILE; printf 'ME000002x' >> $NNI_SYS_DIR/.nni/metrics; echo "
        "\"NNISDK_MEb'1'\"; echo no; echo \"NNISDK_MEb'2'\";"
        " while [ ! -e $NNI_OUTPUT_DIR/go ]; do sleep 0.02; done; printf 'cd' >> $TRIALDECK_METRICS_FILE; printf 'y' "
        ">> $NNI_SYS_DIR/.nni/metrics; echo \"NNISDK_MEb'3'\"");
    spec["stdoutMode"] = "sdk";
    QVERIFY(m_fixture->start(spec).contains("pid"));
    QVERIFY(KeeperFixture::eventually([&] { return m_fixture->fileOf("t1", "stdout").size() == 31; }));
    m_fixture->killAgent();
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/output/go", "x");
    const json hello = m_fixture->begin(json::array(
        {named("t1", {{"file", 1}, {"nni", 9}, {"stdout", 14}, {"journal", 0}}), named("gone"), named("../x")}));
    QCOMPARE(hello["trials"].size(), std::size_t(3));
    QCOMPARE(hello["trials"][1]["state"].get<std::string>(), std::string("unknown"));
    QCOMPARE(hello["trials"][2]["state"].get<std::string>(), std::string("unknown"));
    QCOMPARE(m_fixture->waitForEnd("t1")["success"].get<bool>(), true);
    QCOMPARE(m_fixture->streamOf("t1", "file"), std::string("bcd"));
    QCOMPARE(m_fixture->streamOf("t1", "nni"), std::string("y"));
    QCOMPARE(m_fixture->streamOf("t1", "stdout"), std::string("NNISDK_MEb'2'\nNNISDK_MEb'3'\n"));
    // From the journal's end nothing is repeated.
    const std::size_t journalEnd = m_fixture->fileOf("t1", "journal").size();
    const json ended = m_fixture->begin(
        json::array({named("t1", {{"file", 4}, {"nni", 10}, {"stdout", 45}, {"journal", journalEnd}})}));
    QCOMPARE(ended["trials"][0]["state"].get<std::string>(), std::string("ended"));
    QCOMPARE(m_fixture->agent->next(300).name(), std::string());
}

void TestKeeperFaults::adoptsMany()
{
    m_fixture->begin();
    constexpr int count = 60;
    json specs = json::array();
    json trials = json::array();
    for (int i = 0; i < count; ++i) {
        specs.push_back(KeeperFixture::specOf("m" + std::to_string(i), waitsForGo));
        trials.push_back(named("m" + std::to_string(i)));
    }
    m_fixture->agent->send({{"m", "start"}, {"trials", specs}});
    for (int open = count; open > 0;) {
        const AgentMessage message = m_fixture->agent->waitForName("started");
        QVERIFY(!message.name().empty());
        open -= int(message.json["results"].size());
    }
    // A third lose their keeper, a third their wrapper.
    for (int i = 0; i < count; ++i) {
        const std::string id = "m" + std::to_string(i);
        if (i % 3 != 2)
            ::kill(i % 3 == 0 ? m_fixture->keeperOf(id) : m_fixture->wrapperOf(id), SIGKILL);
    }
    m_fixture->killAgent();
    QCOMPARE(m_fixture->begin(trials)["trials"].size(), std::size_t(count));
    for (int i = 0; i < count; ++i)
        KeeperFixture::writeFile(m_fixture->trialPath("m" + std::to_string(i)) + "/output/go", "x");
    for (int i = 0; i < count; ++i) {
        const json end = m_fixture->waitForEnd("m" + std::to_string(i));
        QCOMPARE(end.value("exitCode", -1), 5);
    }
}

void TestKeeperFaults::endedWhileNobodyWatched()
{
    m_fixture->begin();
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", waitsForGo)).contains("pid"));
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t2", "exec sleep 100")).contains("pid"));
    m_fixture->killAgent();
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/output/go", "x");
    QVERIFY(KeeperFixture::eventually([&] { return KeeperFixture::exists(m_fixture->trialPath("t1") + "/exit"); }));
    const json hello = m_fixture->begin(); // nothing named: ended ones are counted, others listed
    QCOMPARE(hello["ended"].get<int>(), 1);
    QVERIFY(hello["trials"] == json::array({{{"id", "t2"}, {"state", "running"}}}));
    m_fixture->agent->send({{"m", "adopt"}, {"trials", json::array({named("t1")})}});
    QCOMPARE(
        m_fixture->agent->waitForName("adopted").json["trials"][0]["state"].get<std::string>(), std::string("ended"));
    QCOMPARE(m_fixture->waitForEnd("t1")["exitCode"].get<int>(), 5);
    QCOMPARE(m_fixture->streamOf("t1", "file"), std::string("begin\nend\n"));
}

void TestKeeperFaults::tornJournalIsCut()
{
    m_fixture->begin();
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", waitsForGo)).contains("pid"));
    m_fixture->killAgent();
    ::kill(m_fixture->keeperOf("t1"), SIGKILL);
    QVERIFY(KeeperFixture::eventually([&] { return !KeeperFixture::alive(m_fixture->keeperOf("t1")); }));
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/journal", "0000002a 12345678 {\"type\":\"exi");
    m_fixture->begin(json::array({named("t1")}));
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/output/go", "x");
    QCOMPARE(m_fixture->waitForEnd("t1").value("exitCode", -1), 5);
    QVERIFY(m_fixture->fileOf("t1", "journal").find("{\"type\":\"exi0") == std::string::npos);
}

void TestKeeperFaults::finalStateWithoutRecord()
{
    // The keeper is killed, then the wrapper writes its exit state: the agent writes the record from it.
    m_fixture->begin();
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", waitsForGo)).contains("pid"));
    m_fixture->killAgent();
    ::kill(m_fixture->keeperOf("t1"), SIGKILL);
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/output/go", "x");
    QVERIFY(KeeperFixture::eventually([&] { return KeeperFixture::exists(m_fixture->trialPath("t1") + "/exit"); }));
    m_fixture->begin(json::array({named("t1")}));
    QCOMPARE(m_fixture->waitForEnd("t1")["exitCode"].get<int>(), 5);
}

void TestKeeperFaults::journalShorterThanItsCursor_data()
{
    QTest::addColumn<std::string>("damage");
    QTest::addColumn<std::string>("left");
    for (const char* damage : {"emptied", "zeros at its end", "last record lost"})
        for (const char* left : {"an exit file", "nothing", "wrapper and command", "command"})
            QTest::addRow("%s, %s", damage, left) << std::string(damage) << std::string(left);
}

void TestKeeperFaults::journalShorterThanItsCursor()
{
    QFETCH(std::string, damage);
    QFETCH(std::string, left);
    m_fixture->begin();
    const json started = m_fixture->start(KeeperFixture::specOf("t1", waitsForGo));
    QVERIFY(started.contains("pid"));
    QVERIFY(KeeperFixture::eventually([&] { return m_fixture->fileOf("t1", "metrics.jsonl") == "begin\n"; }));
    const std::string path = m_fixture->trialPath("t1") + "/journal";
    std::string journal = KeeperFixture::readFile(path);
    const std::size_t cursor = journal.size();
    const pid_t wrapper = m_fixture->wrapperOf("t1");
    const auto gone = [](pid_t pid) { return KeeperFixture::eventually([&] { return !KeeperFixture::alive(pid); }); };
    m_fixture->killAgent();
    const pid_t keeper = m_fixture->keeperOf("t1");
    ::kill(keeper, SIGKILL);
    QVERIFY(gone(keeper));
    if (left == "nothing" || left == "command") {
        ::kill(wrapper, SIGKILL);
        QVERIFY(gone(wrapper));
    }
    if (left == "nothing") {
        ::kill(-started["pid"].get<pid_t>(), SIGKILL);
        QVERIFY(gone(started["pid"]));
    }
    if (left == "an exit file") {
        KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/output/go", "x");
        QVERIFY(KeeperFixture::eventually([&] { return KeeperFixture::exists(m_fixture->trialPath("t1") + "/exit"); }));
        QVERIFY(gone(wrapper));
    }
    const std::size_t first = journal.find('\n') + 1;
    if (damage == "emptied")
        journal.clear();
    else if (damage == "last record lost")
        journal.resize(first);
    else
        journal.replace(first, std::string::npos, cursor - first, '\0');
    QCOMPARE(::truncate(path.c_str(), 0), 0);
    KeeperFixture::writeFile(path, journal);
    m_fixture->begin(json::array({named("t1", {{"journal", cursor}, {"file", 6}})}));
    if (left == "wrapper and command" || left == "command")
        QCOMPARE(m_fixture->cancel("t1")["state"].get<std::string>(), std::string("cancelling"));
    const json end = m_fixture->waitForEnd("t1");
    QVERIFY2(!end.empty(), "the trial has no end");
    QVERIFY(!KeeperFixture::alive(started["pid"]));
    if (left == "an exit file") {
        QCOMPARE(end.value("exitCode", -1), 5);
        QCOMPARE(m_fixture->streamOf("t1", "file"), std::string("end\n"));
    } else if (left == "nothing") {
        QCOMPARE(end.value("failureClass", std::string()), std::string("keeperLost"));
    } else {
        QCOMPARE(end.value("intent", std::string()), std::string("user"));
        QCOMPARE(end["type"].get<std::string>(), std::string(left == "command" ? "lost" : "exited"));
    }
}

void TestKeeperFaults::filesThatLostTheirEnd_data()
{
    QTest::addColumn<bool>("journal"); // it lost all of it
    QTest::newRow("metrics") << false;
    QTest::newRow("metrics and journal") << true;
}

void TestKeeperFaults::filesThatLostTheirEnd()
{
    // A loss of power took the end of what the service has already read. None of it comes twice.
    QFETCH(bool, journal);
    m_fixture->begin();
    const json started = m_fixture->start(
        KeeperFixture::specOf("t1", "printf 'one\\ntwo\\n' >> $TRIALDECK_METRICS_FILE; exec sleep 100"));
    QVERIFY(KeeperFixture::eventually([&] { return m_fixture->fileOf("t1", "metrics.jsonl") == "one\ntwo\n"; }));
    const std::string path = m_fixture->trialPath("t1");
    const std::size_t cursor = KeeperFixture::readFile(path + "/journal").size();
    m_fixture->killAgent();
    for (const pid_t pid : {m_fixture->keeperOf("t1"), m_fixture->wrapperOf("t1"), started["pid"].get<pid_t>()})
        ::kill(pid, SIGKILL);
    QVERIFY(KeeperFixture::eventually([&] { return !KeeperFixture::alive(started["pid"]); }));
    changeBoot(path + "/journal", path + "/lock");
    QCOMPARE(::truncate((path + "/metrics.jsonl").c_str(), 4), 0);
    if (journal)
        QCOMPARE(::truncate((path + "/journal").c_str(), 0), 0);
    m_fixture->begin(json::array({named("t1", {{"journal", cursor}, {"file", 8}})}));
    QCOMPARE(m_fixture->waitForEnd("t1").value("failureClass", std::string()), std::string("machineRestarted"));
    QCOMPARE(m_fixture->streamOf("t1", "file"), std::string());
}

void TestKeeperFaults::cancelFileThatIsEmpty()
{
    // Its name was durable, its bytes were not when the power went.
    m_fixture->begin();
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", "exec sleep 100")).contains("pid"));
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/cancel", std::string(9, '\0'));
    m_fixture->cancel("t1");
    QCOMPARE(m_fixture->waitForEnd("t1").value("intent", std::string()), std::string("user"));
}

void TestKeeperFaults::deletesItsOwnFolder_data()
{
    QTest::addColumn<bool>("keeper");
    QTest::addColumn<bool>("wrapper");
    QTest::addColumn<bool>("agent");
    QTest::newRow("nobody is killed") << false << false << false;
    QTest::newRow("keeper killed") << true << false << false;
    QTest::newRow("wrapper killed") << false << true << false;
    QTest::newRow("keeper and wrapper killed") << true << true << false;
    QTest::newRow("agent killed") << false << false << true;
    QTest::newRow("all killed") << true << true << true;
}

void TestKeeperFaults::deletesItsOwnFolder()
{
    QFETCH(bool, keeper);
    QFETCH(bool, wrapper);
    QFETCH(bool, agent);
    m_fixture->begin();
    const std::string mark = m_fixture->folder.path().toStdString() + "/";
    const auto waits = [&](const std::string& name) {
        return "while [ ! -e " + mark + name + " ]; do sleep 0.02; done; ";
    };
    const json started = m_fixture->start(KeeperFixture::specOf("t1",
        "echo one >> $TRIALDECK_METRICS_FILE; " + waits("delete") + "rm -rf \"$NNI_SYS_DIR\"; " + waits("go")
            + "exit 4"));
    QVERIFY(started.contains("pid"));
    const pid_t keeperPid = m_fixture->keeperOf("t1");
    const pid_t wrapperPid = m_fixture->wrapperOf("t1");
    QVERIFY(keeperPid > 1 && wrapperPid > 1);
    KeeperFixture::writeFile(mark + "delete", "x");
    QVERIFY(KeeperFixture::eventually([&] { return !KeeperFixture::exists(m_fixture->trialPath("t1")); }));
    if (agent)
        m_fixture->killAgent();
    if (keeper)
        ::kill(keeperPid, SIGKILL);
    if (wrapper)
        ::kill(wrapperPid, SIGKILL);
    if (agent)
        QCOMPARE(m_fixture->begin(json::array({named("t1")}))["trials"][0]["state"].get<std::string>(),
            std::string("running"));
    QVERIFY(KeeperFixture::alive(started["pid"]));
    KeeperFixture::writeFile(mark + "go", "x");
    const json end = m_fixture->waitForEnd("t1");
    QVERIFY2(!end.empty(), "the trial has no end");
    // Without a wrapper, init reaps it in its own time.
    QVERIFY(KeeperFixture::eventually([&] { return !KeeperFixture::alive(started["pid"]); }));
    if (keeper && wrapper) {
        QCOMPARE(end["type"].get<std::string>(), std::string("lost"));
        QCOMPARE(end.value("failureClass", std::string()), std::string("trialFolderLost"));
    } else {
        QCOMPARE(end.value("exitCode", -1), 4);
        QCOMPARE(end.value("failureClass", std::string()), std::string("exitCode"));
    }
}

void TestKeeperFaults::replacesItsOwnFolder_data()
{
    QTest::addColumn<std::string>("by");
    QTest::newRow("a file") << std::string(": > \"$NNI_SYS_DIR\"");
    QTest::newRow("a link") << std::string("ln -s /tmp \"$NNI_SYS_DIR\"");
}

void TestKeeperFaults::replacesItsOwnFolder()
{
    // There is no place for its exit file. It ends all the same, and nothing is written where the link leads.
    QFETCH(std::string, by);
    m_fixture->begin();
    const json end = m_fixture->run(KeeperFixture::specOf("t1", "rm -rf \"$NNI_SYS_DIR\"; " + by + "; exit 4"));
    QCOMPARE(end.value("failureClass", std::string()), std::string("trialFolderLost"));
    QVERIFY(!KeeperFixture::exists("/tmp/exit") && !KeeperFixture::exists("/tmp/token"));
}

void TestKeeperFaults::preparedFolderIsStartedAnew()
{
    m_fixture->begin();
    // What a keeper that was killed before its token leaves.
    const std::string path = m_fixture->trialPath("t1");
    ::mkdir(path.c_str(), 0700);
    ::mkdir((path + "/code").c_str(), 0700);
    KeeperFixture::writeFile(path + "/code/old", "old");
    KeeperFixture::writeFile(path + "/journal", "rubbish");
    KeeperFixture::writeFile(path + "/stdout", "rubbish");
    const json hello = m_fixture->begin(json::array({named("t1")}));
    QCOMPARE(hello["trials"][0]["state"].get<std::string>(), std::string("prepared"));
    QCOMPARE(m_fixture->run(KeeperFixture::specOf("t1", "ls; echo fine"))["success"].get<bool>(), true);
    QCOMPARE(m_fixture->fileOf("t1", "stdout"), std::string("fine\n"));
}

void TestKeeperFaults::agentEndsOnEndOfInput()
{
    m_fixture->begin();
    const json started = m_fixture->start(KeeperFixture::specOf("t1", "exec sleep 100"));
    const pid_t keeper = m_fixture->keeperOf("t1");
    const int status = m_fixture->agent->finish();
    QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    QVERIFY(KeeperFixture::alive(keeper) && KeeperFixture::alive(started["pid"]));
    // The keeper holds nothing of the agent's: a session whose output it kept would never close.
    for (int fd = 0; fd < 3; ++fd) {
        char target[256] = {};
        (void)!::readlink(
            ("/proc/" + std::to_string(keeper) + "/fd/" + std::to_string(fd)).c_str(), target, sizeof target - 1);
        QCOMPARE(std::string(target), std::string("/dev/null"));
    }
    m_fixture->begin();
}

void TestKeeperFaults::laterAgentEndsTheEarlier()
{
    m_fixture->begin();
    AgentProcess second(m_fixture->program, m_fixture->base);
    QCOMPARE(second.takeOver()["m"].get<std::string>(), std::string("hello"));
    QVERIFY(m_fixture->agent->waitForName("never", 15'000).name().empty());
    QVERIFY(m_fixture->agent->atEnd());
    second.finish();
}

namespace {

/// A small tmpfs on `folder`, in a mount namespace that this test process takes for itself; empty, or why not.
std::string mountSmall(const std::string& folder, const std::string& options)
{
    if (::geteuid() != 0)
        return "needs root for a file system of its own";
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        return "no mount namespace of its own can be had";
    ::mkdir(folder.c_str(), 0700);
    if (std::system(("mount -t tmpfs -o " + options + " trialdeck-test '" + folder + "' 2>/dev/null").c_str()) != 0)
        return "a tmpfs cannot be mounted here";
    return {};
}

} // namespace

void TestKeeperFaults::fullDisk()
{
    const std::string folder = m_fixture->folder.path().toStdString() + "/small";
    const std::string why = mountSmall(folder, "size=400k,mode=0700");
    if (!why.empty())
        QSKIP(("skipped: " + why).c_str());
    m_mounted = folder;
    m_fixture->base = folder;
    m_fixture->begin();
    QVERIFY(
        m_fixture->start(KeeperFixture::specOf("t1", "while [ ! -e $NNI_OUTPUT_DIR/go ]; do sleep 0.02; done; exit 5"))
            .contains("pid"));
    const std::string output = m_fixture->trialPath("t1") + "/output/";
    KeeperFixture::writeFile(output + "later", "x");
    // Fill it to the last byte.
    const int filler = ::open((folder + "/filler").c_str(), O_WRONLY | O_CREAT, 0600);
    const std::string block(4096, 'f');
    while (::write(filler, block.data(), block.size()) > 0) { }
    ::close(filler);
    json spec = KeeperFixture::specOf("t2", "true");
    spec["parameterCfg"] = std::string(3000, 'p');
    const json result = m_fixture->start(spec);
    QCOMPARE(result.value("kind", std::string()), std::string("resource"));
    QVERIFY(result["message"].get<std::string>().find("disk is full") != std::string::npos);
    QVERIFY(!KeeperFixture::exists(m_fixture->trialPath("t2")));
    // A command that fails to write fails; its end is still reported, as the journal has reserved room.
    QCOMPARE(::rename((output + "later").c_str(), (output + "go").c_str()), 0); // which takes no room
    const json end = m_fixture->waitForEnd("t1");
    QCOMPARE(end.value("exitCode", -1), 5);
    const std::string reason = end.value("reason", std::string());
    QVERIFY2(reason.find("exit code 5") != std::string::npos, reason.c_str());
    QVERIFY2(reason.find("disk of its folder was full") != std::string::npos, reason.c_str());
    ::unlink((folder + "/filler").c_str());
    m_fixture->agent.reset();
}

void TestKeeperFaults::meetsAFullDisk_data()
{
    QTest::addColumn<std::string>("command");
    QTest::addColumn<std::string>("words"); ///< of the reason; empty: nothing about a disk
    // Also with nothing on stderr.
    QTest::newRow("fills the disk of its folder")
        << std::string("exec 2>/dev/null; cat /dev/zero > big; exit 3") << std::string("disk of its folder was full");
    QTest::newRow("fills it, and removes what it wrote")
        << std::string("cat /dev/zero > big || { rm big; exit 3; }") << std::string("as its stderr says");
    QTest::newRow("another disk") << std::string("echo x > /dev/full || exit 3") << std::string("as its stderr says");
    QTest::newRow("a program's own words")
        << std::string("echo \"OSError: [Errno 28] Kein Platz\" >&2; exit 3") << std::string("as its stderr says");
    QTest::newRow("fails by itself") << std::string("echo no such luck >&2; exit 3") << std::string();
}

/// Says so in its reason; the machine says that its disk is full, as long as it is.
void TestKeeperFaults::meetsAFullDisk()
{
    QFETCH(std::string, command);
    QFETCH(std::string, words);
    const std::string folder = m_fixture->folder.path().toStdString() + "/small";
    const std::string why = mountSmall(folder, "size=4m,mode=0700");
    if (!why.empty())
        QSKIP(("skipped: " + why).c_str());
    m_mounted = folder;
    m_fixture->base = folder;
    m_fixture->begin();
    const auto isFull = [this] {
        m_fixture->agent->send({{"m", "host"}, {"intervalMs", 0}});
        m_fixture->agent->send({{"m", "host"}, {"intervalMs", 60'000}});
        return m_fixture->agent->waitForName("load").json.value("diskFull", json()).dump();
    };
    QCOMPARE(isFull(), std::string("false"));
    const json end = m_fixture->run(KeeperFixture::specOf("t1", command));
    const std::string reason = end.value("reason", std::string());
    QCOMPARE(end.value("exitCode", -1), 3);
    QCOMPARE(end.value("failureClass", std::string()), std::string("exitCode"));
    QVERIFY2(reason.find("exit code 3") != std::string::npos, reason.c_str());
    QVERIFY2(words.empty() ? reason.find("disk") == std::string::npos : reason.find(words) != std::string::npos,
        reason.c_str());
    const bool stays = words.find("was full") != std::string::npos;
    QCOMPARE(isFull(), std::string(stays ? "true" : "false"));
    ::unlink((m_fixture->trialPath("t1") + "/code/big").c_str());
    QCOMPARE(isFull(), std::string("false"));
    m_fixture->agent.reset();
}

void TestKeeperFaults::readOnlyDisk()
{
    const std::string folder = m_fixture->folder.path().toStdString() + "/readonly";
    const std::string why = mountSmall(folder, "size=1m,mode=0700");
    if (!why.empty())
        QSKIP(("skipped: " + why).c_str());
    m_mounted = folder;
    m_fixture->base = folder;
    m_fixture->begin();
    if (std::system(("mount -o remount,ro '" + folder + "' 2>/dev/null").c_str()) != 0)
        QFAIL("an idle agent keeps the file system writable");
    const json result = m_fixture->start(KeeperFixture::specOf("t1", "true"));
    QCOMPARE(result.value("kind", std::string()), std::string("platform"));
    QVERIFY(result["message"].get<std::string>().find("disk is read-only") != std::string::npos);
    m_fixture->agent.reset();
    AgentProcess agent(m_fixture->program, folder + "/new");
    agent.start();
    agent.send({{"m", "hello"}, {"version", 1}, {"serviceId", "svc"}, {"machineId", "m1"}});
    QVERIFY(agent.waitForName("helloFailed").json["message"].get<std::string>().find("cannot be written")
        != std::string::npos);
}

void TestKeeperFaults::foldersThatOthersCanChange()
{
    const auto refusal = [this] {
        AgentProcess agent(m_fixture->program, m_fixture->base);
        agent.start();
        agent.send({{"m", "hello"}, {"version", 1}, {"serviceId", "svc"}, {"machineId", "m1"}});
        const AgentMessage reply =
            agent.waitFor([](const AgentMessage& message) { return message.name().starts_with("hello"); });
        return reply.name() == "hello" ? std::string()
                                       : reply.json.value("kind", "") + ": " + reply.json.value("message", "");
    };
    QCOMPARE(refusal(), std::string());
    QCOMPARE(::chmod(m_fixture->base.c_str(), 0770), 0);
    QCOMPARE(refusal(),
        "invalid: " + m_fixture->base
            + " can be changed by other users (drwxrwx---), so what lies there could be anybody's. Take that away "
              "(chmod go-w '"
            + m_fixture->base + "'), or choose another folder with scratchDir.");
    QCOMPARE(::chmod(m_fixture->base.c_str(), 0755), 0);
    // Ours, below: mended.
    const std::string trials = m_fixture->base + "/svc/m1/trials";
    for (const std::string& folder : {trials, m_fixture->base + "/code"})
        QCOMPARE(::chmod(folder.c_str(), 0777), 0);
    QCOMPARE(refusal(), std::string());
    for (const std::string& folder : {trials, m_fixture->base + "/code"}) {
        struct stat info
        {
        };
        QCOMPARE(::stat(folder.c_str(), &info), 0);
        QCOMPARE(int(info.st_mode & 07777), 0700);
    }
    if (::getuid() != 0)
        return; // a second user needs root
    QCOMPARE(::chown(trials.c_str(), 65534, 65534), 0);
    QVERIFY2(refusal().starts_with("invalid: " + trials + " belongs to nobody (user 65534), "), refusal().c_str());
}

void TestKeeperFaults::gpuLocks()
{
    m_fixture->begin();
    const std::string uuid = "GPU-trialdeck-test-" + std::to_string(::getpid());
    json spec = KeeperFixture::specOf("t1", "exec sleep 100");
    spec["gpuLocks"] = {uuid};
    QVERIFY(m_fixture->start(spec).contains("pid"));
    const std::string file = "/tmp/.trialdeck-gpu/" + uuid;
    QCOMPARE(KeeperFixture::readFile(file), std::string("svc"));
    struct stat info
    {
    };
    QCOMPARE(::stat("/tmp/.trialdeck-gpu", &info), 0);
    QCOMPARE(int(info.st_mode & 07777), 01777);
    // The same service may share the GPU, another may not.
    spec["id"] = "t2";
    QVERIFY(m_fixture->start(spec).contains("pid"));
    AgentProcess other(m_fixture->program, m_fixture->base);
    other.start();
    other.send({{"m", "hello"}, {"version", 1}, {"serviceId", "other"}, {"machineId", "m1"}});
    QCOMPARE(other.waitForName("hello").json["trials"].size(), std::size_t(0));
    spec["id"] = "t3";
    other.send({{"m", "start"}, {"trials", json::array({spec})}});
    const json refused = other.waitForName("started").json["results"][0];
    QCOMPARE(refused.value("kind", std::string()), std::string("resource"));
    QVERIFY(refused["message"].get<std::string>().find(uuid) != std::string::npos);
    // Held through the death of its keeper, free after the end.
    ::kill(m_fixture->keeperOf("t1"), SIGKILL);
    m_fixture->cancel("t2", "user", 0);
    QVERIFY(m_fixture->waitForEnd("t2").contains("intent"));
    other.send({{"m", "start"}, {"trials", json::array({spec})}});
    QCOMPARE(other.waitForName("started").json["results"][0].value("kind", std::string()), std::string("resource"));
    m_fixture->cancel("t1", "user", 0);
    QVERIFY(m_fixture->waitForEnd("t1").contains("intent"));
    QVERIFY(KeeperFixture::eventually([&] {
        const int fd = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
        if (fd < 0)
            return errno == ENOENT; // free, and removed by the agent of another test
        const bool free = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
        ::close(fd);
        return free;
    }));
    spec["command"] = "true";
    other.send({{"m", "start"}, {"trials", json::array({spec})}});
    QVERIFY(other.waitForName("started").json["results"][0].contains("pid"));
    other.waitFor([](const AgentMessage& message) { return message.json.value("final", false); });
    ::unlink(file.c_str());
}

void TestKeeperFaults::gpuLocksOfTwoUsers()
{
    if (::getuid() != 0)
        QSKIP("a second user needs root");
    // Another person's service, with a program and a folder that this person may use.
    const QTemporaryDir theirs;
    const std::string folder = theirs.path().toStdString();
    const std::string program = folder + "/trialkeeper";
    KeeperFixture::writeFile(program, KeeperFixture::readFile(m_fixture->program));
    QCOMPARE(::chmod(program.c_str(), 0755), 0);
    QCOMPARE(::chown(folder.c_str(), 65534, 65534), 0);
    AgentProcess other(program, folder + "/base");
    other.start({"/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}, {"HOME=" + folder});
    other.send({{"m", "hello"}, {"version", 1}, {"serviceId", "other"}, {"machineId", "m1"}});
    QCOMPARE(other.waitForName("hello").json["trials"].size(), std::size_t(0));
    m_fixture->begin();
    const std::string uuid = "GPU-trialdeck-users-" + std::to_string(::getpid());
    const auto start = [&](AgentProcess& agent, const char* id) {
        json spec = KeeperFixture::specOf(id, "exec sleep 100");
        spec["gpuLocks"] = {uuid};
        agent.send({{"m", "start"}, {"trials", json::array({spec})}});
        return agent.waitForName("started").json["results"][0];
    };
    const auto end = [&](AgentProcess& agent, const char* id) {
        agent.send({{"m", "cancel"}, {"trials", {id}}, {"intent", "user"}, {"graceMs", 0}});
        agent.waitFor([](const AgentMessage& message) { return message.json.value("final", false); });
    };
    AgentProcess* agents[] = {m_fixture->agent.get(), &other};
    for (int i = 0; i < 2; ++i) { // whichever of them made the lock's file
        AgentProcess& holder = *agents[i];
        AgentProcess& second = *agents[1 - i];
        const std::string id = "t" + std::to_string(i);
        const json held = start(holder, id.c_str());
        QVERIFY2(held.contains("pid"), held.dump().c_str());
        QCOMPARE(start(second, "second").value("kind", std::string()), std::string("resource"));
        end(holder, id.c_str());
        json freed;
        QVERIFY(KeeperFixture::eventually([&] { // the keeper releases it a moment after the end is reported
            freed = start(second, "second");
            return freed.contains("pid");
        }));
        end(second, "second");
        second.send({{"m", "remove"}, {"req", 1}, {"trials", {"second"}}});
        QCOMPARE(second.waitForName("removed").json["failed"].size(), std::size_t(0));
        if (i == 0)
            QVERIFY(::unlink(("/tmp/.trialdeck-gpu/" + uuid).c_str()) == 0 || errno == ENOENT);
    }
    ::unlink(("/tmp/.trialdeck-gpu/" + uuid).c_str());
}

void TestKeeperFaults::gpuLocksThatAreNone()
{
    m_fixture->begin();
    const std::string uuid = "GPU-trialdeck-pipe-" + std::to_string(::getpid());
    const std::string file = "/tmp/.trialdeck-gpu/" + uuid;
    json spec = KeeperFixture::specOf("t1", "exec sleep 100");
    spec["gpuLocks"] = {uuid};
    spec["gpu"] = {{"visible", "6"}};
    QVERIFY(m_fixture->start(spec).contains("pid"));
    // Exchanged while the trial holds it: other agents of this machine remove free locks, and the empty folder.
    QCOMPARE(::mkfifo((file + ".pipe").c_str(), 0666), 0);
    QCOMPARE(::rename((file + ".pipe").c_str(), file.c_str()), 0);
    m_fixture->cancel("t1", "user", 0);
    QVERIFY(m_fixture->waitForEnd("t1").contains("intent"));
    spec["command"] = "true";
    spec["id"] = "t2";
    const json refused = m_fixture->start(spec);
    QCOMPARE(refused.value("kind", std::string()), std::string("resource"));
    const std::string message = refused.value("message", std::string());
    QVERIFY2(message.starts_with("GPU 6 (" + uuid + ") cannot be locked: " + file + " of "), message.c_str());
    QVERIFY2(
        message.ends_with(" is a pipe. Have it removed, or set TRIALDECK_GPU_LOCKS=off where the agent starts: then no "
                          "locks are used."),
        message.c_str());
    // As it says.
    m_fixture->begin(json::array(), {"TRIALDECK_GPU_LOCKS=off"});
    spec["id"] = "t3";
    QCOMPARE(m_fixture->run(spec).value("success", false), true);
    QCOMPARE(::unlink(file.c_str()), 0);
}

void TestKeeperFaults::outOfMemoryIsNotGuessed()
{
    // A SIGKILL alone is no evidence of the kernel's memory killer. Again where that was at work on this machine meanwhile.
    json end;
    std::uint64_t before = 0;
    int tries = 0;
    do {
        m_fixture->begin(); // an agent that reads the kernel's count anew
        before = trialkeeper::oomKills();
        end = m_fixture->run(KeeperFixture::specOf("t" + std::to_string(++tries), "kill -9 $$"));
    } while (trialkeeper::oomKills() != before);
    QCOMPARE(end["success"].get<bool>(), false);
    QVERIFY(end["exitCode"].is_null());
    QCOMPARE(end["signal"].get<int>(), 9);
    QCOMPARE(end["failureClass"].get<std::string>(), std::string("signal"));
    QVERIFY(end["reason"].get<std::string>().size() > 10);
}

void TestKeeperFaults::outOfMemoryIsTold()
{
    // A control group that is too small for the command.
    const std::string name = "/trialdeck-test-" + std::to_string(::getpid());
    const bool first = KeeperFixture::exists("/sys/fs/cgroup/memory");
    const std::string group = (first ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup") + name;
    const std::string limit = group + (first ? "/memory.limit_in_bytes" : "/memory.max");
    if (::mkdir(group.c_str(), 0755) != 0 || !KeeperFixture::exists(limit)) {
        ::rmdir(group.c_str());
        QSKIP("skipped: no control group with a memory limit can be made here");
    }
    std::ofstream(limit) << 20 * 1024 * 1024;
    m_fixture->begin();
    const json end =
        m_fixture->run(KeeperFixture::specOf("t1", "echo $$ > " + group + "/cgroup.procs && exec tail /dev/zero"));
    KeeperFixture::eventually([&] { return ::rmdir(group.c_str()) == 0; });
    QCOMPARE(end["signal"].get<int>(), 9);
    QCOMPARE(end["failureClass"].get<std::string>(), std::string("outOfMemory"));
}

namespace {

/// Keepers and wrappers at work below a folder.
std::vector<pid_t> keepersBelow(const std::string& folder)
{
    std::vector<pid_t> found;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        const std::string command = KeeperFixture::readFile("/proc/" + name.toStdString() + "/cmdline");
        if (name.toInt() > 1 && command.starts_with("trialkeeper")
            && command.find(folder + "/svc") != std::string::npos)
            found.push_back(name.toInt());
    }
    return found;
}

} // namespace

void TestKeeperFaults::randomKills()
{
    // Agents, keepers and wrappers are killed at any moment while a hundred trials are started, and started again
    // where the outcome is not known. None may run twice, and each must come to one end. On a busy machine a hundred may
    // end before many are killed: another hundred follows until enough were.
    // LeakSanitizer looks into a process that ends from another one of the same name: where that is killed, the first waits for ever.
    const std::vector<std::string> environment{"ASAN_OPTIONS=detect_leaks=0"};
    constexpr int enough = 11;
    std::size_t count = 100;
    const unsigned seed = unsigned(QRandomGenerator::global()->generate());
    std::mt19937 random(seed);
    std::string hint = "seed " + std::to_string(seed);
    std::map<std::string, json> ends;
    QElapsedTimer timer;
    timer.start();
    int kills = 0;
    while (ends.size() < count || kills < enough) {
        if (ends.size() == count)
            count += 100;
        QVERIFY2(timer.elapsed() < 300'000, hint.c_str());
        json named = json::array();
        for (std::size_t i = 0; i < count; ++i) {
            if (ends.count("r" + std::to_string(i)) == 0)
                named.push_back({{"id", "r" + std::to_string(i)}});
        }
        const json hello = m_fixture->begin(named, environment);
        if (!hello.is_object())
            continue;
        json specs = json::array();
        for (const json& trial : hello["trials"]) {
            const std::string state = trial.value("state", "");
            const std::string command = "echo x >> $NNI_OUTPUT_DIR/starts; sleep 0.0" + std::to_string(random() % 10);
            // One whose keeper was killed before it started the command has ended, and leaves its folder prepared.
            if ((state == "unknown" || state == "prepared") && ends.count(trial["id"]) == 0)
                specs.push_back(KeeperFixture::specOf(trial["id"], command + "; exit 4"));
        }
        m_fixture->agent->send({{"m", "start"}, {"trials", specs}});
        const bool calm = kills > 40 || (kills >= enough && timer.elapsed() > 40000);
        const auto take = [&](const AgentMessage& message) {
            if (message.name() != "event" || !message.json.value("final", false))
                return true;
            // Told again to a later agent, an end is the same end.
            const auto [at, isNew] = ends.emplace(message.json["trial"], message.json);
            const bool isSame = isNew || at->second.value("offset", -1) == message.json.value("offset", -2);
            if (!isSame)
                hint += "\nfirst: " + at->second.dump() + "\nthen: " + message.json.dump();
            return isSame;
        };
        for (const AgentMessage& message : m_fixture->agent->passed)
            QVERIFY2(take(message), hint.c_str());
        QElapsedTimer round;
        round.start();
        const int length = calm ? 3000 : 20 + int(random() % 200);
        // On a busy machine a round continues until it has met one.
        const int before = kills;
        while (
            (round.elapsed() < length || (!calm && kills == before && round.elapsed() < 3000)) && ends.size() < count) {
            const AgentMessage message = m_fixture->agent->next(5);
            QVERIFY2(take(message), hint.c_str());
            if (calm || random() % 4 != 0)
                continue;
            const std::vector<pid_t> pids = keepersBelow(m_fixture->base);
            if (!pids.empty()) {
                ::kill(pids[random() % pids.size()], SIGKILL);
                ++kills;
            }
        }
        if (!calm && random() % 2 == 0)
            m_fixture->killAgent();
    }
    for (const auto& [id, end] : ends) {
        // A command may be hit too, in the instant before it is one.
        const bool own = end.value("exitCode", json()) == json(4);
        const bool killed = end.value("type", "") == "lost" || end.value("signal", 0) == 9;
        QVERIFY2(own || killed, (hint + ' ' + end.dump()).c_str());
        const std::string starts = m_fixture->fileOf(id, "output/starts");
        QVERIFY2(starts == "x\n" || (starts.empty() && !own), (hint + ' ' + id + ' ' + starts).c_str());
    }
    const bool isOver = KeeperFixture::eventually([&] { return keepersBelow(m_fixture->base).empty(); });
    for (const pid_t pid : isOver ? std::vector<pid_t>() : keepersBelow(m_fixture->base)) {
        const std::string process = "/proc/" + std::to_string(pid);
        hint += "\nleft: " + process + ' ' + KeeperFixture::readFile(process + "/stat");
        for (const char part : KeeperFixture::readFile(process + "/cmdline"))
            hint += part == '\0' ? ' ' : part;
        hint += KeeperFixture::readFile(process + "/wchan");
    }
    QVERIFY2(isOver, hint.c_str());
}

QTEST_GUILESS_MAIN(TestKeeperFaults)
#include "tst_keeper_faults.moc"
