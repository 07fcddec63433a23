// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/cluster/cluster_platform.h"

namespace platforms {

namespace kubernetes {
class KubernetesWire;
}

/// Kind `kubernetes`: trials as Jobs of a Kubernetes cluster, by its API server.
class KubernetesPlatform : public ClusterPlatform
{
    Q_OBJECT
public:
    explicit KubernetesPlatform(QObject* parent = nullptr);
    ~KubernetesPlatform() override;

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Result<Json> completed(Json settings, const Json& earlier) const override;
    [[nodiscard]] Result<> checkOptions(const Json& settings, const Json& options) const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) override;

protected:
    [[nodiscard]] Result<std::unique_ptr<ClusterWire>> makeWire(
        const Json& settings, const Context& context) const override;
    /// Logs come through the API server, which may be away for a while; a node that is lost has none to give.
    [[nodiscard]] JobPatience patience() const override { return {.drainMs = 120'000}; }
};

} // namespace platforms
