// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/trialkeeper/base/io.h"

#include <string>

namespace trialkeeper {

/// One agent for each service and machine: a later one, whose service is the one that talks to us now, ends an
/// earlier one that a dead connection has left behind.
class AgentClaim
{
public:
    /// False if an earlier agent holds on for more than two seconds. Where locks do not work there is nothing to hold.
    [[nodiscard]] bool take(const std::string& folder);

private:
    Fd m_file;
};

} // namespace trialkeeper
