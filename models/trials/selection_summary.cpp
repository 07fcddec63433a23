// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection_summary.h"

#include "services/api/mirror.h"

#include <cmath>

namespace models {

SelectionSummary summaryOf(const api::Mirror& state, const QSet<core::TrialId>& trials, bool maximize)
{
    SelectionSummary summary;
    double sum = 0;
    for (const core::TrialId& id : trials) {
        const core::TrialPtr trial = state.trial(id);
        if (!trial || !trial->bestMetric || !std::isfinite(*trial->bestMetric))
            continue;
        const double value = *trial->bestMetric;
        if (summary.values == 0 || (maximize ? value > summary.best : value < summary.best))
            summary.best = value;
        sum += value;
        ++summary.values;
    }
    if (summary.values > 0)
        summary.mean = sum / double(summary.values);
    return summary;
}

} // namespace models
