// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dlts_calls.h"

namespace platforms::dlts {

/// What is checked. Nothing is owned; all outlives the call.
struct CheckPlan
{
    ClusterWire* wire = nullptr; ///< for the test job
    DltsCalls* calls = nullptr;
    TrialStorage* storage = nullptr;
    const Json* settings = nullptr;
    const Context* context = nullptr;
};

/// Reports the steps of a platform's check: address, login, team, GPU model, share here; with CheckExtent::whole a test job.
[[nodiscard]] Task<Result<>> checkDlts(CheckPlan plan, OperationId request, CheckExtent extent, Sink* sink);

} // namespace platforms::dlts
