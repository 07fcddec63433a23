// SPDX-License-Identifier: GPL-3.0-or-later
// What a platform reports about a trial, as values.
#pragma once

#include "services/core/records.h"

namespace trial {

using namespace core;

/// The platform takes nothing now, and nothing was handed over: it refuses the credentials, has no permission or quota, or answers
/// with an error of its own (HTTP 401, 403, 429, 5xx). It is no failure of the trial.
struct SubmitLater
{
    Message reason;                     ///< a whole sentence; why the trial waits
    std::optional<qint64> retryAfterMs; ///< as the platform asks; the engine never tries again sooner
};

struct SubmitOutcome
{
    TrialId trial;
    QString handle;
    std::optional<Error> error; ///< refused for good; or, with `unknown`, what broke
    /// Not known whether it was started. The trial stays submitted; the platform finds out and observes what it found: any status, or
    /// FAILED with FailureClass::neverStarted where it has no such trial, which then waits again.
    bool unknown = false;
    QString gpu = {}; ///< of an error that concerns one GPU of the machine alone: its uuid
    /// The trial waits again with this reason, and the platform gets no submit for a while. Excludes `error` and `unknown`.
    std::optional<SubmitLater> later = {};
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
    Message reason;
    /// Of FAILED. `neverStarted` of a trial whose submit was never confirmed makes it wait again.
    OpenWord<FailureClass> failureClass;
    /// It ended before any cancel reached it, so the result is its own even if one was sent.
    bool endedByItself = false;
    QString workingDirectory;
    QString url;
    std::optional<ResourceUsage> usage;
    MachineId machine;
    qint64 pid = 0; ///< of the command on the machine; 0: says nothing
    qint64 journalCursor = 0;
    /// Which run of it this is about, counted from 1, on a platform with capability `requeue`: larger after each time that the platform took it back to
    /// its queue, which is how that is reported. A fact about an earlier run does not count. 0: the platform does not say.
    int attempt = 0;
    QByteArray platformCursor = {}; ///< as platforms::RecordBytes::platformCursor
};

} // namespace trial
