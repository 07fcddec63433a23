// SPDX-License-Identifier: GPL-3.0-or-later
// A whole service with a real Slurm of one node: nothing lost, nothing doubled, limits kept, nothing left.
#include "slurm_service.h"

using namespace Qt::StringLiterals;
using core::Json;

class TestServiceSlurm : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void hundredTrials_data();
    void hundredTrials();
    void killedWithRunningAndWaitingJobs();

private:
    std::unique_ptr<SlurmService> m;
};

void TestServiceSlurm::initTestCase()
{
    if (const QString missing = SlurmCluster::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void TestServiceSlurm::init()
{
    m = std::make_unique<SlurmService>();
    if (QByteArrayView(QTest::currentDataTag()) == "slurmrestd") {
        if (const QString missing = SlurmCluster::missingRest(); !missing.isEmpty())
            QSKIP(qPrintable(missing));
        m->cluster().wantRest();
    }
    QVERIFY(m->start());
}

void TestServiceSlurm::cleanup()
{
    if (QTest::currentTestFailed() && m)
        m->complain();
    m.reset();
}

void TestServiceSlurm::hundredTrials_data()
{
    QTest::addColumn<bool>("overSsh");
    QTest::newRow("commands here") << false;
    QTest::newRow("login node") << true;
    QTest::newRow("slurmrestd") << false; // with a token that is renewed in the middle
}

void TestServiceSlurm::hundredTrials()
{
    QFETCH(bool, overSsh);
    TestSshd login;
    if (overSsh) {
        QVERIFY(login.start());
        remote_test::trust(m->service(), {&login});
    }
    QVERIFY2(m->service().start(), m->service().output());
    if (m->cluster().hasRest())
        m->writeToken(40);
    QVERIFY(m->open(overSsh ? &login : nullptr));
    if (m->cluster().hasRest())
        m->writeToken(1'800);
    Json members = m->trials().experiment(u"lab"_s, 0, 12);
    members["gpuNumber"] = 1;
    members["platformOptions"] = {{"trialMemorySize", "20 MB"}};
    const QString experiment = m->service().createExperiment(members);
    Json forms = Json::array();
    for (int i = 0; i < 90; ++i)
        forms.push_back(Json::object());
    QStringList ids = m->service().submit(experiment, forms);
    QVERIFY(m->succeeded(experiment, 20));
    m->cluster().stopController();
    forms.erase(forms.begin() + 10, forms.end());
    ids += m->service().submit(experiment, forms); // they wait here
    QCOMPARE(ids.size(), 100);
    QString reason;
    const auto waitsForController = [&] {
        reason = m->service().trial(ids.last())["reason"].get<QString>();
        return reason.contains(u"controller");
    };
    QVERIFY2(QTest::qWaitFor(waitsForController, 120'000), qPrintable(reason)); // each attempt clears it for a moment
    QVERIFY2(m->cluster().startController(), qPrintable(m->cluster().error()));
    QVERIFY(m->succeeded(experiment, 50));
    m->service().kill9();
    QVERIFY2(m->service().start(), m->service().output());
    QVERIFY(m->succeeded(experiment, 100));

    for (const QString& id : ids) {
        QCOMPARE(m->trials().wrong(m->service(), id), QString());
        const QByteArray log = m->service().log(id, u"stdout"_s);
        QCOMPARE(log.count('\n'), m->trials().reported(id));
        QVERIFY(m->service().trial(id)["machineId"].get<QString>().startsWith(u"lab."));
    }
    QVERIFY2(m->trials().mostAtOnce() <= 2, qPrintable(QString::number(m->trials().mostAtOnce()))); // two GPUs

    QCOMPARE(m->service().post(u"/api/v1/experiments/%1/stop"_s.arg(experiment), Json::object()).status, 200);
    QTRY_VERIFY_WITH_TIMEOUT(
        m->service().get(u"/api/v1/experiments/"_s + experiment).json().value("state", "") == "STOPPED", 60'000);
    const auto cleaning = m->service().post(u"/api/v1/experiments/%1/cleanup"_s.arg(experiment), Json::object());
    QCOMPARE(cleaning.status, 202);
    QTRY_COMPARE_WITH_TIMEOUT(m->files(), QStringList(), 60'000);
    QVERIFY(!m->queue().contains("td-"));
}

void TestServiceSlurm::killedWithRunningAndWaitingJobs()
{
    QVERIFY2(m->service().start(), m->service().output());
    QVERIFY(m->open());
    Json members = m->trials().experiment(u"lab"_s, 0, 1'000'000, 0.25);
    members["platformOptions"] = {{"trialMemorySize", "40 MB"}}; // 50 of them fill the node
    const QString experiment = m->service().createExperiment(members);
    Json forms = Json::array();
    for (int i = 0; i < 100; ++i)
        forms.push_back(Json::object());
    const QStringList ids = m->service().submit(experiment, forms);
    QVERIFY(m->service().waitForCount(experiment, "RUNNING", 50, longMs));
    QTRY_VERIFY_WITH_TIMEOUT(
        m->service().get(u"/api/v1/experiments/"_s + experiment).json()["counts"].value("WAITING", 0) == 50, 60'000);
    QVERIFY(m->waitForQueue(100, 60'000)); // all of them are Slurm's
    m->service().kill9();
    QVERIFY2(m->service().start(), m->service().output());
    QVERIFY(m->isReady());
    QVERIFY(m->service().waitForCount(experiment, "RUNNING", 50, longMs));
    QVERIFY(m->waitForQueue(100, 60'000));
    m->trials().end();
    QVERIFY(m->succeeded(experiment, 100));
    for (const QString& id : ids)
        QCOMPARE(m->trials().wrong(m->service(), id), QString());
}

QTEST_GUILESS_MAIN(TestServiceSlurm)
#include "tst_service_slurm.moc"
