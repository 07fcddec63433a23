// SPDX-License-Identifier: GPL-3.0-or-later
// What changed, for the window and for sockets alike: one format, one code path (GET /api/v1/events shows it as JSON).
#pragma once

#include "services/core/records.h"

namespace api {

using namespace core;

struct Removed
{
    QList<PlatformId> platforms;
    QList<MachineId> machines;
    QList<ExperimentId> experiments;
    QList<TrialId> trials;
    QList<PromptId> prompts;
    [[nodiscard]] bool isEmpty() const
    {
        return platforms.isEmpty() && machines.isEmpty() && experiments.isEmpty() && trials.isEmpty()
            && prompts.isEmpty();
    }
    bool operator==(const Removed&) const = default;
};

/// Metrics that a listener will not get here and must read again: sequences from..to of the trial, both included.
struct Gap
{
    TrialId trialId;
    qint64 from = 0;
    qint64 to = 0;
    bool operator==(const Gap&) const = default;
};

/// One step from revision - 1 to revision of the epoch; immutable, shared between threads. With `full`, the whole state at
/// `revision` (no metrics): forget everything known before. A trial's metrics stand in the same or an earlier change than its
/// final status.
struct Change
{
    QString epoch; ///< new at each start of the service
    qint64 revision = 0;
    bool full = false;
    QList<PlatformPtr> platforms;
    QList<MachinePtr> machines;
    QList<ExperimentPtr> experiments;
    QList<TrialPtr> trials;
    QList<MetricBatchPtr> metrics;
    QList<PromptPtr> prompts;
    QList<OperationPtr> requests;
    QList<Gap> gaps;
    Removed removed;
};
using ChangePtr = std::shared_ptr<const Change>;

} // namespace api
