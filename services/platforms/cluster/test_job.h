// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_storage.h"

namespace platforms {

/// Runs a job that does nothing: whether a node finds the folder, and can run the keeper there. What it left is removed. `options` are the
/// experiment's, for a small job. Says what was seen; an error says what was not. `wire`, which is open, `storage` and `clock` are not owned.
[[nodiscard]] Task<Result<Message>> runTestJob(
    ClusterWire* wire, TrialStorage* storage, Clock* clock, Json options, int patienceSeconds);

} // namespace platforms
