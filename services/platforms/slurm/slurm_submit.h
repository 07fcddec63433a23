// SPDX-License-Identifier: GPL-3.0-or-later
// Submission: command line of sbatch, and what its answer means. Pure.
#pragma once

#include "slurm_reply.h"

#include <QStringList>

namespace platforms::slurm {

/// The words of sbatch for a script that is given on standard input: all that the job needs stands in it (slurm_script.h).
[[nodiscard]] QStringList submitCommand();

struct SubmitAnswer
{
    enum class Outcome {
        accepted,
        refused, ///< for good: the same job is refused again. Kind::invalid or Kind::auth
        later, ///< a limit on waiting jobs: nothing was submitted, and it can be when another job ends. Kind::resource
        none,  ///< the controller was not reached: nothing was submitted. Kind::network
        unknown, ///< it may have been submitted: look for its name in the queue before it is submitted again. Kind::timeout
    };
    Outcome outcome = Outcome::unknown;
    qint64 id = 0;   ///< where accepted
    QString cluster; ///< where Slurm names one (several clusters)
    Error error;     ///< where not accepted
};

[[nodiscard]] SubmitAnswer readSubmit(const Reply& reply);

} // namespace platforms::slurm
