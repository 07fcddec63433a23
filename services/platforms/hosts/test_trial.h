// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"
#include "services/transport/agent_client.h"

namespace platforms {

/// The last step of a machine's check: starts a trial of one second, follows it to its end and reads its log. Does not remove the
/// trial's files. Neither `agent` nor `clock` is owned; both must live until the task is done.
[[nodiscard]] Task<QList<CheckStep>> runTestTrial(
    transport::AgentClient* agent, Clock* clock, QString kind, std::stop_token stop);

} // namespace platforms
