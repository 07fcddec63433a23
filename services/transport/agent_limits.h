// SPDX-License-Identifier: GPL-3.0-or-later
// What one agent may make the service keep. A machine may belong to somebody else, or be taken over, so its agent is held to these
// bounds whatever it sends. Before them hold those of a frame (services/wire/protocol.h): 1 MiB of JSON, 64 KiB of raw bytes.
//
//   message                     bound                                                     beyond it
//   hello, adopted              nameChars, pathChars, idChars, mostStrangers              cut; trials are passed over
//   helloFailed, putFailed,     messageChars of a message and of its detail               cut
//   readFailed, failed, removed
//   started, cancelled          one answer to each question that is open; messageChars    passed over; cut
//   has, putAck, putDone        one upload that is under way; bytes that were sent        passed over; taken as what was sent
//   data                        what was asked for                                        cut, and the reading ends
//   files                       trialkeeper::maxListEntries, pathChars, messageChars      passed over; cut
//   gpu                         gpuTableBytes, mostGpus, mostGpuProcesses, messageChars   the table is dropped; the machine says so
//   load                        numbers alone, the newest ones                            -
//   finding (of a trial)        mostTrialFindings of each watched trial, findingChars     passed over; cut
//   finding (of the machine)    mostMachineFindings, findingChars; only logged            passed over; cut
//   finding (of the doctor)     mostDoctorSteps, wordChars, nameChars, messageChars       the examination ends and says so; cut
//   records                     the raw bytes of a frame, of a watched trial; what the    passed over
//                               engine keeps of them is its own business
//   event                       mostEvents of each watched trial, messageChars            passed over, but for a final one; cut
//   parameterDone, doctorDone,  one answer to each question that is open                  passed over
//   pong
#pragma once

#include "services/wire/protocol.h"

#include <QtGlobal>

namespace transport::limits {

/// A host's name has at most 255 characters (POSIX), and no account or title needs more.
inline constexpr qsizetype nameChars = 255;
inline constexpr qsizetype pathChars = 4'096; ///< PATH_MAX
inline constexpr qsizetype idChars = trialkeeper::maxId;
inline constexpr qsizetype wordChars = 64; ///< of a closed list, such as a state or a failure class
/// Some lines for a person; the last line of stderr and a driver's complaint fit.
inline constexpr qsizetype messageChars = 4'096;
inline constexpr qsizetype findingChars = 1'024; ///< one line of a trial's journal
inline constexpr int mostCpus = 65'536;
/// Trials that the agent found and nobody named. It sends the states of 4,000 with its hello.
inline constexpr qsizetype mostStrangers = 4'000;
/// `nvidia-smi -q -x` prints some 30 KB a GPU; of 16 GPUs with hundreds of processes it is a tenth of this.
inline constexpr qsizetype gpuTableBytes = 8 * 1024 * 1024;
inline constexpr qsizetype mostGpus = 256;           ///< 16 GPUs of seven MIG devices each are 128
inline constexpr qsizetype mostGpuProcesses = 1'024; ///< of one GPU
/// As many as the engine keeps of a trial's own findings (MetricIngest).
inline constexpr int mostTrialFindings = 20;
inline constexpr int mostMachineFindings = 100;
/// A trial has a handful: running, one for each cancel, the end.
inline constexpr int mostEvents = 1'000;
inline constexpr int mostDoctorSteps = 100; ///< there are about ten

/// The state of a `gpu` message whose table was dropped because of gpuTableBytes; it comes from the client, not from the agent.
inline constexpr const char* gpuTooLarge = "tooLarge";

} // namespace transport::limits
