// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/cluster/cluster_platform.h"

namespace platforms {

namespace kubernetes {
class KubernetesWire;
}

/// Trials on a Kubernetes cluster, by its API server. Kind `kubernetes`: as Jobs; `kubeflow`: as jobs of the Training Operator or of
/// Trainer; `frameworkcontroller`: as Frameworks.
class KubernetesPlatform : public ClusterPlatform
{
    Q_OBJECT
public:
    explicit KubernetesPlatform(QString kind = QStringLiteral("kubernetes"), QObject* parent = nullptr);
    ~KubernetesPlatform() override;

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Result<Json> completed(Json settings, const Json& earlier) const override;
    [[nodiscard]] Result<> checkOptions(const Json& settings, const Json& options) const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) override;

protected:
    [[nodiscard]] Result<std::unique_ptr<ClusterWire>> makeWire(
        const Json& settings, const Context& context) const override;
    /// Logs come through the API server, which may be away for a while; a node that is lost has none to give. It takes one object of a name.
    [[nodiscard]] JobPatience patience() const override { return {.drainMs = 120'000, .adoptedMs = 3'000}; }

private:
    const QString m_kind;
};

} // namespace platforms
