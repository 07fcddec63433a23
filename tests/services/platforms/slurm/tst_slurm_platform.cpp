// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against a real Slurm of one node.
#include "tests/fakes/slurm_cluster.h"
#include "tests/services/platforms/job_subject.h"

#include "services/platforms/slurm/wire/slurm_platform.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

namespace {

/// Asks more often, and gives up earlier, than a cluster of many people would like.
class HastySlurm : public SlurmPlatform
{
public:
    using SlurmPlatform::SlurmPlatform;

protected:
    [[nodiscard]] JobPatience patience() const override { return {.missingMs = 3'000}; }
};

class SlurmSubject : public JobSubject
{
public:
    SlurmSubject(SlurmCluster& cluster, transport::SshHub& hub)
        : m_cluster(cluster)
        , m_hub(hub)
    {
    }
    ~SlurmSubject() override
    {
        // Their keepers write into the folder that goes.
        (void)m_cluster.run({u"scancel"_s, u"--me"_s});
        if (!QTest::qWaitFor([&] { return m_cluster.run({u"squeue"_s, u"-h"_s, u"--me"_s}).out.isEmpty(); }, 20'000))
            qWarning("a job stayed");
    }
    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<HastySlurm>(&m_hub); }
    Json settings() override
    {
        return {{"transport", "cli"}, {"workingDirectory", m_dir.path().toStdString()},
            {"slurmConf", m_cluster.conf().toStdString()}, {"pollInterval", 1}};
    }
    Context context(Sink* sink) override
    {
        Context context;
        context.id = PlatformId(u"lab"_s);
        context.sink = sink;
        context.clock = &m_clock;
        context.dataDir = m_dir.path();
        context.serviceId = m_service;
        context.keeperPath = QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper");
        return context;
    }
    TrialSpec spec(const TrialId& trial, Job job) override
    {
        TrialSpec spec = JobSubject::spec(trial, job);
        spec.platformOptions = {{"trialMemorySize", "20 MB"}};
        spec.graceMs = std::max(spec.graceMs, 1'000); // of whole seconds
        return spec;
    }
    QString root() const { return m_dir.path() + u"/trialdeck/"_s + m_service; }
    bool leftovers(const TrialId& trial) override { return QFileInfo::exists(root() + u"/trials/e1/"_s + trial.value); }

private:
    SlurmCluster& m_cluster;
    transport::SshHub& m_hub;
    inline static int s_count = 0;
    QString m_service = u"s%1"_s.arg(++s_count); // jobs of an earlier test are another service's
};

} // namespace

class TestSlurmPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<SlurmSubject>(*m_cluster, *m_hub); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }
    SlurmSubject& slurm() { return *static_cast<SlurmSubject*>(m_subject.get()); }

private slots:
    void initTestCase();
    void cleanupTestCase();

private:
    SystemClock m_clock;
    std::unique_ptr<SlurmCluster> m_cluster;
    std::unique_ptr<transport::SshHub> m_hub;
};

void TestSlurmPlatform::initTestCase()
{
    if (const QString missing = SlurmCluster::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    m_cluster = std::make_unique<SlurmCluster>();
    QVERIFY2(m_cluster->start(), qPrintable(m_cluster->error()));
    m_hub = std::make_unique<transport::SshHub>(&m_clock);
}

void TestSlurmPlatform::cleanupTestCase()
{
    m_hub.reset();
    m_cluster.reset();
}

QTEST_GUILESS_MAIN(TestSlurmPlatform)
#include "tst_slurm_platform.moc"
