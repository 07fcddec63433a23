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

class SlurmSubject : public ClusterSubject
{
public:
    /// Through slurmrestd where the cluster has one.
    SlurmSubject(SlurmCluster& cluster, transport::SshHub& hub)
        : ClusterSubject(u"lab"_s, u"s%1"_s.arg(++s_count)) // jobs of an earlier test are another service's
        , m_cluster(cluster)
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
    TrialSpec spec(const TrialId& trial, Job job) override
    {
        TrialSpec spec = ClusterSubject::spec(trial, job);
        spec.platformOptions = {{"trialMemorySize", "20 MB"}};
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
};

} // namespace platform_test
