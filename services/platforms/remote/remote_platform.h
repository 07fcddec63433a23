// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/hosts/host_platform.h"
#include "services/transport/ssh/ssh_link.h"

namespace platforms {

/// Kind `remote`: trials on machines behind SSH, each with its own agent. Machines connect and reconnect in the background;
/// questions to a person are asked through the sink.
class RemotePlatform : public HostPlatform
{
    Q_OBJECT
public:
    /// firstMs, longestMs, personMs, jitter, longestPersonMs: a machine that is down is tried again after 0.5 s, then up to every
    /// 30 s plus jitter; one that refuses the login after 1, 2, 4 … up to 30 min, since such logins get an address banned (fail2ban).
    static constexpr transport::AgentReconnect usualReconnect{500, 30'000, 60'000, 0.3, 30 * 60'000};

    /// `hub` is not owned and must outlive this.
    explicit RemotePlatform(
        transport::SshHub* hub, const transport::AgentReconnect& reconnect = usualReconnect, QObject* parent = nullptr);

    [[nodiscard]] KindDescription describe() const override;
    [[nodiscard]] Result<Json> completed(Json settings, const Json& earlier) const override;
    [[nodiscard]] Result<Json> without(Json settings, const MachineId& machine, const PlatformId& id) const override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) override;
    [[nodiscard]] Task<Result<Json>> choiceDetails(QString field, QStringList choices) override;

protected:
    [[nodiscard]] Json workable(Json settings, const Context& context, QList<Machine>& refused) const override;
    [[nodiscard]] Result<QList<HostSetup>> hosts(const Json& settings, const Context& context) const override;
    [[nodiscard]] bool opensWithAgent() const override { return false; }

private:
    static QList<Field> machineFields();

    transport::SshHub* m_hub;
    transport::AgentReconnect m_reconnect;
};

} // namespace platforms
