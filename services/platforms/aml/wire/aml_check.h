// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/json_members.h"
#include "services/platforms/platform.h"

namespace platforms::aml {

class AmlWire;

/// What is checked. Nothing is owned; all outlives the call.
struct CheckPlan
{
    AmlWire* wire = nullptr; ///< need not be open
    const Json* settings = nullptr;
};

/// Reports the steps of a platform's check: login, workspace, region, compute, image; with CheckExtent::whole an upload of the keeper, and a
/// test job where a node is there for it at once.
[[nodiscard]] Task<Result<>> checkAml(CheckPlan plan, OperationId request, CheckExtent extent, Sink* sink);

} // namespace platforms::aml
