// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/cluster/cluster_platform.h"
#include "services/transport/ssh/ssh_hub.h"

namespace platforms {

class RemoteQuestions;
namespace slurm {
class SlurmCalls;
class SlurmWire;
} // namespace slurm

/// Kind `slurm`: trials as jobs of a Slurm cluster, by its commands on this computer or on a login node, or through slurmrestd.
class SlurmPlatform : public ClusterPlatform
{
    Q_OBJECT
public:
    /// `hub` is not owned and must outlive this.
    explicit SlurmPlatform(transport::SshHub* hub, QObject* parent = nullptr);
    ~SlurmPlatform() override;

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Result<Json> completed(Json settings, const Json& earlier) const override;
    [[nodiscard]] Result<> checkOptions(const Json& settings, const Json& options) const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) override;

protected:
    [[nodiscard]] Result<std::unique_ptr<ClusterWire>> makeWire(
        const Json& settings, const Context& context) const override;

private:
    [[nodiscard]] Result<std::unique_ptr<slurm::SlurmWire>> wireOf(const Json& settings, const Context& context) const;
    [[nodiscard]] static Result<std::unique_ptr<slurm::SlurmCalls>> restCallsOf(
        const Json& settings, const Context& context);

    transport::SshHub* m_hub;
    mutable QList<std::shared_ptr<RemoteQuestions>> m_questions; ///< of the wires that were made
};

} // namespace platforms
