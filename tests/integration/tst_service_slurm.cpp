// SPDX-License-Identifier: GPL-3.0-or-later
// A whole service with a real Slurm of one node: nothing lost, nothing doubled, limits kept, nothing left.
#include "counting_trials.h"
#include "remote_machines.h"

#include "tests/fakes/slurm_cluster.h"

#include <QDirIterator>

using namespace Qt::StringLiterals;
using core::Json;

namespace {

constexpr int longMs = 120'000;

} // namespace

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
    [[nodiscard]] QString shared() const { return m_folder->filePath(u"shared"_s); }
    [[nodiscard]] Json settings(const TestSshd* login = nullptr) const;
    [[nodiscard]] bool open(const TestSshd* login = nullptr);
    [[nodiscard]] bool isReady();
    /// Waits until so many have, or more.
    [[nodiscard]] bool succeeded(const QString& experiment, qint64 count)
    {
        return QTest::qWaitFor([&] { return m_service->count(experiment, "SUCCEEDED") >= count; }, longMs);
    }
    [[nodiscard]] QByteArray queue() const { return m_cluster->run({u"squeue"_s, u"-h"_s, u"--me"_s}).out; }

    std::unique_ptr<SlurmCluster> m_cluster;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ServiceFixture> m_service;
    std::unique_ptr<CountingTrials> m_trials;
};

