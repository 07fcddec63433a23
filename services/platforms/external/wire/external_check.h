// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"

namespace platforms::external {

class ExternalWire;

/// Reports the steps of a platform's check: the program, its own steps, its settings, the folder; with CheckExtent::whole a test job. `wire`,
/// which need not be open, is not owned.
[[nodiscard]] Task<Result<>> checkProgram(ExternalWire* wire, OperationId request, CheckExtent extent, Sink* sink);

} // namespace platforms::external
