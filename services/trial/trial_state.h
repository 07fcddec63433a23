// SPDX-License-Identifier: GPL-3.0-or-later
// A trial's state and a fact about it, to its next state. Pure: no clock, no store; `now` is the service's clock in
// milliseconds.
//
// Legal transitions (reference: NNI's TrialJobStatus and what its manager expects):
//   WAITING -> RUNNING, UNKNOWN or any final state (short trials are seen late)
//   RUNNING -> UNKNOWN or any final state; WAITING by applyRequeue() alone
//   UNKNOWN -> anything: contact came back
//   a final state -> nothing, ever
// A fact that would break these changes nothing but the time of last contact.
#pragma once

#include "observation.h"

namespace trial {

using namespace core;

[[nodiscard]] bool isLegalTransition(TrialStatus from, TrialStatus to);

/// What the trial becomes by an observation, its cancel intent considered; nothing if the observation cannot change it.
/// FAILED of a trial that we are cancelling means that the cancel worked: USER_CANCELED, EARLY_STOPPED or SYS_CANCELED
/// by the intent. SUCCEEDED stays what it is, and so does a failure that the platform knows came before our cancel.
[[nodiscard]] std::optional<TrialStatus> nextStatus(const Trial& trial, const Observation& observation);

struct TrialStep
{
    Trial trial;
    bool changed = false; ///< anything but lastContact
    bool statusChanged = false;
    Message journal; ///< a sentence for the trial's journal; empty if there is nothing to tell
};

/// Times are made sane: the target's clock may be off, so a start before the submission or after `now` is moved into
/// that span, and the end by as much; an end is never before its start. startTime is set once.
[[nodiscard]] TrialStep applyObservation(const Trial& trial, const Observation& observation, qint64 now);

/// Its platform took it back to its queue, to start it from the beginning: WAITING, with no start time. `why` may be empty.
[[nodiscard]] TrialStep applyRequeue(const Trial& trial, const Message& why, qint64 now);

/// No contact with where it runs since then: UNKNOWN, whatever it was, unless final.
[[nodiscard]] TrialStep applyLost(const Trial& trial, const QString& where, qint64 since);

/// A cancel was asked for. A trial that no platform has been given ends at once; any other keeps its status and carries
/// the intent. The first intent stands. `why`, a clause, becomes part of its reason when it has ended; it may be empty.
[[nodiscard]] TrialStep applyCancel(
    const Trial& trial, CancelIntent intent, bool submitted, qint64 now, const Message& why = {});

/// What submit() said: FAILED if refused for good, UNKNOWN if nobody knows, unchanged if accepted.
[[nodiscard]] TrialStep applySubmitOutcome(const Trial& trial, const SubmitOutcome& outcome, qint64 now);

/// `reason`, the platform's own sentence; without one "killed by signal 9 (KILL)", "exit code 2", ….
[[nodiscard]] Message failureSentence(
    FailureClass failureClass, const Message& reason, std::optional<int> exitCode, std::optional<int> signal);

/// `KILL` for 9 (Linux numbers); empty for an unknown one.
[[nodiscard]] QString signalName(int signal);

} // namespace trial
