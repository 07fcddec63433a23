// SPDX-License-Identifier: GPL-3.0-or-later
// What the settings of all machines with an agent have in common.
#pragma once

#include "services/platforms/platform.h"

namespace platforms {

/// The settings of how a machine's GPUs are shared: maxTrialNumberPerGpu, gpuIndices, useActiveGpu; names as in NNI v2. They are
/// limits: a change of them needs no other connection.
[[nodiscard]] QList<Field> gpuFields();
/// The setting of the whole platform that schedule::placementPolicy() reads; only where trials go depends on it.
[[nodiscard]] Field placementField();
/// Takes over those of gpuFields(). `settings` are checked.
void applyGpuSettings(Machine& machine, const Json& settings);
/// HostSetup::connection of a machine with these settings, which are checked and hold secrets in clear: all but
/// gpuFields() and placementField() count.
[[nodiscard]] QByteArray connectionDigest(const Json& settings);

} // namespace platforms
