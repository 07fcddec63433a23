// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trialkeeper {

/// `trialkeeper host DIR`: the agent of a machine, on standard input and output (protocol.h). Ends at the end of its
/// input; trials go on.
int runHost(const char* base);

} // namespace trialkeeper
