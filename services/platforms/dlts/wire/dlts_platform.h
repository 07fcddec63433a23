// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/cluster/cluster_platform.h"

namespace platforms {

namespace dlts {
class DltsWire;
}

/// Kind `dlts`: Microsoft's Deep Learning Training Service.
class DltsPlatform : public ClusterPlatform
{
    Q_OBJECT
public:
    explicit DltsPlatform(QObject* parent = nullptr);
    ~DltsPlatform() override;

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Result<Json> completed(Json settings, const Json& earlier) const override;
    [[nodiscard]] Result<> checkOptions(const Json& settings, const Json& options) const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) override;

protected:
    [[nodiscard]] Result<std::unique_ptr<ClusterWire>> makeWire(
        const Json& settings, const Context& context) const override;

private:
    /// `settings`: whole.
    [[nodiscard]] static Result<std::unique_ptr<dlts::DltsWire>> wireOf(const Json& settings, const Context& context);
};

} // namespace platforms
