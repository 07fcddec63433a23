// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_storage.h"

#include "services/platforms/check_steps.h"

namespace platforms {

/// What runs as a test, and where. Nothing is owned.
struct TestJob
{
    ClusterWire* wire = nullptr; ///< open
    TrialStorage* storage = nullptr;
    const Context* context = nullptr;
    Json options; ///< of an experiment, for a small job
    int patienceSeconds = 60;
    Message remedy; ///< where it does not end well
};

/// The trial of a test job, of whose exit code PostProbe::reachOf() knows.
[[nodiscard]] TrialSpec testTrial(const Context& context, Json options);

/// Whether a node finds the folder, and can run the keeper there; and whether it reaches the service, where trials may post their metrics
/// (PostProbe). Reports a step for each. What the job left is removed.
[[nodiscard]] Task<> runTestJob(TestJob job, CheckSteps* step);

} // namespace platforms
