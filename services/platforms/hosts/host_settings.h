// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that all machines with an agent have in common.
#pragma once

#include "services/platforms/platform.h"

namespace platforms {

/// The settings that control how a machine's GPUs are shared: maxTrialNumberPerGpu, gpuIndices, useActiveGpu; names as in NNI v2.
/// Changing them does not require a new connection.
[[nodiscard]] QList<Field> gpuFields();
/// The platform's setting that schedule::placementPolicy() reads. It only affects where trials are placed.
[[nodiscard]] Field placementField();
/// Sets the values of gpuFields() on the machine. `settings` must have been checked by checkedSettings().
void applyGpuSettings(Machine& machine, const Json& settings);
/// HostSetup::connection for a machine with these settings: a digest of all but gpuFields() and placementField(). `settings` must
/// have been checked and hold secrets in clear.
[[nodiscard]] QByteArray connectionDigest(const Json& settings);

} // namespace platforms