void TestServiceSlurm::initTestCase()
{
    if (const QString missing = SlurmCluster::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void TestServiceSlurm::init()
{
    m_cluster = std::make_unique<SlurmCluster>(QByteArray(), 60);
    QVERIFY2(m_cluster->start(), qPrintable(m_cluster->error()));
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir().mkpath(shared()));
    m_trials = std::make_unique<CountingTrials>(m_folder->filePath(u"traces"_s));
    m_service = std::make_unique<ServiceFixture>();
}

void TestServiceSlurm::cleanup()
{
    if (QTest::currentTestFailed() && m_service)
        qWarning().noquote() << m_service->get(u"/api/v1/experiments"_s).body
                             << m_cluster->run({u"squeue"_s}).out.left(2'000)
                             << m_service->get(u"/api/v1/trials?limit=3&status=WAITING"_s).body.left(3'000)
                             << m_service->get(u"/api/v1/platforms/lab"_s).body << m_service->output().right(4'000);
    m_service.reset();
    m_cluster.reset();
    m_trials.reset();
    m_folder.reset();
}

Json TestServiceSlurm::settings(const TestSshd* login) const
{
    Json settings = {{"workingDirectory", shared().toStdString()}, {"slurmConf", m_cluster->conf().toStdString()}};
    if (!login)
        return settings;
    settings.update({{"transport", "ssh"}, {"host", "127.0.0.1"}, {"port", login->port()},
        {"user", TestSshd::userName().toStdString()}, {"sshKeyFile", login->userKey().toStdString()}});
    return settings;
}

bool TestServiceSlurm::isReady()
{
    return QTest::qWaitFor(
        [this] { return m_service->get(u"/api/v1/platforms/lab"_s).json().value("state", "") == "READY"; }, 60'000);
}

bool TestServiceSlurm::open(const TestSshd* login)
{
    return remote_test::put(*m_service, u"lab"_s, {{"kind", "slurm"}, {"settings", settings(login)}}) && isReady();
}

void TestServiceSlurm::hundredTrials_data()
{
    QTest::addColumn<bool>("overSsh");
    QTest::newRow("commands here") << false;
    QTest::newRow("login node") << true;
}

void TestServiceSlurm::hundredTrials()
{
    QFETCH(bool, overSsh);
    TestSshd login;
    if (overSsh) {
        QVERIFY(login.start());
        remote_test::trust(*m_service, {&login});
    }
    QVERIFY2(m_service->start(), m_service->output());
    QVERIFY(open(overSsh ? &login : nullptr));
    Json members = m_trials->experiment(u"lab"_s, 0, 12);
    members["gpuNumber"] = 1;
    members["platformOptions"] = {{"trialMemorySize", "20 MB"}};
    const QString experiment = m_service->createExperiment(members);
    Json forms = Json::array();
    for (int i = 0; i < 90; ++i)
        forms.push_back(Json::object());
    QStringList ids = m_service->submit(experiment, forms);
    QVERIFY(succeeded(experiment, 20));
    m_cluster->stopController();
    forms.erase(forms.begin() + 10, forms.end());
    ids += m_service->submit(experiment, forms); // they wait here
    QCOMPARE(ids.size(), 100);
    QTRY_VERIFY_WITH_TIMEOUT(m_service->trial(ids.last())["reason"].get<QString>().contains(u"controller"), 60'000);
    QVERIFY2(m_cluster->startController(), qPrintable(m_cluster->error()));
    QVERIFY(succeeded(experiment, 50));
    m_service->kill9();
    QVERIFY2(m_service->start(), m_service->output());
    QVERIFY(succeeded(experiment, 100));

    for (const QString& id : ids) {
        QCOMPARE(m_trials->wrong(*m_service, id), QString());
        const QByteArray log = m_service->log(id, u"stdout"_s);
        QCOMPARE(log.count('\n'), m_trials->reported(id));
        QVERIFY(m_service->trial(id)["machineId"].get<QString>().startsWith(u"lab."));
    }
    QVERIFY2(m_trials->mostAtOnce() <= 2, qPrintable(QString::number(m_trials->mostAtOnce()))); // two GPUs

    QCOMPARE(m_service->post(u"/api/v1/experiments/%1/stop"_s.arg(experiment), Json::object()).status, 200);
    QTRY_VERIFY_WITH_TIMEOUT(
        m_service->get(u"/api/v1/experiments/"_s + experiment).json().value("state", "") == "STOPPED", 30'000);
    const auto cleaning = m_service->post(u"/api/v1/experiments/%1/cleanup"_s.arg(experiment), Json::object());
    QCOMPARE(cleaning.status, 202);
    QStringList left;
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            left.clear();
            for (QDirIterator files(shared(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
                 files.hasNext();)
                left.append(files.next());
            return left.isEmpty();
        }(),
        30'000);
    QVERIFY(!queue().contains("td-"));
}

void TestServiceSlurm::killedWithRunningAndWaitingJobs()
{
    QVERIFY2(m_service->start(), m_service->output());
    QVERIFY(open());
    Json members = m_trials->experiment(u"lab"_s, 0, 1'000'000, 0.25);
    members["platformOptions"] = {{"trialMemorySize", "40 MB"}}; // 50 of them fill the node
    const QString experiment = m_service->createExperiment(members);
    Json forms = Json::array();
    for (int i = 0; i < 100; ++i)
        forms.push_back(Json::object());
    const QStringList ids = m_service->submit(experiment, forms);
    QVERIFY(m_service->waitForCount(experiment, "RUNNING", 50, longMs));
    QTRY_VERIFY_WITH_TIMEOUT(
        m_service->get(u"/api/v1/experiments/"_s + experiment).json()["counts"].value("WAITING", 0) == 50, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(queue().count('\n'), 100, 60'000); // all of them are Slurm's
    m_service->kill9();
    QVERIFY2(m_service->start(), m_service->output());
    QVERIFY(isReady());
    QVERIFY(m_service->waitForCount(experiment, "RUNNING", 50, longMs));
    QCOMPARE(queue().count('\n'), 100);
    m_trials->end();
    QVERIFY(m_service->waitForCount(experiment, "SUCCEEDED", 100, longMs));
    for (const QString& id : ids)
        QCOMPARE(m_trials->wrong(*m_service, id), QString());
}

QTEST_GUILESS_MAIN(TestServiceSlurm)
#include "tst_service_slurm.moc"
