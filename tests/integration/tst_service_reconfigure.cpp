// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of a platform change while its machines are connected: what they leave as it is stays connected. The machines are two
// sshds on many loopback addresses (one listens on 16 at most), whose logs count logins and ends of sessions.
#include "remote_machines.h"

#include <QTcpServer>
#include <QTcpSocket>

using namespace Qt::StringLiterals;
using namespace remote_test;

class TestServiceReconfigure : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();

    void machineIsAdded();
    void settingsChangeWhileTrialsRun();
    void machineInTheMiddleOfItsLogin();
    void machineWithTrialsLeaves();
    void machineLeftBetweenTwoLives();
    void oneWrongEntryOfAFile();
    void machineWithTrialsIsRemovedByForce();
    void silentMachineIsRemovedByForce_data();
    void silentMachineIsRemovedByForce();
    void machineIsRemoved();
    void killedRightAfter();

private:
    bool startWith(int machines);
    [[nodiscard]] Json machine(int number) const;
    [[nodiscard]] Json list(int count) const;
    [[nodiscard]] const TestSshd& sshd(int number) const { return number <= 11 ? *m_first : *m_second; }
    [[nodiscard]] static QString address(int number)
    {
        return u"127.0.0.%1"_s.arg(number <= 11 ? number : number - 11);
    }
    [[nodiscard]] QString id(int number) const { return u"lab.%1-%2"_s.arg(address(number)).arg(sshd(number).port()); }
    [[nodiscard]] int count(std::initializer_list<const char*> words) const;
    [[nodiscard]] int logins() const { return count({"Accepted publickey"}); }
    [[nodiscard]] int ends() const
    {
        return count({"Disconnected from user", "Connection closed by", "Connection reset by"});
    }
    int put(const Json& machines);
    /// As a person edits it while no service runs.
    [[nodiscard]] QString settingsPath() const { return m_service->dataDir() + u"/config/platforms/lab.json"_s; }
    [[nodiscard]] Json settingsFile() const;
    void writeSettingsFile(const Json& document) { TestSshd::writeFile(settingsPath(), core::dumpJson(document)); }
    /// Trials that count until release(), at most one a machine.
    QStringList startTrials(int count);
    /// Written by a trial that gets SIGTERM.
    [[nodiscard]] QString termOf(const QString& trial) const { return m_service->folder() + u"/term-"_s + trial; }
    /// The one folder of a service below an agent's base.
    [[nodiscard]] static QString serviceFolder(const QString& base)
    {
        QStringList names = QDir(base).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        names.removeIf([](const QString& name) { return name == u"bin" || name == u"code"; });
        return names.value(0);
    }
    void release() { TestSshd::writeFile(m_service->folder() + u"/release"_s, "now"); }
    [[nodiscard]] Json facts(const QStringList& trials);
    void finish(const QStringList& trials);

    std::unique_ptr<TestSshd> m_first;
    std::unique_ptr<TestSshd> m_second;
    std::unique_ptr<ServiceFixture> m_service;
    QString m_experiment;
};

void TestServiceReconfigure::init()
{
    qunsetenv("SSH_AUTH_SOCK");
    QByteArray addresses;
    for (int i = 2; i <= 11; ++i)
        addresses += "ListenAddress 127.0.0." + QByteArray::number(i) + '\n';
    m_first = std::make_unique<TestSshd>(addresses);
    m_second = std::make_unique<TestSshd>(addresses);
    m_service = std::make_unique<ServiceFixture>();
    QVERIFY(m_first->start() && m_second->start());
}

void TestServiceReconfigure::cleanup()
{
    m_service.reset();
    m_first.reset();
    m_second.reset();
}

int TestServiceReconfigure::count(std::initializer_list<const char*> words) const
{
    int sum = 0;
    for (const QByteArray& log : {m_first->log(), m_second->log()})
        for (const char* word : words)
            sum += int(log.count(word));
    return sum;
}

Json TestServiceReconfigure::machine(int number) const
{
    Json machine = machineOf(sshd(number));
    machine["host"] = address(number);
    return machine;
}

