// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"
#include "services/core/result.h"

namespace models {

/// The machineList of an experiment's file of NNI (v1 or v2) whose platform is `remote`, as entries of a platform's settings; paths are
/// absolute. Kind::invalid says what is wrong with the file, or which platform it names instead. Blocks: call on a pool thread.
[[nodiscard]] core::Result<core::Json> machinesOfNniFile(const QString& file, const QString& home);

} // namespace models
