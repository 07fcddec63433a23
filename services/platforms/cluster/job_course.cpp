// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_course.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

/// Programs report a child's signal as 128 and its number.
bool isBySignal(const Observation& end)
{
    return end.status == TrialStatus::failed && (end.signal.value_or(0) > 0 || end.exitCode.value_or(0) > 128);
}

Observation endOf(const JobFact& fact, const std::optional<Observation>& log)
{
    Observation out = log.value_or(Observation());
    out.trial = fact.trial;
    out.status = fact.end;
    out.reason = fact.reason;
    out.failureClass = fact.failureClass;
    if (fact.exitCode || fact.signal || !log) {
        out.exitCode = fact.exitCode;
        out.signal = fact.signal;
    }
    if (!out.startTime)
        out.startTime = fact.startTime;
    if (!out.endTime)
        out.endTime = fact.endTime;
    out.endedByItself = false;
    return out;
}

/// The requested end has happened: no cause is reported.
void asCancelled(Observation& end, CancelIntent intent)
{
    end.status = cancelledStatus(intent);
    end.reason.clear();
    end.failureClass = FailureClass::none;
    end.endedByItself = false;
}

CourseStep report(JobCourse& course, Observation observation)
{
    const bool isAsWished = observation.status == TrialStatus::sys_canceled || isBySignal(observation)
        || (observation.status == TrialStatus::failed && observation.exitCode.value_or(0) == 0);
    if (course.cancel && isAsWished)
        asCancelled(observation, *course.cancel);
    observation.attempt = course.runs.attempt;
    course.status = observation.status;
    course.reportedAttempt = course.runs.attempt;
    if (course.status == TrialStatus::running || course.status == TrialStatus::waiting)
        course.isStarted = course.status == TrialStatus::running;
    CourseStep step;
    step.isOver = isFinal(observation.status);
    step.observation = std::move(observation);
    return step;
}

} // namespace

void JobRuns::runSeen()
{
    if (hasRun) {
        ++attempt;
        ++foreseen;
    }
    hasRun = true;
}

bool JobRuns::restartsSeen(int count)
{
    int more = count - restarts;
    if (more <= 0)
        return false;
    restarts = count;
    const int known = std::min(foreseen, more);
    foreseen -= known;
    more -= known;
    if (more == 0 || !hasRun)
        return false;
    ++attempt;
    hasRun = false;
    return true;
}

void JobRuns::takenBack()
{
    ++attempt;
    hasRun = false;
}

CourseStep settle(JobCourse& course, qint64 now, const JobPatience& patience)
{
    CourseStep step;
    if (isFinal(course.status))
        return step;
    if (course.ended) {
        const bool isComplete = course.logEnd || course.isLogRead || now - course.endedAt >= patience.drainMs;
        if (!isComplete) {
            step.lookAgainAt = course.endedAt + patience.drainMs;
            return step;
        }
        const bool isOfTrial =
            course.logEnd && (course.logEndIs != LogEnd::ofPart || course.logEnd->status == course.ended->end);
        const bool byLog = isOfTrial && !course.ended->isDecisive;
        return report(course, byLog ? *course.logEnd : endOf(*course.ended, course.logEnd));
    }
    if (course.logEnd && course.logEndIs == LogEnd::ofPart)
        return step;
    if (course.logEnd) {
        const bool mayBeOthers = course.logEndIs == LogEnd::ofSuccess && course.logEnd->status == TrialStatus::failed;
        if ((isBySignal(*course.logEnd) || mayBeOthers) && !course.cancel && now - course.logEndAt < patience.wordMs) {
            step.lookAgainAt = course.logEndAt + patience.wordMs;
            return step;
        }
        return report(course, *course.logEnd);
    }
    return step;
}

