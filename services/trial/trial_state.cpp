// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_state.h"

#include "services/core/duration_text.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace trial {

namespace {

QString clockTime(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms).toString(u"HH:mm"_s);
}

OpenWord<FailureClass> classOf(const Observation& observation)
{
    if (observation.failureClass != FailureClass::none)
        return observation.failureClass;
    if (observation.signal.value_or(0) > 0)
        return FailureClass::signal;
    if (observation.exitCode.value_or(0) != 0)
        return FailureClass::exitCode;
    return FailureClass::platform;
}

Message cancelSentence(TrialStatus status)
{
    switch (status) {
    case TrialStatus::user_canceled:
        return u"cancelled on request"_m;
    case TrialStatus::early_stopped:
        return u"stopped early"_m;
    default:
        return u"cancelled by the system"_m;
    }
}

/// Reasons of ours are clauses; what a platform or keeper says may be a whole sentence already.
Message sentence(const Message& words)
{
    return words.endsWith(u".") ? words : u"%1."_m.arg(words);
}

Message placeWords(const Trial& trial)
{
    if (trial.machineId.isEmpty())
        return u" on the platform %1"_m.arg(trial.platformId.value);
    Message words = u" on %1"_m.arg(trial.machineId.value);
    if (!trial.gpuIndices.isEmpty()) {
        QStringList indices;
        for (const int index : trial.gpuIndices)
            indices.append(QString::number(index));
        words += (indices.size() == 1 ? u", GPU %1"_m : u", GPUs %1"_m).arg(indices.join(u", "_s));
    }
    return words;
}

Message endWords(const Trial& trial)
{
    Message words;
    switch (trial.status) {
    case TrialStatus::succeeded:
        words = u"Succeeded"_m;
        break;
    case TrialStatus::failed:
        words = u"Failed"_m;
        break;
    case TrialStatus::early_stopped:
        words = u"Stopped early"_m;
        break;
    default:
        words = u"Cancelled"_m;
        break;
    }
    if (trial.startTime && trial.endTime)
        words += u" after "_s + core::durationText(*trial.endTime - *trial.startTime);
    if (trial.status == TrialStatus::failed || trial.status == TrialStatus::sys_canceled)
        words += u": "_s + trial.reason;
    return sentence(words);
}

/// `since`: milliseconds since the epoch, 0 when not known.
Message noContact(const Message& where, qint64 since)
{
    return since > 0 ? u"no contact with %1 since %2"_m.arg(where, clockTime(since))
                     : u"no contact with %1"_m.arg(where);
}

/// Start and end on the service's time line.
void setTimes(Trial& trial, const Observation& observation, qint64 now)
{
    const qint64 latest = std::max(now, trial.submitTime);
    const bool ended = isFinal(trial.status);
    qint64 shift = 0; ///< service's clock minus target's, as far as we can tell
    std::optional<qint64> start = observation.startTime;
    if (!start && trial.status == TrialStatus::running && !trial.startTime)
        start = observation.time > 0 ? observation.time : now;
    if (start && *start > 0) {
        // A later observation repeats the start: it tells the shift again.
        const qint64 sane = trial.startTime ? *trial.startTime : std::clamp(*start, trial.submitTime, latest);
        shift = sane - *start;
        trial.startTime = sane;
    }
    if (ended && !trial.endTime) {
        qint64 end = observation.endTime.value_or(observation.time);
        end = end > 0 ? end + shift : now;
        // The service's own clock may have gone back since the start: the end still is not before it.
        const qint64 earliest = trial.startTime.value_or(trial.submitTime);
        trial.endTime = std::clamp(end, earliest, std::max(earliest, latest));
    }
}

