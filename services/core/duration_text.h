// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace core {

/// A span of time for sentences and tables, cut down to two units: `850 ms`, `1.2 s`, `12 s`, `3 min 20 s`, `2 h 05 min`, `4 d 3 h`.
/// A second unit of zero is left out: `2 min`. Negative counts as 0.
[[nodiscard]] QString durationText(qint64 ms);

} // namespace core
