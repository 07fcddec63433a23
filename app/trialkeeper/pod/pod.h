// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trialkeeper {

/// `trialkeeper pod …`, the keeper of one trial in a container or batch job, without an agent beside it (podHelp()). argv[0] is the
/// program or the verb. The exit code.
int runPod(int argc, char** argv);

} // namespace trialkeeper
