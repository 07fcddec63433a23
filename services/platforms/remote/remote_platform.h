// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/hosts/host_platform.h"
#include "services/transport/ssh/ssh_link.h"

namespace platforms {

/// Kind `remote`: trials on machines behind SSH, each with its own agent. Machines connect when they can, and come back by
/// themselves; what a person must answer is asked through the sink.
class RemotePlatform : public HostPlatform
{
    Q_OBJECT
public:
    /// A machine that is down is asked for again after half a minute at most; the first times much sooner.
    static constexpr transport::AgentReconnect usualReconnect{500, 30'000, 60'000, 0.3};

    /// `hub` outlives this.
    explicit RemotePlatform(
        transport::SshHub* hub, const transport::AgentReconnect& reconnect = usualReconnect, QObject* parent = nullptr);

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings) override;

protected:
    [[nodiscard]] Result<QList<HostSetup>> hosts(const Json& settings, const Context& context) const override;
    [[nodiscard]] bool opensWithAgent() const override { return false; }

private:
    static QList<Field> machineFields();

    transport::SshHub* m_hub;
    transport::AgentReconnect m_reconnect;
};

} // namespace platforms
