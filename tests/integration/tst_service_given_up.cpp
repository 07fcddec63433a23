// SPDX-License-Identifier: GPL-3.0-or-later
// A machine that is silent does not hold an experiment up: after a person's word its trials end here, and what is left there is ended
// and removed once it answers again. Two real sshds, of which one falls silent.
#include "remote_machines.h"

using namespace Qt::StringLiterals;
using namespace remote_test;

class TestServiceGivenUp : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();

    void anExperimentOnASilentMachine_data();
    void anExperimentOnASilentMachine();
    void stoppedAndBackBeforeTheCleanup();
    void foldersOfEndedTrials();
    void fallsSilentAfterTheWord();

private:
    bool startTrials();
    [[nodiscard]] QString machineId(int index) const
    {
        return u"lab.127.0.0.1-%1"_s.arg((index == 0 ? *m_alive : *m_silent).port());
    }
    void silence(bool frozen);
    void wake(bool frozen);
    /// Whether what the second trial left goes: once its machine, which is asked for by name, is connected again.
    [[nodiscard]] bool isRemoved();
    /// The folder of trials of one of the machines; empty before the first.
    [[nodiscard]] static QStringList foldersOf(const TestSshd& sshd);
    [[nodiscard]] QString state() { return experiment()["state"].get<QString>(); }
    [[nodiscard]] Json experiment() { return m_service->get(u"/api/v1/experiments/"_s + m_experiment).json(); }
    [[nodiscard]] ServiceFixture::Answer act(const QString& action, bool force = false)
    {
        const QString query = force ? u"?force=true"_s : QString();
        const QString path = u"/api/v1/experiments/"_s + m_experiment;
        return action == u"delete"_s ? m_service->request("DELETE", path + query)
                                     : m_service->post(path + u'/' + action + query, Json::object());
    }
    [[nodiscard]] Json finishedRequest(const Json& accepted);
    [[nodiscard]] QString messageOf(const QString& machine);
    [[nodiscard]] bool runs(int index) const;

    std::unique_ptr<TestSshd> m_alive;
    std::unique_ptr<TestSshd> m_silent;
    std::unique_ptr<ServiceFixture> m_service;
    QString m_experiment;
    QStringList m_trials; ///< the second one is on the machine that falls silent
};

void TestServiceGivenUp::init()
{
    qunsetenv("SSH_AUTH_SOCK");
    m_alive = std::make_unique<TestSshd>();
    m_silent = std::make_unique<TestSshd>();
    m_service = std::make_unique<ServiceFixture>();
    QVERIFY(m_alive->start() && m_silent->start());
    trust(*m_service, {m_alive.get(), m_silent.get()});
    QVERIFY(m_service->start());
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(*m_alive), machineOf(*m_silent)}))));
    QVERIFY(waitReady(*m_service, 2));
}

void TestServiceGivenUp::cleanup()
{
    m_service.reset();
    m_alive.reset();
    m_silent.reset();
}

bool TestServiceGivenUp::startTrials()
{
    // Each says that it lives by a file that it touches; SIGTERM ends it.
    m_experiment = m_service->createExperiment({{"name", "given up"}, {"platformId", "lab"},
        {"trialCommand",
            "trap 'exit 1' TERM; until [ -e '" + m_service->folder().toStdString() + "/release' ]; do touch \""
                + m_service->folder().toStdString() + "/alive-$NNI_TRIAL_JOB_ID\"; sleep 0.1; done"},
        {"trialConcurrency", 4}});
    Json trials = Json::array();
    for (int i = 0; i < 2; ++i)
        trials.push_back({{"machineId", machineId(i)}});
    m_trials = m_service->submit(m_experiment, trials);
    return m_trials.size() == 2 && m_service->waitForCount(m_experiment, "RUNNING", 2);
}

