// SPDX-License-Identifier: GPL-3.0-or-later
// What a command of Slurm answered, and the errors that all of them have in common. Pure.
#pragma once

#include "services/core/result.h"

#include <QByteArray>

namespace platforms::slurm {

using namespace core;

/// The end of a command that ran. One that could not be run at all (no connection to its computer) never becomes a Reply.
struct Reply
{
    int exitCode = 0;
    int signal = 0; ///< that killed it; 0: none
    QByteArray out;
    QByteArray err;
    bool timedOut = false; ///< killed by us after its time
    bool cut = false;      ///< it printed more than was read
};

/// Why the command did not work, whatever it was asked for:
/// - Kind::network: the controller does not answer, and nothing was changed; try again later;
/// - Kind::timeout: no answer in time: the outcome of a command that changes something is unknown;
/// - Kind::auth: munge or permissions;
/// - Kind::invalid: the command is not there;
/// - Kind::platform: anything else, with Slurm's own words.
/// Nothing where the command ended by itself with exit code 0. `command`: its name, for sentences.
[[nodiscard]] std::optional<Error> commandError(const Reply& reply, const QString& command);

/// Slurm's own words in what it wrote to standard error: "sbatch: error: " and the like in front of each line left out, lines joined by
/// "; ", at most 500 characters, printable.
[[nodiscard]] QString slurmWords(QByteArrayView err);

} // namespace platforms::slurm
