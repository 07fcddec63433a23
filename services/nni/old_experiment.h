// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment that NNI ran, from the folder that it left: ~/nni-experiments/ID, of NNI 1.9 to 3.0. Nothing is written there.
#pragma once

#include "old_database.h"

#include "services/core/records.h"

namespace nni {

using namespace core;

struct OldTrial
{
    Trial trial; ///< id, sequenceId, status, times, parameters, and the final and latest metric
    qint64 intermediateCount = 0;
    std::vector<Metric> metrics; ///< as they came; `sequence` counts them
};

struct OldExperiment
{
    QString id;
    QString name;
    Json config; ///< as NNI stored it
    std::optional<qint64> startTime;
    std::optional<qint64> endTime;
    bool maximize = true;
    std::vector<OldTrial> trials; ///< in the order of their sequence

    [[nodiscard]] const OldTrial* best() const; ///< by the default value of the final metric; null when none has one
};

/// The configuration, in our words: name, command, search space, tuner, objective, limits. All that can be read of it.
[[nodiscard]] ExperimentSpec specOf(const OldExperiment& experiment);

/// `folder` is the experiment's, or the database itself. Kind::not_found when there is none, Kind::invalid when it is not NNI's or
/// exceeds the limits. Blocks (reads the disk), at most as long as the limits say.
[[nodiscard]] Result<OldExperiment> readOldExperiment(const QString& folder, const ReadLimits& limits = {});

} // namespace nni