void setReason(Trial& trial, TrialStatus before, const Observation& observation)
{
    switch (trial.status) {
    case TrialStatus::running:
        if (!trial.cancelIntent)
            trial.reason.clear();
        break;
    case TrialStatus::succeeded:
        trial.reason.clear();
        break;
    case TrialStatus::waiting:
        if (!observation.reason.isEmpty())
            trial.reason = observation.reason;
        else if (before != TrialStatus::waiting || trial.reason.isEmpty())
            trial.reason = u"the platform %1 has it and has not started it yet"_m.arg(trial.platformId.value);
        break;
    case TrialStatus::unknown:
        if (!observation.reason.isEmpty())
            trial.reason = observation.reason;
        else if (before != TrialStatus::unknown || trial.reason.isEmpty())
            trial.reason = noContact(trial.machineId.isEmpty() ? u"the platform %1"_m.arg(trial.platformId.value)
                                                               : Message(trial.machineId.value),
                trial.lastContact);
        break;
    case TrialStatus::failed:
        trial.failureClass = classOf(observation);
        trial.reason =
            failureSentence(trial.failureClass.value(), observation.reason, observation.exitCode, observation.signal);
        break;
    case TrialStatus::user_canceled:
    case TrialStatus::sys_canceled:
    case TrialStatus::early_stopped:
        // Without our intent something else ended it, and the platform knows what. With it, applyCancel() may have noted why.
        if (!trial.cancelIntent && !observation.reason.isEmpty())
            trial.reason = observation.reason;
        else if (!trial.cancelIntent || !trial.reason.startsWith(cancelSentence(trial.status).text()))
            trial.reason = cancelSentence(trial.status);
        break;
    }
}

Message journalOf(const Trial& before, const Trial& after)
{
    if (isFinal(after.status))
        return endWords(after);
    switch (after.status) {
    case TrialStatus::running:
        return before.status == TrialStatus::unknown && before.startTime ? u"In contact again: it is running."_m
                                                                         : sentence(u"Started"_m + placeWords(after));
    case TrialStatus::unknown:
        return sentence(u"State unknown: "_m + after.reason);
    default:
        return u"In contact again: it waits."_m;
    }
}

TrialStep unchanged(const Trial& trial)
{
    return {trial, false, false, {}};
}

} // namespace

bool isLegalTransition(TrialStatus from, TrialStatus to)
{
    if (isFinal(from) || from == to)
        return false;
    return !(from == TrialStatus::running && to == TrialStatus::waiting);
}

std::optional<TrialStatus> nextStatus(const Trial& trial, const Observation& observation)
{
    TrialStatus to = observation.status;
    if (trial.cancelIntent && isFinal(to) && to != TrialStatus::succeeded
        && !(to == TrialStatus::failed && observation.endedByItself))
        to = cancelledStatus(*trial.cancelIntent);
    return isLegalTransition(trial.status, to) ? std::optional(to) : std::nullopt;
}

TrialStep applyObservation(const Trial& trial, const Observation& observation, qint64 now)
{
    if (isFinal(trial.status))
        return unchanged(trial);
    TrialStep step{trial, false, false, {}};
    Trial& next = step.trial;
    if (const auto status = nextStatus(trial, observation)) {
        next.status = *status;
        step.statusChanged = true;
    } else if (observation.status != trial.status) {
        // Out of order, for example WAITING after RUNNING: an old fact. It still shows that somebody answers.
        next.lastContact = std::max(trial.lastContact, now);
        return step;
    }
    if (!observation.workingDirectory.isEmpty())
        next.workingDirectory = observation.workingDirectory;
    if (!observation.url.isEmpty())
        next.url = observation.url;
    if (!observation.machine.isEmpty())
        next.machineId = observation.machine;
    if (observation.pid > 0)
        next.pid = observation.pid;
    if (observation.usage)
        next.usage = *observation.usage;
    if (isFinal(next.status)) {
        next.pid = 0;
        next.exitCode = observation.exitCode;
        next.signal = observation.signal.value_or(0) > 0 ? observation.signal : std::nullopt;
    }
    if (step.statusChanged || !observation.reason.isEmpty())
        setReason(next, trial.status, observation);
    if (next.status != TrialStatus::waiting && next.status != TrialStatus::unknown)
        setTimes(next, observation, now);
    if (step.statusChanged)
        step.journal = journalOf(trial, next);
    step.changed = next != trial;
    if (observation.status != TrialStatus::unknown)
        next.lastContact = std::max(trial.lastContact, now);
    return step;
}

TrialStep applyRequeue(const Trial& trial, const Message& why, qint64 now)
{
    if (isFinal(trial.status))
        return unchanged(trial);
    TrialStep step{trial, true, trial.status != TrialStatus::waiting, {}};
    Trial& next = step.trial;
    next.status = TrialStatus::waiting;
    next.pid = 0;
    next.startTime.reset();
    next.lastContact = std::max(trial.lastContact, now);
    const Message where = u"the platform %1 took it back to its queue"_m.arg(trial.platformId.value);
    const Message words = why.isEmpty() ? where : where + u": "_s + why;
    if (!trial.cancelIntent || trial.reason.isEmpty())
        next.reason = words;
    step.journal = sentence(u"Waits again: "_m + words);
    return step;
}

