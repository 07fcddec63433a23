// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace platforms {

/// When a cluster is asked again, milliseconds from now: after `intervalMs`, and after `failures` in a row after twice as long for each, up
/// to two minutes; sites ban tighter loops. `chance`, 0 to 1, adds up to a tenth, so that many services do not ask at once.
[[nodiscard]] qint64 nextAskMs(qint64 intervalMs, int failures, double chance);

/// For how long the cluster's word on a trial that was ended by a signal is waited for, where jobs are listed each `intervalMs`: `leastMs`, or until it
/// is in the next list but one at the latest.
[[nodiscard]] qint64 wordWithinMs(qint64 leastMs, qint64 intervalMs);

} // namespace platforms
