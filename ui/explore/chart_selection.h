// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"

#include <QSet>

namespace ui {

/// What all charts of a page mark: the trials that are chosen, the one that is looked at, and the best.
struct ChartSelection
{
    QSet<core::TrialId> chosen; ///< one alone is no choice among curves: it is the one that is looked at
    core::TrialId current;
    core::TrialId best;
};

} // namespace ui
