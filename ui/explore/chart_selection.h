// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"

#include <QColor>
#include <QHash>
#include <QSet>

namespace ui {

/// The trials that all charts of a page mark: the selected ones, the current one and the best one.
struct ChartSelection
{
    QSet<core::TrialId> chosen; ///< empty if a single trial is selected without a brush
    core::TrialId current;
    core::TrialId best;
    QHash<core::TrialId, QColor> colors; ///< of the chosen ones; of many, of the best
    bool hasOthers = false;              ///< there are chosen ones without a colour
    QSet<core::TrialId> hidden;          ///< chosen ones whose curves, dots and lines are not drawn
};

} // namespace ui