Json TestServiceReconfigure::list(int count) const
{
    Json list = Json::array();
    for (int i = 1; i <= count; ++i)
        list.push_back(machine(i));
    return list;
}

Json TestServiceReconfigure::settingsFile() const
{
    QFile file(settingsPath());
    const core::Result<Json> document = file.open(QIODevice::ReadOnly) ? core::parseJson(file.readAll()) : Json();
    return document ? *document : Json();
}

bool TestServiceReconfigure::startWith(int machines)
{
    QByteArray known;
    for (int i = 1; i <= 21; ++i)
        known += '[' + address(i).toUtf8() + "]:" + QByteArray::number(sshd(i).port()) + ' ' + sshd(i).hostPublicKey()
            + '\n';
    QDir().mkpath(m_service->dataDir());
    TestSshd::writeFile(trustFile(*m_service), known);
    return m_service->start() && put(list(machines)) / 100 == 2 && waitReady(*m_service, machines);
}

int TestServiceReconfigure::put(const Json& machines)
{
    return m_service->request("PUT", u"/api/v1/platforms/lab"_s, core::dumpJson(platformOf(machines))).status;
}

QStringList TestServiceReconfigure::startTrials(int count)
{
    // From SIGTERM to SIGKILL are five seconds: its mark needs no other process.
    const QString command = u"trap \": > '%1/term-$NNI_TRIAL_JOB_ID'; exit 1\" TERM; i=0; until [ -e '%1/release' ]; "
                            u"do i=$((i+1)); echo \"{\\\"metric\\\": $i}\" >> \"$TRIALDECK_METRICS_FILE\"; "
                            u": > '%1/listens-'$NNI_TRIAL_JOB_ID; sleep 0.1; done"_s.arg(m_service->folder());
    m_experiment = m_service->createExperiment(
        {{"name", "counting"}, {"platformId", "lab"}, {"trialCommand", command}, {"trialConcurrency", 30}});
    Json trials = Json::array();
    for (int i = 0; i < count; ++i)
        trials.push_back({{"machineId", id(i + 1)}});
    const QStringList ids = m_service->submit(m_experiment, trials);
    if (!m_service->waitForCount(m_experiment, "RUNNING", count))
        return {};
    // It runs a moment before it would notice SIGTERM, and before its first value.
    const bool listen = QTest::qWaitFor(
        [&] {
            return std::all_of(ids.begin(), ids.end(),
                [&](const QString& id) { return QFile::exists(m_service->folder() + u"/listens-"_s + id); });
        },
        60'000);
    return listen ? ids : QStringList();
}

/// What must not change for a trial that is not disturbed: its machine, its beginning, and its journal.
Json TestServiceReconfigure::facts(const QStringList& trials)
{
    Json all = Json::array();
    for (const QString& id : trials) {
        const Json trial = m_service->trial(id);
        const Json journal = m_service->get(u"/api/v1/trials/%1/events"_s.arg(id)).json();
        all.push_back({trial["status"], trial["machineId"], trial["startTime"], journal["events"]});
    }
    return all;
}

/// Every value came once, and in order.
void TestServiceReconfigure::finish(const QStringList& trials)
{
    release();
    QVERIFY(m_service->waitForCount(m_experiment, "SUCCEEDED", trials.size()));
    for (const QString& id : trials) {
        int expected = 0;
        const Json values = m_service->metrics(id);
        for (const Json& value : values)
            QCOMPARE(value["data"].get<QString>(), QString::number(++expected));
        QVERIFY(expected > 0);
    }
}

void TestServiceReconfigure::machineIsAdded()
{
    QVERIFY(startWith(20));
    const QStringList trials = startTrials(3);
    QCOMPARE(trials.size(), 3);
    const Json before = facts(trials);
    const int loginsBefore = logins();
    const int endsBefore = ends();
    QCOMPARE(loginsBefore, 20);
    QCOMPARE(put(list(21)), 200);
    // At no time is one of the others anything but ready.
    for (const Json& known : machines(*m_service)) {
        if (known["id"].get<QString>() != id(21))
            QCOMPARE(known["state"].get<QString>(), u"READY"_s);
    }
    QVERIFY(waitReady(*m_service, 21));
    QCOMPARE(logins(), loginsBefore + 1);
    QCOMPARE(ends(), endsBefore);
    QCOMPARE(core::dumpJson(facts(trials)), core::dumpJson(before));
    finish(trials);
    QCOMPARE(logins(), loginsBefore + 1);
    QCOMPARE(ends(), endsBefore);
}

void TestServiceReconfigure::settingsChangeWhileTrialsRun()
{
    QVERIFY(startWith(3));
    const QStringList trials = startTrials(3);
    QCOMPARE(trials.size(), 3);
    const Json before = facts(trials);
    const int loginsBefore = logins();
    const int endsBefore = ends();
    // The same again, and again.
    QCOMPARE(put(list(3)), 200);
    QCOMPARE(put(list(3)), 200);
    // Limits, and the order.
    Json changed = Json::array({machine(3), machine(1), machine(2)});
    changed[0]["maxTrialNumberPerGpu"] = 4;
    changed[1]["gpuIndices"] = Json::array({0, 2});
    changed[2]["useActiveGpu"] = true;
    QCOMPARE(put(changed), 200);
    const auto settings = [this] { return m_service->get(u"/api/v1/platforms/lab"_s).json(); };
    const Json kept = settings();
    QCOMPARE(kept["settings"]["machineList"][0]["maxTrialNumberPerGpu"].get<int>(), 4);
    QCOMPARE(kept["state"].get<QString>(), u"READY"_s);
    // A wrong one among good ones: nothing of it holds.
    Json wrong = list(4);
    wrong[3]["port"] = 70'000;
    QCOMPARE(put(wrong), 422);
    wrong = list(4);
    wrong[1]["scratchDir"] = "here";
    QCOMPARE(put(wrong), 422);
    QCOMPARE(core::dumpJson(settings()), core::dumpJson(kept));
    QCOMPARE(int(machines(*m_service).size()), 3);
    QCOMPARE(logins(), loginsBefore);
    QCOMPARE(ends(), endsBefore);
    QCOMPARE(core::dumpJson(facts(trials)), core::dumpJson(before));
    // Another way to one of them: that one alone connects anew, and its trial goes on.
    changed[0]["pythonPath"] = "/opt/none";
    QCOMPARE(put(changed), 200);
    QVERIFY(waitReady(*m_service, 3));
    QTRY_COMPARE_WITH_TIMEOUT(logins(), loginsBefore + 1, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(ends(), endsBefore + 1, 30'000);
    finish(trials);
}

void TestServiceReconfigure::machineInTheMiddleOfItsLogin()
{
    // Its login is not given up while this test looks, however late this computer is.
    const QString home = m_service->folder() + u"/home"_s;
    QVERIFY(QDir().mkpath(home + u"/.ssh"_s));
    TestSshd::writeFile(home + u"/.ssh/config"_s, "Host *\n  ConnectTimeout 600\n");
    m_service->setEnvironment(u"HOME"_s, home);
    QVERIFY(startWith(2));
    QTcpServer silent;
    QList<QTcpSocket*> connections;
    connect(&silent, &QTcpServer::newConnection, &silent, [&] { connections.append(silent.nextPendingConnection()); });
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    Json slow = machine(1);
    slow["port"] = silent.serverPort();
    Json three = list(2);
    three.push_back(slow);
    QCOMPARE(put(three), 200);
    QTRY_COMPARE_WITH_TIMEOUT(connections.size(), 1, 30'000);
    const int loginsBefore = logins();
    const int endsBefore = ends();
    three.insert(three.begin(), machine(3));
    QCOMPARE(put(three), 200);
    QVERIFY(waitReady(*m_service, 3));
    QCOMPARE(connections.size(), 1);
    QCOMPARE(connections[0]->state(), QAbstractSocket::ConnectedState);
    QCOMPARE(logins(), loginsBefore + 1);
    QCOMPARE(put(list(2)), 200);
    QTRY_COMPARE_WITH_TIMEOUT(ends(), endsBefore + 1, 30'000);
    QVERIFY(waitReady(*m_service, 2));
    QCOMPARE(int(machines(*m_service).size()), 2);
    QCOMPARE(logins(), loginsBefore + 1);
    QCOMPARE(connections.size(), 1);
}

/// Settings that would lose running trials are refused; by force they are given up, and end where they run once that is seen again.
void TestServiceReconfigure::machineWithTrialsLeaves()
{
    QVERIFY(startWith(3));
    QStringList trials = startTrials(3);
    QCOMPARE(trials.size(), 3);
    const Json all = facts(trials);
    const QStringList everyone = trials;
    const QString taken = trials.takeAt(1);
    const Json before = facts(trials);
    const int loginsBefore = logins();
    const Json without = Json::array({machine(1), machine(3)});
    const auto refusal = [&](const Json& machines) {
        const auto reply = m_service->request("PUT", u"/api/v1/platforms/lab"_s, core::dumpJson(platformOf(machines)));
        const bool says = reply.status == 409 && reply.json().value("force", false);
        return says ? reply.json()["detail"].get<QString>() : QString::number(reply.status);
    };
    const QString sentence = refusal(without);
    QVERIFY2(sentence.contains(taken) && sentence.contains(id(2)), qPrintable(sentence));
    QVERIFY2(!sentence.contains(id(1)), qPrintable(sentence));
    Json changed = list(3);
    changed[1]["scratchDir"] = "~/elsewhere";
    QVERIFY2(refusal(changed).contains(taken), qPrintable(refusal(changed)));
    changed = list(3);
    changed[1]["host"] = address(4); // the same computer, as it happens, but who knows
    changed[1]["name"] = id(2).section(u'.', 1).toStdString();
    QVERIFY2(refusal(changed).contains(taken), qPrintable(refusal(changed)));
    // Nothing has changed.
    QCOMPARE(core::dumpJson(facts(everyone)), core::dumpJson(all));
    QCOMPARE(int(machines(*m_service).size()), 3);
    QCOMPARE(logins(), loginsBefore);
    // By force.
    QCOMPARE(
        m_service->request("PUT", u"/api/v1/platforms/lab?force=true"_s, core::dumpJson(platformOf(without))).status,
        200);
    QVERIFY(m_service->waitForStatus(taken, "USER_CANCELED"));
    const Json given = m_service->trial(taken);
    QVERIFY2(given["reason"].get<QString>().contains(u"given up"), given.dump().c_str());
    QCOMPARE(core::dumpJson(facts(trials)), core::dumpJson(before));
    QCOMPARE(int(machines(*m_service).size()), 2);
    QCOMPARE(logins(), loginsBefore);
    QVERIFY(!QFile::exists(termOf(taken)));
    // It comes back: what was given up ends there, and stays what it became.
    QCOMPARE(put(list(3)), 200);
    QVERIFY(waitReady(*m_service, 3));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(termOf(taken)), 60'000);
    QCOMPARE(m_service->trial(taken)["status"].get<QString>(), u"USER_CANCELED"_s);
    finish(trials);
}

/// Settings edited by hand while the service was down: nobody can ask how the trial is, so it is UNKNOWN until a person gives it up
/// or the machine is back.
void TestServiceReconfigure::machineLeftBetweenTwoLives()
{
    QVERIFY(startWith(2));
    const QStringList trials = startTrials(2);
    QCOMPARE(trials.size(), 2);
    m_service->kill9();
    Json document = settingsFile();
    Json& machines = document["settings"]["machineList"];
    machines.erase(1);
    machines[0].erase("name");
    machines[0]["password"] = {{"set", true}};
    writeSettingsFile(document);
    QVERIFY(m_service->start());
    QVERIFY(m_service->waitForStatus(trials[1], "UNKNOWN"));
    const auto last = m_service->request("DELETE", u"/api/v1/machines/%1?force=true"_s.arg(id(1)));
    QVERIFY2(last.json()["detail"].get<QString>().contains(u"only machine"_s), last.body.constData());
    const Json unknown = m_service->trial(trials[1]);
    QVERIFY2(unknown["reason"].get<QString>().contains(u"is not in the settings"), unknown.dump().c_str());
    QVERIFY(m_service->waitForStatus(trials[0], "RUNNING"));
    // Without force a cancel waits for the machine.
    const auto cancel = [&](const Json& body) {
        return m_service->request("POST", u"/api/v1/trials/%1/cancel"_s.arg(trials[1]), core::dumpJson(body)).status;
    };
    QCOMPARE(cancel(Json::object()), 200);
    QCOMPARE(m_service->trial(trials[1])["status"].get<QString>(), u"UNKNOWN"_s);
    QCOMPARE(cancel({{"force", true}}), 200);
    QCOMPARE(m_service->trial(trials[1])["status"].get<QString>(), u"USER_CANCELED"_s);
    finish({trials[0]});
}

/// A wrong entry that a person wrote into the file is a failed machine; the others are used, and it can be removed as any.
void TestServiceReconfigure::oneWrongEntryOfAFile()
{
    QVERIFY(startWith(2));
    const QStringList trials = startTrials(2);
    QCOMPARE(trials.size(), 2);
    m_service->kill9();
    Json document = settingsFile();
    Json& list = document["settings"]["machineList"];
    Json wrong = list[1];
    wrong["port"] = 70'000;
    wrong.erase("name");
    Json twin = list[0];
    twin["host"] = "127.0.0.9";
    list = Json::array({wrong, list[0], twin, list[1], "a word"});
    writeSettingsFile(document);
    QVERIFY(m_service->start());
    const auto inState = [this](const char* state) {
        QHash<QString, QString> messages;
        for (const Json& machine : machines(*m_service))
            if (machine["state"] == state)
                messages.insert(machine["id"].get<QString>(), machine.value("message", QString()));
        return messages;
    };
    QTRY_COMPARE_WITH_TIMEOUT(inState("READY").size(), 2, 60'000);
    QVERIFY(m_service->waitForCount(m_experiment, "RUNNING", 2));
    const QHash<QString, QString> failed = inState("FAILED");
    QCOMPARE(failed.size(), 3);
    QVERIFY2(failed[u"lab.entry-1"_s].contains(u"machineList[0].port"), qPrintable(failed[u"lab.entry-1"_s]));
    QVERIFY2(failed[u"lab.entry-5"_s].contains(u"machineList[4]"), qPrintable(failed[u"lab.entry-5"_s]));
    QVERIFY2(failed[u"lab.entry-3"_s].contains(u"machineList[2].name"), qPrintable(failed[u"lab.entry-3"_s]));
    // Saving asks for a whole list that is right, and still refuses to lose what runs.
    QCOMPARE(put(Json::array({machine(3)})), 409);
    const auto refusal = m_service->request("DELETE", u"/api/v1/machines/lab.entry-5"_s);
    QCOMPARE(refusal.status, 422);
    QVERIFY2(refusal.json()["detail"].get<QString>().contains(u"machineList["), refusal.body.constData());
    // The only wrong one goes as any machine.
    m_service->kill9();
    list.erase(4);
    list.erase(2);
    writeSettingsFile(document);
    QVERIFY(m_service->start());
    QTRY_COMPARE_WITH_TIMEOUT(inState("READY").size(), 2, 60'000);
    QCOMPARE(inState("FAILED").keys(), QStringList({u"lab.entry-1"_s}));
    QCOMPARE(m_service->request("DELETE", u"/api/v1/machines/lab.entry-1"_s).status, 200);
    QVERIFY(waitReady(*m_service, 2));
    QCOMPARE(int(machines(*m_service).size()), 2);
    finish(trials);
}

/// Trials of a machine that can be reached do not run on after it was removed by force.
void TestServiceReconfigure::machineWithTrialsIsRemovedByForce()
{
    QVERIFY(startWith(2));
    const QStringList trials = startTrials(2);
    QCOMPARE(trials.size(), 2);
    const auto reply = m_service->request("DELETE", u"/api/v1/machines/%1?force=true"_s.arg(id(2)));
    QVERIFY2(reply.status == 200, reply.body.constData());
    QCOMPARE(m_service->trial(trials[1])["status"].get<QString>(), u"USER_CANCELED"_s);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(termOf(trials[1])), 60'000);
    QVERIFY(!QFile::exists(termOf(trials[0])));
    finish({trials[0]});
}

/// One that is gone for good answers nothing any more: its removal does not wait for it.
void TestServiceReconfigure::silentMachineIsRemovedByForce_data()
{
    QTest::addColumn<bool>("frozen");
    QTest::newRow("its connection broke") << false;
    QTest::newRow("it hangs") << true;
}

void TestServiceReconfigure::silentMachineIsRemovedByForce()
{
    QFETCH(bool, frozen);
    QVERIFY(startWith(2));
    const QStringList trials = startTrials(2);
    QCOMPARE(trials.size(), 2);
    if (frozen) {
        m_first->freeze(true);
    } else {
        m_first->stopListening();
        m_first->cut();
    }
    const auto reply = m_service->request("DELETE", u"/api/v1/machines/%1?force=true"_s.arg(id(2)));
    QVERIFY2(reply.status == 200, reply.body.constData());
    QVERIFY2(!reply.json()["deleted"].get<bool>(), reply.body.constData());
    QCOMPARE(m_service->trial(trials[1])["status"].get<QString>(), u"USER_CANCELED"_s);
    QCOMPARE(int(machines(*m_service).size()), 1);
    release();
    m_first->freeze(false);
}

void TestServiceReconfigure::machineIsRemoved()
{
    QVERIFY(startWith(3));
    const QStringList trials = startTrials(2);
    QCOMPARE(trials.size(), 2);
    const QString path = u"/api/v1/machines/"_s + id(2);
    const Json plan = m_service->request("DELETE", path + u"?dryRun=true"_s).json();
    QVERIFY2(plan["liveTrials"] == Json::array({trials[1].toStdString()}), plan.dump().c_str());
    QCOMPARE(plan["trialFolders"].get<int>(), 1);
    QCOMPARE(m_service->request("DELETE", path).status, 409);
    QCOMPARE(int(machines(*m_service).size()), 3);
    finish(trials);
    const QString base = sshd(2).home() + u"/.local/share/trialdeck-agent"_s;
    const auto folders = [&] {
        return QDir(base + u'/' + serviceFolder(base)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    };
    QVERIFY2(folders().contains(id(2)), qPrintable(folders().join(u' ')));
    const auto reply = m_service->request("DELETE", path);
    QVERIFY2(reply.status == 200, reply.body.constData());
    QVERIFY2(reply.json()["deleted"].get<bool>(), reply.body.constData());
    QVERIFY(!folders().contains(id(2)));
    QVERIFY(folders().contains(id(1)));
    QCOMPARE(int(machines(*m_service).size()), 2);
    QCOMPARE(m_service->request("DELETE", path).status, 404);
    QCOMPARE(m_service->request("DELETE", u"/api/v1/machines/"_s + id(1)).status, 200);
    // The last one is the platform.
    const auto last = m_service->request("DELETE", u"/api/v1/machines/"_s + id(3));
    QCOMPARE(last.status, 409);
    QVERIFY2(last.json()["detail"].get<QString>().contains(u"only machine"_s), last.body.constData());
    // What is left of the experiment can be deleted.
    QCOMPARE(m_service->request("POST", u"/api/v1/experiments/%1/stop"_s.arg(m_experiment)).status, 200);
    QCOMPARE(m_service->request("DELETE", u"/api/v1/experiments/"_s + m_experiment).status, 200);
}

void TestServiceReconfigure::killedRightAfter()
{
    QVERIFY(startWith(2));
    const QStringList trials = startTrials(2);
    QCOMPARE(trials.size(), 2);
    QCOMPARE(put(list(3)), 200);
    m_service->kill9();
    QVERIFY(m_service->start());
    QVERIFY(waitReady(*m_service, 3));
    QVERIFY(m_service->waitForCount(m_experiment, "RUNNING", 2));
    finish(trials);
}

QTEST_GUILESS_MAIN(TestServiceReconfigure)
#include "tst_service_reconfigure.moc"
