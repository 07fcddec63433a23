// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/cluster/cluster_platform.h"

namespace platforms {

namespace openpai {
class OpenPaiWire;
}

/// Kind `openpai`.
class OpenPaiPlatform : public ClusterPlatform
{
    Q_OBJECT
public:
    explicit OpenPaiPlatform(QObject* parent = nullptr);
    ~OpenPaiPlatform() override;

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Result<Json> completed(Json settings, const Json& earlier) const override;
    [[nodiscard]] Result<> checkOptions(const Json& settings, const Json& options) const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) override;

protected:
    [[nodiscard]] Result<std::unique_ptr<ClusterWire>> makeWire(
        const Json& settings, const Context& context) const override;

private:
    [[nodiscard]] static Result<std::unique_ptr<openpai::OpenPaiWire>> wireOf(
        const Json& settings, const Context& context);
};

} // namespace platforms