TrialStep applyLost(const Trial& trial, const QString& where, qint64 since)
{
    if (isFinal(trial.status))
        return unchanged(trial);
    TrialStep step{trial, false, false, {}};
    Trial& next = step.trial;
    if (since > 0 && next.lastContact == 0)
        next.lastContact = since;
    next.status = TrialStatus::unknown;
    next.reason = noContact(where, since);
    step.statusChanged = trial.status != TrialStatus::unknown;
    step.changed = next != trial;
    if (step.statusChanged)
        step.journal = journalOf(trial, next);
    return step;
}

TrialStep applyCancel(const Trial& trial, CancelIntent intent, bool submitted, qint64 now, const Message& why)
{
    // Asked again it changes nothing, unless it turned out meanwhile that no platform has the trial.
    if (isFinal(trial.status) || (trial.cancelIntent && submitted))
        return unchanged(trial);
    TrialStep step{trial, true, false, {}};
    Trial& next = step.trial;
    next.cancelIntent = trial.cancelIntent.value_or(intent);
    const Message sentence = cancelSentence(cancelledStatus(*next.cancelIntent));
    if (!why.isEmpty())
        next.reason = sentence + u": "_s + why;
    if (trial.status == TrialStatus::waiting && !submitted) {
        next.status = cancelledStatus(*next.cancelIntent);
        if (!next.reason.startsWith(sentence.text()))
            next.reason = sentence;
        next.endTime = std::max(now, trial.submitTime);
        step.statusChanged = true;
        step.journal = u"Cancelled before it was started."_m;
    } else {
        step.journal = intent == CancelIntent::early ? u"Is being stopped early."_m : u"Is being cancelled."_m;
    }
    return step;
}

TrialStep applySubmitOutcome(const Trial& trial, const SubmitOutcome& outcome, qint64 now)
{
    if (!outcome.error && !outcome.unknown)
        return unchanged(trial);
    Observation observation;
    observation.trial = trial.id;
    observation.time = now;
    const Message message = outcome.error ? outcome.error->message : Message();
    if (outcome.unknown) {
        observation.status = TrialStatus::unknown;
        observation.reason = message.isEmpty() ? u"it is not known whether it was started; this is being found out"_m
                                               : u"it is not known whether it was started: "_m + message;
    } else {
        observation.status = TrialStatus::failed;
        observation.failureClass = FailureClass::startFailed;
        observation.reason = u"could not be started: "_m + message;
    }
    return applyObservation(trial, observation, now);
}

QString signalName(int signal)
{
    static constexpr const char* names[] = {"", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL",
        "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS"};
    return signal > 0 && size_t(signal) < std::size(names) ? QString::fromLatin1(names[signal]) : QString();
}

Message failureSentence(
    FailureClass failureClass, const Message& reason, std::optional<int> exitCode, std::optional<int> signal)
{
    if (!reason.isEmpty())
        return reason;
    switch (failureClass) {
    case FailureClass::outOfMemory:
        return u"out of memory: the machine ended its processes"_m;
    case FailureClass::commandNotFound:
        return u"command not found"_m;
    case FailureClass::keeperLost:
        return u"its keeper was lost, and no trace of how it ended was found"_m;
    case FailureClass::machineRestarted:
        return u"the machine restarted while it ran"_m;
    case FailureClass::startFailed:
        return u"could not be started"_m;
    case FailureClass::neverStarted:
        return u"its platform ended it before it was started"_m;
    default:
        break; // the signal or the exit code is all that is known
    }
    if (signal.value_or(0) > 0) {
        const QString name = signalName(*signal);
        return u"killed by signal %1"_m.arg(*signal) + (name.isEmpty() ? Message() : u" (%1)"_m.arg(name));
    }
    if (exitCode.value_or(0) != 0) {
        Message words = u"exit code %1"_m.arg(*exitCode);
        if (*exitCode == 126)
            return words + u": a command in it cannot be executed"_m;
        if (*exitCode == 127)
            return words + u": a command in it was not found"_m;
        // A shell's way to say that what it ran was killed.
        if (const QString name = signalName(*exitCode - 128); !name.isEmpty())
            return words + u": a process in it was killed by signal %1 (%2)"_m.arg(*exitCode - 128).arg(name);
        return words;
    }
    return u"the platform reports a failure and gives no reason"_m;
}

} // namespace trial
