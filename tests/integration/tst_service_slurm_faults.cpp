// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to trials on a real Slurm that other people use too: cancels, requeues, drained nodes, a controller that is away, a second
// service, a thousand jobs that wait.
#include "slurm_service.h"

#include <QElapsedTimer>
#include <QRegularExpression>

using namespace Qt::StringLiterals;
using core::Json;

class TestServiceSlurmFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void cancelledWhileTheControllerIsAway();
    void cancelledBySomebody();
    void requeuedBySomebody();
    void aDrainedNode();
    void outOfTime();
    void theSharedFolderIsGone();
    void twoServices();
    void questionsWithAThousandWaiting();

private:
    /// An experiment that runs trials of little memory until the test ends them.
    [[nodiscard]] QString experiment(ServiceFixture& service, const Json& options = {}, double pause = 0.1)
    {
        Json members = m->trials().experiment(u"lab"_s, 0, 1'000'000, pause);
        members["trialConcurrency"] = 2'000;
        members["platformOptions"] = {{"trialMemorySize", "20 MB"}};
        if (options.is_object())
            members["platformOptions"].update(options);
        return service.createExperiment(members);
    }
    [[nodiscard]] static Json forms(int count)
    {
        Json list = Json::array();
        for (int i = 0; i < count; ++i)
            list.push_back(Json::object());
        return list;
    }
    [[nodiscard]] QString reasonOf(const QString& trial)
    {
        return m->service().trial(trial).value("reason", QString());
    }
    /// The number of the job of a trial.
    [[nodiscard]] QString jobOf(const QString& trial) const
    {
        const QByteArray list = m->cluster().run({u"squeue"_s, u"-h"_s, u"--me"_s, u"-o"_s, u"%A %j"_s}).out;
        for (const QByteArray& line : list.split('\n'))
            if (line.endsWith('-' + trial.toUtf8()))
                return QString::fromUtf8(line.split(' ').first());
        return {};
    }

    std::unique_ptr<SlurmService> m;
};