CourseStep listed(JobCourse& course, const JobFact& fact, qint64 now, const JobPatience& patience)
{
    if (isFinal(course.status))
        return {};
    course.isConfirmed = true;
    course.logEndIs = fact.logEnd;
    course.missingSince.reset();
    bool waitsAgain = course.runs.restartsSeen(fact.restarts);
    if (fact.phase == JobFact::Phase::waiting && fact.isTakenBack && (course.runs.hasRun || course.isStarted)) {
        course.runs.takenBack();
        waitsAgain = true;
    }
    if (waitsAgain) {
        // What the log said of the run before is over.
        course.logEnd.reset();
        course.ended.reset();
        course.isLogRead = false;
    }
    switch (fact.phase) {
    case JobFact::Phase::unknown:
        if (fact.isSilent && course.isStarted && course.status != TrialStatus::unknown && !course.logEnd) {
            Observation silent;
            silent.trial = fact.trial;
            silent.status = TrialStatus::unknown;
            silent.reason = fact.reason;
            return report(course, silent);
        }
        break;
    case JobFact::Phase::waiting: {
        const bool runs = course.status == TrialStatus::running || course.status == TrialStatus::unknown;
        if (waitsAgain || course.status == TrialStatus::unknown || (runs && !course.runs.hasRun)) {
            Observation waiting;
            waiting.trial = fact.trial;
            waiting.status = TrialStatus::waiting;
            waiting.reason = fact.reason;
            course.waitReason = fact.reason;
            return report(course, waiting);
        }
        if (course.status == TrialStatus::waiting && fact.reason != course.waitReason) {
            course.waitReason = fact.reason;
            CourseStep step;
            step.progress = fact.reason;
            return step;
        }
        break;
    }
    case JobFact::Phase::running:
        if (!course.logEnd
            && (course.status != TrialStatus::running || course.runs.attempt != course.reportedAttempt
                || (!fact.machine.isEmpty() && fact.machine != course.machine))) {
            Observation running;
            running.trial = fact.trial;
            running.status = TrialStatus::running;
            running.startTime = fact.startTime;
            running.machine = course.machine = fact.machine;
            course.waitReason.clear();
            return report(course, running);
        }
        break;
    case JobFact::Phase::ended:
        if (!course.ended)
            course.endedAt = now;
        course.ended = fact;
        break;
    }
    return settle(course, now, patience);
}

CourseStep missing(
    JobCourse& course, const TrialId& trial, const QString& where, qint64 now, const JobPatience& patience)
{
    if (isFinal(course.status) || course.ended)
        return settle(course, now, patience);
    if (!course.missingSince)
        course.missingSince = now;
    CourseStep step = settle(course, now, patience);
    if (step.observation)
        return step;
    const qint64 gone = now - std::max(*course.missingSince, course.submittedAt);
    const bool hasBegun = course.runs.hasRun || course.isStarted;
    const bool isDoubtful = course.isAdopted && !course.isConfirmed && !hasBegun && !course.cancel;
    const qint64 patienceMs = isDoubtful ? patience.adoptedMs.value_or(patience.missingMs) : patience.missingMs;
    if (gone < patienceMs) {
        step.lookAgainAt = std::min(step.lookAgainAt.value_or(now + patienceMs), now + patienceMs - gone);
        return step;
    }
    Observation out;
    out.trial = trial;
    if (!hasBegun) {
        out.status = TrialStatus::failed;
        if (!course.cancel)
            out.failureClass = FailureClass::neverStarted;
        out.reason = course.isConfirmed ? u"%1 has no such job any more, and it had not started"_m.arg(where)
                                        : u"%1 has no such job"_m.arg(where);
        return report(course, out);
    }
    if (gone >= patience.lostMs) {
        out.status = TrialStatus::failed;
        out.failureClass = FailureClass::keeperLost;
        out.reason =
            u"its job has left the queue of %1, and neither its log nor the cluster says how it ended"_m.arg(where);
        return report(course, out);
    }
    step.lookAgainAt = now + patience.lostMs - gone;
    if (course.status == TrialStatus::unknown)
        return step;
    out.status = TrialStatus::unknown;
    out.reason = u"its job has left the queue of %1, and its end is not known yet"_m.arg(where);
    CourseStep unknown = report(course, out);
    unknown.lookAgainAt = step.lookAgainAt;
    return unknown;
}

CourseStep runsByLog(JobCourse& course, Observation running)
{
    course.isConfirmed = true;
    course.logEnd.reset();
    if (isFinal(course.status)
        || (course.status == TrialStatus::running && course.runs.attempt == course.reportedAttempt))
        return {};
    course.waitReason.clear();
    course.machine = running.machine;
    return report(course, std::move(running));
}

CourseStep endsByLog(JobCourse& course, Observation end, qint64 now, const JobPatience& patience)
{
    course.isConfirmed = true;
    if (isFinal(course.status))
        return {};
    course.logEnd = std::move(end);
    course.logEndAt = now;
    return settle(course, now, patience);
}

} // namespace platforms
