// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_script.h"

namespace platforms {

/// The first line that a container prints begins so.
inline constexpr char scriptBegins[] = "Trialdeck: the output of the trial is in";

/// The script for bash that becomes the trial's keeper in a container, and whose frames go to `log` in the trial's folder, or into the pieces
/// of an object store, from which it first fetches what it needs. Where the cluster starts the container once more, the trial runs once more. `node`: what bash expands to the node's name. Kind::invalid as of trialShell().
[[nodiscard]] Result<QByteArray> containerScript(const TrialScript& script, const QByteArray& node);

} // namespace platforms
