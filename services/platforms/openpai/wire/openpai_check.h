// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "openpai_wire.h"

namespace platforms::openpai {

/// What is checked. Nothing is owned; all outlives the call.
struct CheckPlan
{
    OpenPaiWire* wire = nullptr; ///< for the test job, too
    OpenPaiCalls* calls = nullptr;
    TrialStorage* storage = nullptr;
    const Json* settings = nullptr;
    const Context* context = nullptr;
};

/// Reports the steps of a platform's check: address, login, virtual cluster, storage there and here; with CheckExtent::whole a test job.
[[nodiscard]] Task<Result<>> checkOpenPai(CheckPlan plan, OperationId request, CheckExtent extent, Sink* sink);

} // namespace platforms::openpai
