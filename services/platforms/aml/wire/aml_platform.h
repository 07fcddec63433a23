// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/cluster/cluster_platform.h"

namespace platforms {

namespace azure {
class LoginMemory;
}
namespace aml {
class AmlWire;
}

/// Kind `aml`.
class AmlPlatform : public ClusterPlatform
{
    Q_OBJECT
public:
    /// `logins` is shared by all platforms of the kind, so that a check and the platform behind it log in once; null: this one has its own.
    explicit AmlPlatform(std::shared_ptr<azure::LoginMemory> logins = {}, QObject* parent = nullptr);
    ~AmlPlatform() override;

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Result<Json> completed(Json settings, const Json& earlier) const override;
    [[nodiscard]] Result<> checkOptions(const Json& settings, const Json& options) const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) override;

protected:
    [[nodiscard]] Result<std::unique_ptr<ClusterWire>> makeWire(
        const Json& settings, const Context& context) const override;

private:
    /// `needsPlace`: the settings name a workspace.
    [[nodiscard]] Result<std::unique_ptr<aml::AmlWire>> wireOf(
        const Json& settings, const Context& context, bool needsPlace) const;

    std::shared_ptr<azure::LoginMemory> m_logins;
};

} // namespace platforms
