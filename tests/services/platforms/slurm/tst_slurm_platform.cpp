// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against a real Slurm of one node, by its commands.
#include "slurm_subject.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestSlurmPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<SlurmSubject>(*m_cluster, *m_hub); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }

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
    m_cluster->setMessageTimeout(30);
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