void TestServiceSlurmFaults::initTestCase()
{
    if (const QString missing = SlurmCluster::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void TestServiceSlurmFaults::init()
{
    m = std::make_unique<SlurmService>();
    m->cluster().setMessageTimeout(30);
    QVERIFY(m->start());
    QVERIFY2(m->service().start(), m->service().output());
    QVERIFY(m->open());
}

void TestServiceSlurmFaults::cleanup()
{
    if (QTest::currentTestFailed() && m)
        m->complain();
    m.reset();
}

void TestServiceSlurmFaults::cancelledWhileTheControllerIsAway()
{
    const QString id = m->service().submit(experiment(m->service()), forms(1)).value(0);
    QVERIFY(m->service().waitForStatus(id, "RUNNING", longMs));
    QVERIFY(m->trials().go({id}, 3));
    m->cluster().stopController();
    QCOMPARE(m->service().post(u"/api/v1/trials/%1/cancel"_s.arg(id), Json::object()).status, 200);
    m->service().kill9(); // the intent outlives it
    QVERIFY2(m->cluster().startController(), qPrintable(m->cluster().error()));
    QVERIFY2(m->service().start(), m->service().output());
    QVERIFY(m->service().waitForStatus(id, "USER_CANCELED", longMs));
    QTRY_VERIFY_WITH_TIMEOUT(m->queue().isEmpty(), 60'000);
    QCOMPARE(m->trials().wrong(m->service(), id), QString());
}

void TestServiceSlurmFaults::cancelledBySomebody()
{
    const QString id = m->service().submit(experiment(m->service()), forms(1)).value(0);
    QVERIFY(m->service().waitForStatus(id, "RUNNING", longMs));
    QVERIFY(m->trials().go({id}, 3));
    const QString job = jobOf(id);
    QVERIFY(!job.isEmpty());
    QCOMPARE(m->cluster().run({u"scancel"_s, job}).exitCode, 0);
    QVERIFY(m->service().waitForStatus(id, "SYS_CANCELED", longMs));
    QVERIFY2(reasonOf(id).contains(u"cancelled on the cluster"), qPrintable(reasonOf(id)));
    QCOMPARE(m->trials().wrong(m->service(), id), QString()); // its values are whole
}

void TestServiceSlurmFaults::requeuedBySomebody()
{
    const QString id = m->service().submit(experiment(m->service(), {{"requeue", true}}), forms(1)).value(0);
    QVERIFY(m->service().waitForStatus(id, "RUNNING", longMs));
    QVERIFY(m->trials().go({id}, 3));
    const QString job = jobOf(id);
    QVERIFY(!job.isEmpty());
    QCOMPARE(m->cluster().run({u"scontrol"_s, u"requeue"_s, job}).exitCode, 0);
    const auto isPending = [&] {
        return m->cluster().run({u"squeue"_s, u"-h"_s, u"-j"_s, job, u"-o"_s, u"%T"_s}).out.trimmed() == "PENDING";
    };
    QTRY_VERIFY_WITH_TIMEOUT(isPending(), longMs);
    QVERIFY(m->cluster().startRequeued(job));
    QTRY_COMPARE_WITH_TIMEOUT(m->trials().starts(id), 2, longMs); // by Slurm, not by us
    QVERIFY(m->service().waitForStatus(id, "RUNNING", longMs));
    m->trials().end(id);
    QVERIFY(m->service().waitForStatus(id, "SUCCEEDED", longMs));
    const QByteArray journal = m->service().get(u"/api/v1/trials/%1/events"_s.arg(id)).body;
    QVERIFY2(journal.contains("took it back to its queue"), journal);
    // Numbered on, none twice.
    const Json metrics = m->service().metrics(id);
    for (size_t i = 0; i < metrics.size(); ++i)
        QCOMPARE(metrics[i].value("sequence", -1), int(i));
    QVERIFY(int(metrics.size()) >= 3 * 3);
}

void TestServiceSlurmFaults::aDrainedNode()
{
    QVERIFY(m->cluster().drain(u"new disks"_s));
    const QString id = m->service().submit(experiment(m->service()), forms(1)).value(0);
    QTRY_VERIFY2_WITH_TIMEOUT(reasonOf(id).contains(u"drain"), qPrintable(reasonOf(id)), longMs);
    QCOMPARE(m->service().trial(id).value("status", QString()), u"WAITING"_s);
    QVERIFY(m->cluster().resume());
    QVERIFY(m->service().waitForStatus(id, "RUNNING", longMs));
    m->trials().end();
    QVERIFY(m->service().waitForStatus(id, "SUCCEEDED", longMs));
    QCOMPARE(m->trials().starts(id), 1);
}

void TestServiceSlurmFaults::outOfTime()
{
    // Slurm looks at time limits each half minute or so, and its shortest is a minute.
    const QString id = m->service().submit(experiment(m->service(), {{"timeLimit", "1"}}), forms(1)).value(0);
    QVERIFY(m->service().waitForStatus(id, "SYS_CANCELED", longMs + 120'000));
    QVERIFY2(reasonOf(id).contains(u"time limit"), qPrintable(reasonOf(id)));
    QCOMPARE(m->trials().wrong(m->service(), id), QString());
}

void TestServiceSlurmFaults::theSharedFolderIsGone()
{
    const QString id = m->service().submit(experiment(m->service()), forms(1)).value(0);
    QVERIFY(m->service().waitForStatus(id, "RUNNING", longMs));
    QVERIFY(m->trials().go({id}, 3));
    const QString away = m->shared() + u".away"_s;
    QVERIFY(QDir().rename(m->shared(), away));
    const QString other = m->service().submit(experiment(m->service()), forms(1)).value(0);
    QVERIFY(QTest::qWaitFor([&] { return !reasonOf(other).isEmpty(); }, 60'000)); // each attempt clears it for a moment
    QCOMPARE(m->service().trial(other).value("status", QString()), u"WAITING"_s);
    QCOMPARE(m->service().trial(id).value("status", QString()), u"RUNNING"_s);
    QVERIFY(m->trials().go({id}, 3)); // which is read when the folder is there again
    QVERIFY(QDir().rename(away, m->shared()));
    QVERIFY(m->service().waitForStatus(other, "RUNNING", longMs));
    m->trials().end();
    QVERIFY(m->service().waitForStatus(id, "SUCCEEDED", longMs));
    QVERIFY(m->service().waitForStatus(other, "SUCCEEDED", longMs));
    for (const QString& trial : {id, other})
        QCOMPARE(m->trials().wrong(m->service(), trial), QString());
}

void TestServiceSlurmFaults::twoServices()
{
    ServiceFixture second;
    QVERIFY2(second.start(), second.output());
    QVERIFY(m->open(second));
    const QString ours = experiment(m->service());
    const QString theirs = experiment(second);
    const QStringList ids = m->service().submit(ours, forms(3));
    const QStringList others = second.submit(theirs, forms(3));
    QVERIFY(m->service().waitForCount(ours, "RUNNING", 3, longMs));
    QVERIFY(second.waitForCount(theirs, "RUNNING", 3, longMs));
    // All of one goes: its jobs, its files, and nothing of the other's.
    QCOMPARE(second.post(u"/api/v1/experiments/%1/cleanup"_s.arg(theirs), Json::object()).status, 202);
    QVERIFY(second.waitForCount(theirs, "USER_CANCELED", 3));
    QVERIFY(m->waitForQueue(3, 60'000));
    for (const QString& id : ids)
        QVERIFY(!jobOf(id).isEmpty());
    QVERIFY(m->trials().go(ids, 3));
    m->trials().end();
    QVERIFY(m->service().waitForCount(ours, "SUCCEEDED", 3));
    for (const QString& id : ids)
        QCOMPARE(m->trials().wrong(m->service(), id), QString());
}

/// What the controller was asked for since it started, as it says it by type.
static QString requestsTo(const SlurmCluster& cluster)
{
    return QString::fromUtf8(cluster.run({u"sdiag"_s}).out).section(u"by user"_s, 0, 0);
}

/// Requests of these kinds. squeue and scontrol each ask for the jobs or the nodes, and besides for the partitions.
static int countOf(const QString& requests, const QString& kinds)
{
    const QRegularExpression line(u"(REQUEST_(?:%1)[A-Z_]*INFO[A-Z_]*)\\s*\\(\\s*\\d+\\)\\s*count:(\\d+)"_s.arg(kinds));
    int sum = 0;
    for (auto match = line.globalMatch(requests); match.hasNext();)
        sum += match.next().captured(2).toInt();
    return sum;
}

void TestServiceSlurmFaults::questionsWithAThousandWaiting()
{
    // One fills the node.
    const QString id = experiment(m->service(), {{"trialMemorySize", "1900 MB"}}, 1);
    constexpr int jobs = 1'000;
    QCOMPARE(m->service().submit(id, forms(jobs)).size(), jobs);
    QVERIFY(m->waitForQueue(jobs, 1'200'000));
    QVERIFY(m->service().waitForCount(id, "RUNNING", 1, longMs));
    QElapsedTimer clock;
    clock.start();
    const QString before = requestsTo(m->cluster());
    QTRY_VERIFY_WITH_TIMEOUT(clock.hasExpired(60'000), 90'000);
    const QString after = requestsTo(m->cluster());
    const qint64 seconds = clock.elapsed() / 1'000; // more than between the two
    const int asked = countOf(after, u"JOB|NODE"_s) - countOf(before, u"JOB|NODE"_s);
    const int sent = asked + countOf(after, u"PARTITION"_s) - countOf(before, u"PARTITION"_s);
    qInfo("%d questions, in %d requests to the controller, in %lld s with 1,000 jobs", asked, sent, seconds);
    QVERIFY2(asked <= seconds / 10 + 1, qPrintable(QString::number(asked))); // one each ten seconds
    // One may be counted by half, and once in ten minutes the partitions are asked for by themselves.
    QVERIFY2(sent <= 2 * asked + 2, qPrintable(QString::number(sent)));
    QVERIFY(asked >= 3); // it was asked at all
    // And nobody is forgotten.
    QCOMPARE(m->service().count(id, "WAITING") + m->service().count(id, "RUNNING"), jobs);
    QCOMPARE(m->service().post(u"/api/v1/experiments/%1/stop"_s.arg(id), Json::object()).status, 200);
    QTRY_VERIFY_WITH_TIMEOUT(m->queue().isEmpty(), 600'000);
    QVERIFY(m->service().waitForCount(id, "USER_CANCELED", jobs, longMs));
}

QTEST_GUILESS_MAIN(TestServiceSlurmFaults)
#include "tst_service_slurm_faults.moc"
