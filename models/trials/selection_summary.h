// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"

#include <QSet>

namespace api {
class Mirror;
}

namespace models {

/// The best values of some trials, as far as they are finite.
struct SelectionSummary
{
    qint64 values = 0; ///< how many there are; without any the others are 0
    double best = 0;
    double mean = 0;
};

/// Pure. Trials that are not known are passed over.
[[nodiscard]] SelectionSummary summaryOf(const api::Mirror& state, const QSet<core::TrialId>& trials, bool maximize);

} // namespace models
