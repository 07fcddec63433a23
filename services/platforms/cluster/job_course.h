// SPDX-License-Identifier: GPL-3.0-or-later
// What is believed of one trial's job on a cluster: from what the cluster says of it, from what its log says, and from silence, to what is
// reported of the trial. Pure; `now` is milliseconds of a clock that never jumps. An observation without a time, or an end without one,
// is of now.
//
// Who is believed (Slurm, Kubernetes, OpenPAI, DLTS and Azure ML alike):
//   - the log's end, written by the keeper, has the exact exit code and the usage; it comes first;
//   - the cluster's end has causes that the trial's own process cannot know (a time limit, memory, a lost node, a cancel by another
//     person): such a decisive end stands over the log's. So an end by a signal is kept back for `wordMs`, and one by an exit code is not;
//   - the cluster's end is reported after the log was read to its end, or after `drainMs`: metrics come before the end;
//   - an end after a requested one is that cancel, unless the trial ended by itself;
//   - a job that is not listed is asked for by its name once more. After `missingMs` it was never started, or its trial is UNKNOWN; after
//     `lostMs` it has failed. A job that was possibly submitted before a restart counts as never started after the shorter `adoptedMs`;
//     not if a cancel was requested, because a job that appears after that would run without anybody to cancel it.
#pragma once

#include "services/trial/observation.h"

#include <optional>

namespace platforms {

using namespace core;
using trial::Observation;

/// What the end that a log tells is, of a trial with several parts of which one writes that log.
enum class LogEnd {
    ofTrial, ///< the trial's
    ofSuccess, ///< the trial's where it is a success; a failure may have its cause in another part, which the cluster names
    ofPart, ///< that part's alone: the cluster decides
};

/// A job as its cluster describes it.
struct JobFact
{
    enum class Phase { unknown, waiting, running, ended };

    TrialId trial;
    QString handle; ///< the cluster's own id of the job
    Phase phase = Phase::unknown;
    int restarts = 0;         ///< how often the cluster took it back to its queue
    bool isTakenBack = false; ///< of one that waits, where the cluster does not count: nothing of it runs any more
    bool isSilent = false; ///< of an unknown phase: the cluster has lost contact with one that ran, which may come back
    Message reason;        ///< why it waits, or how it ended; may be empty
    MachineId machine;     ///< where it runs; empty: not said, or several
    std::optional<qint64> startTime; ///< of a job that runs or has ended
    std::optional<qint64> endTime;   ///< of one that has ended

    // Of one that has ended.
    TrialStatus end = TrialStatus::failed; ///< SUCCEEDED, FAILED or SYS_CANCELED
    OpenWord<FailureClass> failureClass;
    std::optional<int> exitCode;
    std::optional<int> signal;
    bool isDecisive = false;         ///< a cause that stands over what the trial's log says of its end
    LogEnd logEnd = LogEnd::ofTrial; ///< of one in any phase
};

/// How long is waited for what, milliseconds.
struct JobPatience
{
    qint64 wordMs = 25'000;    ///< for the cluster's word after a trial was ended by a signal
    qint64 drainMs = 30'000;   ///< for the rest of the log after the cluster's word
    qint64 missingMs = 60'000; ///< until a job that is not listed counts as gone
    /// The same for a job that was possibly submitted before a restart of the service, on clusters that refuse a second job of one name. It covers
    /// a request that was still in flight at the restart. Nothing: as missingMs.
    std::optional<qint64> adoptedMs;
    qint64 lostMs = 900'000; ///< until a job that ran, and is gone without a word of its end, has failed
};

/// The runs of a job: the cluster may take it back to its queue and start it again, and both the queue and the log tell, in any order.
struct JobRuns
{
    int attempt = 1;     ///< Observation::attempt
    bool hasRun = false; ///< in this attempt
    int restarts = 0;    ///< JobFact::restarts that are counted
    int foreseen = 0;    ///< restarts that the log showed before the queue did

    /// The keeper of another run wrote to the log.
    void runSeen();
    /// Whether the trial waits again by it.
    bool restartsSeen(int count);
    /// Its run is over, and the cluster starts another one.
    void takenBack();

    bool operator==(const JobRuns&) const = default;
};

struct JobCourse
{
    bool isConfirmed = false;           ///< the cluster has, or had, a job of this name
    bool isAdopted = false;             ///< it was possibly submitted before a restart of the service
    std::optional<CancelIntent> cancel; ///< its end was requested
    qint64 submittedAt = 0;
    TrialStatus status = TrialStatus::waiting; ///< as last reported
    MachineId machine;                         ///< likewise
    bool isStarted = false;                    ///< `running` was reported, and no `waiting` after it
    int reportedAttempt = 1;
    Message waitReason;
    JobRuns runs;
    std::optional<qint64> missingSince;
    std::optional<Observation> logEnd; ///< FAILED, SUCCEEDED or a cancelled status
    qint64 logEndAt = 0;
    LogEnd logEndIs = LogEnd::ofTrial;
    std::optional<JobFact> ended;
    qint64 endedAt = 0;
    bool isLogRead = false; ///< to its end, after `endedAt`
};

struct CourseStep
{
    std::optional<Observation> observation;
    std::optional<Message> progress;   ///< why it waits, where that changed
    bool isOver = false;               ///< the observation is final
    std::optional<qint64> lookAgainAt; ///< the decision may change by time alone
};

/// The cluster listed the job, or knows how one ended that it lists no more.
[[nodiscard]] CourseStep listed(JobCourse& course, const JobFact& fact, qint64 now, const JobPatience& patience = {});
/// A whole list, asked for after the submission was answered, is without the job, and so is the cluster's accounting where there is one.
/// `where`: the cluster's name, for sentences.
[[nodiscard]] CourseStep missing(
    JobCourse& course, const TrialId& trial, const QString& where, qint64 now, const JobPatience& patience = {});
/// The keeper wrote that its command runs.
[[nodiscard]] CourseStep runsByLog(JobCourse& course, Observation running);
/// The keeper wrote the end of its command.
[[nodiscard]] CourseStep endsByLog(JobCourse& course, Observation end, qint64 now, const JobPatience& patience = {});
/// Time has passed, or the log was read to its end (`isLogRead`).
[[nodiscard]] CourseStep settle(JobCourse& course, qint64 now, const JobPatience& patience = {});

} // namespace platforms
