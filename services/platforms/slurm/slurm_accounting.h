// SPDX-License-Identifier: GPL-3.0-or-later
// Accounting: what became of jobs that have left the queue. Command line of sacct, and what it answers. Pure.
#pragma once

#include "slurm_job.h"
#include "slurm_reply.h"

namespace platforms::slurm {

/// The words of sacct for these jobs. `mark` separates the fields, made anew for each call (queueMark()).
[[nodiscard]] QStringList accountingCommand(const QList<qint64>& ids, const QString& mark);

struct Accounting
{
    bool kept =
        true; ///< false: the cluster keeps none ("Slurm accounting storage is disabled"); how a job ended must come from elsewhere
    QList<SlurmJob> jobs;
};

/// The jobs that are known: one that is not is left out, and accounting lags by seconds, so an absent one says nothing. Errors as
/// commandError(), and Kind::network for an answer that is cut or has another shape. A database that is down is Kind::network.
[[nodiscard]] Result<Accounting> readAccounting(const Reply& reply, const QString& mark);

} // namespace platforms::slurm
