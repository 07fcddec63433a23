// SPDX-License-Identifier: GPL-3.0-or-later
// The queue: command lines of squeue, and what it answers. Pure.
//
// Two forms. JSON is Slurm's own and needs no list of fields, but below 23.02 `squeue --json` ignores every filter: it prints all jobs of
// all users, megabytes on a large cluster, which its controller must gather each time. So below 23.02 the text form is used. It works with
// newer ones, too, and is what is left where a cluster was built without JSON.
//
// In the text form the fields, which may hold any character, are separated by a mark that the caller makes anew for each call
// (queueMark()): a name that was chosen before cannot hold it. Times are asked for with SLURM_TIME_FORMAT=%s (slurm_commands.h).
#pragma once

#include "slurm_job.h"
#include "slurm_version.h"

#include <QStringList>

namespace platforms::slurm {

enum class QueueForm { text, json };
[[nodiscard]] QueueForm queueForm(const SlurmVersion& version);

/// The mark that separates fields, made of a random number.
[[nodiscard]] QString queueMark(quint64 random);

/// The words of squeue for all jobs of the calling user, also those that ended a short time ago (MinJobAge, 300 s by default).
[[nodiscard]] QStringList queueTextCommand(const QString& mark);
[[nodiscard]] QStringList queueJsonCommand();

/// The jobs. An empty list means that there are none: an answer with errors in it (22.05 says "no jobs" and ends with 0 when its controller is
/// down), one that is cut or that has another shape is an error: Kind::network or Kind::timeout where asking again can help, see
/// commandError(). Jobs of heterogeneous sets are left out: none of them is ours.
[[nodiscard]] Result<QList<SlurmJob>> readQueueText(const Reply& reply, const QString& mark);
/// Of 22.05 to 24.11: states are a string or a list, numbers bare or objects, exit codes a wait status or an object.
[[nodiscard]] Result<QList<SlurmJob>> readQueueJson(const Reply& reply);

} // namespace platforms::slurm
