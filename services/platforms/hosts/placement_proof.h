// SPDX-License-Identifier: GPL-3.0-or-later
// How a service recognises, after a loss of its own memory, that it placed a trial on the machine that says it has it. A machine knows
// the ids of its own trials and can guess others'; the proof came to it with the start alone. Pure.
#pragma once

#include "services/core/ids.h"

#include <QByteArray>

namespace platforms {

using namespace core;

/// HMAC-SHA256 of trial and machine under the data directory's key, 64 hexadecimal digits.
[[nodiscard]] QByteArray placementProof(const QByteArray& key, const TrialId& trial, const MachineId& machine);

/// Whether a trial's spec.json, as the machine gives it, holds the proof.
[[nodiscard]] bool holdsPlacementProof(
    const QByteArray& spec, const QByteArray& key, const TrialId& trial, const MachineId& machine);

} // namespace platforms
