// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"
#include "services/transport/agent_client.h"

namespace platforms {

/// The last of a machine's checks: a trial of one second, started, followed to its end, and its log read back, as with any other.
/// Nothing of it is removed here. Whoever calls keeps `agent` until it is done.
[[nodiscard]] Task<QList<CheckStep>> runTestTrial(
    transport::AgentClient* agent, Clock* clock, QString kind, std::stop_token stop);

} // namespace platforms
