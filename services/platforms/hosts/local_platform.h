// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host_platform.h"

namespace transport {
struct AgentUnit;
}

namespace platforms {

/// Kind `local`: trials on this computer, run by an agent that is a child process of the service. Their folders are in
/// `dataDir/agent`, or under the setting `scratchDir`, and outlive the service.
class LocalPlatform : public HostPlatform
{
    Q_OBJECT
public:
    /// `agentSocket`: of the unit that starts agents outside of the service's sandbox; empty: there is none.
    explicit LocalPlatform(const QString& agentSocket = {});

    [[nodiscard]] KindDescription describe() const override;

protected:
    [[nodiscard]] Result<QList<HostSetup>> hosts(const Json& settings, const Context& context) const override;
    [[nodiscard]] bool opensWithAgent() const override { return true; }

private:
    std::shared_ptr<transport::AgentUnit> m_unit;
};

} // namespace platforms
