// SPDX-License-Identifier: GPL-3.0-or-later
// A platform of kind slurm on a real Slurm of one node, for the conformance suite.
#pragma once

#include "tests/fakes/slurm_cluster.h"
#include "tests/services/platforms/job_subject.h"

#include "services/platforms/slurm/wire/slurm_platform.h"

namespace platform_test {

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
    /// Through slurmrestd where the cluster has one.
    SlurmSubject(SlurmCluster& cluster, transport::SshHub& hub)
        : m_cluster(cluster)
        , m_hub(hub)
    {
    }
    ~SlurmSubject() override
    {
        // Their keepers write into the folder that goes.
        (void)m_cluster.run({QStringLiteral("scancel"), QStringLiteral("--me")});
        if (!QTest::qWaitFor(
                [&] {
                    return m_cluster.run({QStringLiteral("squeue"), QStringLiteral("-h"), QStringLiteral("--me")})
                        .out.isEmpty();
                },
                20'000))
            qWarning("a job stayed");
    }
    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<HastySlurm>(&m_hub); }
    Json settings() override
    {
        Json settings = {{"workingDirectory", m_dir.path().toStdString()}, {"pollInterval", 1}};
        if (m_cluster.hasRest())
            settings.update({{"transport", "rest"}, {"restUrl", m_cluster.restUrl().toStdString()},
                {"restToken", m_cluster.restToken().toStdString()}});
        else
            settings.update({{"transport", "cli"}, {"slurmConf", m_cluster.conf().toStdString()}});
        return settings;
    }
    Context context(Sink* sink) override
    {
        Context context;
        context.id = PlatformId(QStringLiteral("lab"));
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
    QString root() const { return m_dir.path() + QStringLiteral("/trialdeck/") + m_service; }
    bool leftovers(const TrialId& trial) override
    {
        return QFileInfo::exists(root() + QStringLiteral("/trials/e1/") + trial.value);
    }

private:
    SlurmCluster& m_cluster;
    transport::SshHub& m_hub;
    inline static int s_count = 0;
    QString m_service = QStringLiteral("s%1").arg(++s_count); // jobs of an earlier test are another service's
};

} // namespace platform_test
