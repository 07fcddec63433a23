// SPDX-License-Identifier: GPL-3.0-or-later
// The state words of Slurm jobs, of squeue and sacct, from 22.05 to 24.11 (job_states of slurm.h and its flags). Pure.
#pragma once

#include <QString>
#include <QStringList>

namespace platforms::slurm {

/// Where a job stands. `completing`: its end has begun, and the word for the end is not final before it is over; callers keep the phase
/// that they had. `unknown`: no word is known; callers keep the phase that they had, and ask again.
enum class JobPhase { unknown, waiting, running, completing, ended };

/// How a job ended. `none` unless the phase is `ended`, or `completing` where Slurm says the end already (JSON does, text does not).
enum class JobEnd {
    none,
    succeeded,
    failed,
    cancelled, ///< by scancel of anybody; Slurm does not say why
    timeLimit, ///< the job's own time limit
    deadline,  ///< --deadline
    outOfMemory,
    nodeFailure, ///< NODE_FAIL, and RECONFIG_FAIL: the node did not come back reconfigured
    bootFailure,
    preempted,
    launchFailed,
    revoked, ///< a sibling of a federation runs it
};

struct JobState
{
    JobPhase phase = JobPhase::unknown;
    JobEnd end = JobEnd::none;
    bool suspended = false; ///< holds its GPUs, and does not run
    bool held = false;      ///< waits for a person: REQUEUE_HOLD, RESV_DEL_HOLD, SPECIAL_EXIT
    bool requeued = false;  ///< its run has ended, and it will run again
    QStringList words;      ///< as Slurm wrote them, also those that are not known
    QString cancelledBy;    ///< of "CANCELLED by 1000": the user's number or name

    bool operator==(const JobState&) const = default;
};

/// `words`: one state and any flags, as JSON of 23.11 and newer lists them, or one word as text and older JSON have it. Each may be long
/// or abbreviated (PD), in any case, "CANCELLED by 1000", or a unique beginning with `+` behind it (sacct cuts words so). A word that is
/// not known is ignored beside one that is.
[[nodiscard]] JobState jobState(const QStringList& words);

} // namespace platforms::slurm
