// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/hosts/host_platform.h"
#include "services/transport/ssh_link.h"

namespace platforms {

/// Kind `remote`: trials on machines behind SSH, each with its own agent. Machines connect when they can, and come back by
/// themselves; what a person must answer is asked through the sink.
class RemotePlatform : public HostPlatform
{
    Q_OBJECT
public:
    /// `hub` outlives this.
    explicit RemotePlatform(transport::SshHub* hub, QObject* parent = nullptr);

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings) override;
    [[nodiscard]] Task<Result<>> trust(MachineId machine, QString fingerprint) override;

protected:
    [[nodiscard]] Result<QList<HostSetup>> hosts(const Json& settings, const Context& context) const override;
    [[nodiscard]] bool opensWithAgent() const override { return false; }

private:
    transport::SshHub* m_hub;
    mutable QHash<MachineId, transport::SshWish> m_wishes;
};

} // namespace platforms
