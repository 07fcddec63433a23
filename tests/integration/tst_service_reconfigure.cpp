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
    void machineWithTrialsIsRemoved();
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
    /// Trials that count until release(), at most one a machine.
    QStringList startTrials(int count);
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
    const QString command = u"i=0; until [ -e '%1/release' ]; do i=$((i+1)); echo \"{\\\"metric\\\": $i}\" >> "
                            u"\"$TRIALDECK_METRICS_FILE\"; sleep 0.1; done"_s.arg(m_service->folder());
    m_experiment = m_service->createExperiment(
        {{"name", "counting"}, {"platformId", "lab"}, {"trialCommand", command}, {"trialConcurrency", 30}});
    Json trials = Json::array();
    for (int i = 0; i < count; ++i)
        trials.push_back({{"machineId", id(i + 1)}});
    const QStringList ids = m_service->submit(m_experiment, trials);
    return m_service->waitForCount(m_experiment, "RUNNING", count) ? ids : QStringList();
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
    QTRY_COMPARE(logins(), loginsBefore + 1);
    QTRY_COMPARE(ends(), endsBefore + 1);
    finish(trials);
}

void TestServiceReconfigure::machineInTheMiddleOfItsLogin()
{
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
    QTRY_COMPARE(connections.size(), 1);
    const int loginsBefore = logins();
    const int endsBefore = ends();
    three.insert(three.begin(), machine(3));
    QCOMPARE(put(three), 200);
    QVERIFY(waitReady(*m_service, 3));
    QCOMPARE(connections.size(), 1);
    QCOMPARE(connections[0]->state(), QAbstractSocket::ConnectedState);
    QCOMPARE(logins(), loginsBefore + 1);
    QCOMPARE(put(list(2)), 200);
    QTRY_COMPARE(ends(), endsBefore + 1);
    QVERIFY(waitReady(*m_service, 2));
    QCOMPARE(int(machines(*m_service).size()), 2);
    QCOMPARE(logins(), loginsBefore + 1);
    QCOMPARE(connections.size(), 1);
}

void TestServiceReconfigure::machineWithTrialsIsRemoved()
{
    QVERIFY(startWith(3));
    QStringList trials = startTrials(3);
    QCOMPARE(trials.size(), 3);
    const QString taken = trials.takeAt(1);
    const Json before = facts(trials);
    const int loginsBefore = logins();
    QCOMPARE(put(Json::array({machine(1), machine(3)})), 200);
    QVERIFY(m_service->waitForStatus(taken, "FAILED"));
    const Json failed = m_service->trial(taken);
    QVERIFY2(
        failed["reason"].get<QString>().contains(u"not in the platform's settings any more"), failed.dump().c_str());
    QCOMPARE(core::dumpJson(facts(trials)), core::dumpJson(before));
    QCOMPARE(int(machines(*m_service).size()), 2);
    QCOMPARE(logins(), loginsBefore);
    finish(trials);
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
