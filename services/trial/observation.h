// SPDX-License-Identifier: GPL-3.0-or-later
// What a platform reports about a trial, as values.
#pragma once

#include "services/core/records.h"

namespace trial {

using namespace core;

struct SubmitOutcome
{
    TrialId trial;
    QString handle;
    std::optional<Error> error; ///< refused for good; or, with `unknown`, what broke
    bool unknown = false;       ///< not known whether it was started: the platform finds out and observes it later
    QString gpu = {};           ///< of an error that concerns one GPU of the machine alone: its uuid
};

/// A fact about a trial. Fields that are absent say nothing.
struct Observation
{
    TrialId trial;
    TrialStatus status = TrialStatus::unknown;
    qint64 time = 0; ///< of the target's clock
    std::optional<qint64> startTime;
    std::optional<qint64> endTime;
    std::optional<int> exitCode;
    std::optional<int> signal;
    QString reason;
    OpenWord<FailureClass> failureClass;
    /// It ended before any cancel reached it, so the result is its own even if one was sent.
    bool endedByItself = false;
    QString workingDirectory;
    QString url;
    std::optional<ResourceUsage> usage;
    MachineId machine;
    qint64 journalCursor = 0;
};

} // namespace trial