/// Whether the trial's command lives: it makes the file again that is taken away.
bool TestServiceGivenUp::runs(int index) const
{
    const QString file = m_service->folder() + u"/alive-"_s + m_trials[index];
    QFile::remove(file);
    return QTest::qWaitFor([&] { return QFile::exists(file); }, 1'500);
}

void TestServiceGivenUp::silence(bool frozen)
{
    if (frozen) {
        m_silent->freeze(true);
    } else {
        m_silent->stopListening();
        m_silent->cut();
    }
}

void TestServiceGivenUp::wake(bool frozen)
{
    if (frozen)
        m_silent->freeze(false);
    else
        QVERIFY(m_silent->start());
}

bool TestServiceGivenUp::isRemoved()
{
    constexpr int askEveryMs = 5'000; // who asks does not wait for the next attempt, 40 s at most
    for (int waited = 0; waited < 90'000; waited += askEveryMs) {
        (void)m_service->post(u"/api/v1/machines/"_s + machineId(1) + u"/check"_s, Json::object());
        if (QTest::qWaitFor([&] { return !foldersOf(*m_silent).contains(m_trials[1]); }, askEveryMs))
            return true;
    }
    return false;
}

QStringList TestServiceGivenUp::foldersOf(const TestSshd& sshd)
{
    QDir base(sshd.home() + u"/.local/share/trialdeck-agent"_s);
    QStringList names = base.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    names.removeIf([](const QString& name) { return name == u"bin" || name == u"code"; });
    QStringList folders;
    for (const QString& service : std::as_const(names))
        for (const QString& machine : QDir(base.filePath(service)).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            folders += QDir(base.filePath(service + u'/' + machine + u"/trials"_s))
                           .entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return folders;
}

Json TestServiceGivenUp::finishedRequest(const Json& accepted)
{
    const QString path = u"/api/v1/requests/"_s + accepted.value("requestId", QString());
    Json request;
    const bool ended = QTest::qWaitFor(
        [&] {
            request = m_service->get(path).json();
            return request.value("state", QString()) != u"running";
        },
        90'000);
    return ended ? request : Json{{"state", "still running"}};
}

QString TestServiceGivenUp::messageOf(const QString& id)
{
    for (const Json& machine : machines(*m_service))
        if (machine["id"].get<QString>() == id)
            return machine.value("message", QString());
    return {};
}

void TestServiceGivenUp::anExperimentOnASilentMachine_data()
{
    QTest::addColumn<bool>("frozen");
    QTest::addColumn<bool>("killed");
    QTest::newRow("its connection broke") << false << false;
    QTest::newRow("it hangs") << true << false;
    QTest::newRow("its connection broke, then the service was killed") << false << true;
    QTest::newRow("it hangs, then the service was killed") << true << true;
}

void TestServiceGivenUp::anExperimentOnASilentMachine()
{
    QFETCH(bool, frozen);
    QFETCH(bool, killed);
    QVERIFY(startTrials());
    silence(frozen);
    QVERIFY(m_service->waitForStatus(m_trials[1], "UNKNOWN"));
    // Without the person's word nothing changes, and what is asked is said.
    for (const QString& action : {u"stop"_s, u"cleanup"_s, u"delete"_s}) {
        const auto refused = act(action);
        QVERIFY2(refused.status == 409, qPrintable(action + u": "_s + QString::fromUtf8(refused.body)));
        const QString sentence = refused.json()["detail"].get<QString>();
        if (action == u"delete") // one of its trials can be reached, and is to be stopped first
            continue;
        QVERIFY2(sentence.contains(m_trials[1]) && sentence.contains(machineId(1)), qPrintable(sentence));
        QVERIFY2(!sentence.contains(m_trials[0]) && sentence.contains(u"force"), qPrintable(sentence));
        const Json list = refused.json().value("outOfReach", Json());
        QVERIFY2(
            list == Json::array({{{"machineId", machineId(1)}, {"trialIds", {m_trials[1]}}}}), list.dump().c_str());
    }
    QCOMPARE(state(), u"RUNNING"_s);
    QCOMPARE(m_service->trial(m_trials[0])["status"].get<QString>(), u"RUNNING"_s);
    // With it, everything ends here.
    const auto stopped = act(u"stop"_s, true);
    QVERIFY2(stopped.status == 200, stopped.body.constData());
    const Json given = m_service->trial(m_trials[1]);
    QCOMPARE(given["status"].get<QString>(), u"USER_CANCELED"_s);
    QVERIFY2(given["reason"].get<QString>().contains(machineId(1)), given.dump().c_str());
    QVERIFY2(given["reason"].get<QString>().contains(u"may run on"), given.dump().c_str());
    QVERIFY(m_service->waitForStatus(m_trials[0], "USER_CANCELED"));
    QTRY_COMPARE_WITH_TIMEOUT(state(), u"STOPPED"_s, 30'000);
    QTRY_VERIFY2_WITH_TIMEOUT(
        messageOf(machineId(1)).contains(u"1 trial "), qPrintable(messageOf(machineId(1))), 30'000);
    QVERIFY2(messageOf(machineId(0)).isEmpty(), qPrintable(messageOf(machineId(0))));
    QCOMPARE(act(u"cleanup"_s).status, 409);
    const auto cleaning = act(u"cleanup"_s, true);
    QCOMPARE(cleaning.status, 202);
    const Json cleaned = finishedRequest(cleaning.json());
    QVERIFY2(cleaned["state"].get<QString>() == u"succeeded", cleaned.dump().c_str());
    QVERIFY2(cleaned["steps"].dump().find(machineId(1).toStdString()) != std::string::npos, cleaned.dump().c_str());
    QVERIFY(!foldersOf(*m_alive).contains(m_trials[0]));
    QVERIFY(foldersOf(*m_silent).contains(m_trials[1]));
    const auto deleted = act(u"delete"_s, true);
    QVERIFY2(deleted.status == 200, deleted.body.constData());
    QVERIFY2(deleted.json()["outOfReach"] == Json::array({{{"machineId", machineId(1)}, {"trialIds", {m_trials[1]}}}}),
        deleted.body.constData());
    QCOMPARE(m_service->get(u"/api/v1/experiments/"_s + m_experiment).status, 404);
    if (killed) {
        m_service->kill9();
        QVERIFY(m_service->start());
        QTRY_VERIFY2_WITH_TIMEOUT(
            messageOf(machineId(1)).contains(u"1 trial "), qPrintable(messageOf(machineId(1))), 60'000);
    }
    QTRY_VERIFY_WITH_TIMEOUT(runs(1), 30'000); // it did not notice anything
    // It is back: its process ends there, and its folder goes.
    wake(frozen);
    QVERIFY(isRemoved());
    QVERIFY(!runs(1));
    QTRY_VERIFY2_WITH_TIMEOUT(messageOf(machineId(1)).isEmpty(), qPrintable(messageOf(machineId(1))), 30'000);
}

/// A stop alone ends what runs there, and takes no folder away.
void TestServiceGivenUp::stoppedAndBackBeforeTheCleanup()
{
    QVERIFY(startTrials());
    silence(true);
    QVERIFY(m_service->waitForStatus(m_trials[1], "UNKNOWN"));
    QCOMPARE(act(u"stop"_s, true).status, 200);
    QTRY_COMPARE_WITH_TIMEOUT(state(), u"STOPPED"_s, 30'000);
    m_service->kill9();
    wake(true);
    QVERIFY(m_service->start());
    QVERIFY(waitReady(*m_service, 2));
    QTRY_VERIFY_WITH_TIMEOUT(!runs(1), 60'000);
    QTRY_VERIFY2_WITH_TIMEOUT(messageOf(machineId(1)).isEmpty(), qPrintable(messageOf(machineId(1))), 30'000);
    QCOMPARE(m_service->trial(m_trials[1])["status"].get<QString>(), u"USER_CANCELED"_s);
    QVERIFY(foldersOf(*m_silent).contains(m_trials[1]));
    const Json cleaned = finishedRequest(act(u"cleanup"_s).json());
    QVERIFY2(cleaned["state"].get<QString>() == u"succeeded", cleaned.dump().c_str());
    QVERIFY(!foldersOf(*m_silent).contains(m_trials[1]));
    QCOMPARE(act(u"delete"_s).status, 200);
}

/// Trials that ended before their machine fell silent leave folders there.
void TestServiceGivenUp::foldersOfEndedTrials()
{
    QVERIFY(startTrials());
    TestSshd::writeFile(m_service->folder() + u"/release"_s, "now");
    QVERIFY(m_service->waitForCount(m_experiment, "SUCCEEDED", 2));
    QCOMPARE(act(u"stop"_s).status, 200);
    silence(false);
    QVERIFY(waitReady(*m_service, 1));
    for (const QString& action : {u"cleanup"_s, u"delete"_s}) {
        const auto refused = act(action);
        QVERIFY2(refused.status == 409, refused.body.constData());
        const QString sentence = refused.json()["detail"].get<QString>();
        QVERIFY2(sentence.contains(machineId(1)) && sentence.contains(u"force"), qPrintable(sentence));
    }
    QVERIFY(foldersOf(*m_alive).contains(m_trials[0])); // nothing was done
    const auto deleted = act(u"delete"_s, true);
    QVERIFY2(deleted.status == 200, deleted.body.constData());
    QVERIFY(!foldersOf(*m_alive).contains(m_trials[0]));
    QVERIFY(foldersOf(*m_silent).contains(m_trials[1]));
    m_service->kill9();
    wake(false);
    QVERIFY(m_service->start());
    QVERIFY(isRemoved());
}

/// The word came before the silence was noticed: it holds for what is found out then.
void TestServiceGivenUp::fallsSilentAfterTheWord()
{
    QVERIFY(startTrials());
    silence(true);
    const auto cleaning = act(u"cleanup"_s, true);
    QCOMPARE(cleaning.status, 202);
    const Json cleaned = finishedRequest(cleaning.json());
    QVERIFY2(cleaned["state"].get<QString>() == u"succeeded", cleaned.dump().c_str());
    QCOMPARE(state(), u"STOPPED"_s);
    QCOMPARE(m_service->trial(m_trials[1])["status"].get<QString>(), u"USER_CANCELED"_s);
    wake(true);
    QVERIFY(isRemoved());
    QVERIFY(!runs(1));
}

QTEST_GUILESS_MAIN(TestServiceGivenUp)
#include "tst_service_given_up.moc"
