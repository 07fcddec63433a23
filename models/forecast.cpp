// SPDX-License-Identifier: GPL-3.0-or-later
#include "forecast.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace models {

std::optional<std::pair<qint64, qint64>> forecastEnd(
    std::vector<qint64> durations, qint64 remaining, qint64 atOnce, qint64 now)
{
    if (durations.size() < 3 || remaining <= 0 || atOnce <= 0)
        return std::nullopt;
    const double count = double(durations.size());
    const double mean = std::accumulate(durations.begin(), durations.end(), 0.0) / count;
    double squares = 0;
    for (const qint64 duration : durations)
        squares += (double(duration) - mean) * (double(duration) - mean);
    const double spread = std::sqrt(squares / (count - 1));
    // Rounds of `atOnce` trials each; the error covers the mean duration of the remaining trials and the end of the last round.
    const double rounds = std::ceil(double(remaining) / double(atOnce));
    const double error =
        spread * std::sqrt(rounds / double(std::min(remaining, atOnce)) + rounds * rounds / count) + spread * 0.5;
    const double middle = rounds * mean;
    return std::pair(now + qint64(std::max(mean * 0.25, middle - error)), now + qint64(middle + error));
}

qint64 plannedTrials(const core::Experiment& experiment)
{
    using core::ExperimentState;
    const qint64 all = std::accumulate(experiment.counts.begin(), experiment.counts.end(), qint64(0));
    const bool isOpen = experiment.state == ExperimentState::running || experiment.state == ExperimentState::paused
        || experiment.state == ExperimentState::preparing;
    return isOpen && experiment.spec.maxTrialNumber ? std::max(all, *experiment.spec.maxTrialNumber) : all;
}

} // namespace models
