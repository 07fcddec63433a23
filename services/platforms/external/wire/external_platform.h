// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/cluster/cluster_platform.h"
#include "services/platforms/external/program_file.h"

namespace platforms {

namespace external {
class ExternalWire;
}

/// Kind `external.NAME`: trials through a program that was added to the service (resources/api/external-platform.md).
class ExternalPlatform : public ClusterPlatform
{
    Q_OBJECT
public:
    explicit ExternalPlatform(external::ProgramFile program, QObject* parent = nullptr);
    ~ExternalPlatform() override;

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Result<Json> completed(Json settings, const Json& earlier) const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) override;

protected:
    [[nodiscard]] Result<std::unique_ptr<ClusterWire>> makeWire(
        const Json& settings, const Context& context) const override;
    /// How long the program may take for an ordinary call.
    [[nodiscard]] virtual qint64 callTimeoutMs() const { return 60'000; }

private:
    [[nodiscard]] std::unique_ptr<external::ExternalWire> wireOf(const Json& settings, const Context& context) const;

    const external::ProgramFile m_program;
};

} // namespace platforms
