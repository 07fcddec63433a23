// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/task.h"
#include "services/platforms/slurm/slurm_accounting.h"
#include "services/platforms/slurm/slurm_job.h"
#include "services/platforms/slurm/slurm_nodes.h"
#include "services/platforms/slurm/slurm_script.h"
#include "services/platforms/slurm/slurm_submit.h"
#include "services/platforms/slurm/slurm_version.h"

namespace platforms::slurm {

/// What is asked of a cluster: by its commands (CommandCalls) or through slurmrestd (RestCalls). On the service thread, which nothing blocks.
/// Errors are those of commandError(), of the connection, and Kind::cancelled.
class SlurmCalls
{
public:
    SlurmCalls() = default;
    virtual ~SlurmCalls() = default;
    SlurmCalls(const SlurmCalls&) = delete;
    SlurmCalls& operator=(const SlurmCalls&) = delete;

    /// Also finds out how it is to be spoken to, so it comes first.
    [[nodiscard]] virtual Task<Result<SlurmVersion>> version() = 0;
    /// `script` is what batchScript() made of `values`.
    [[nodiscard]] virtual Task<SubmitAnswer> submit(ScriptValues values, QByteArray script) = 0;
    /// At least the jobs of the calling user, also those that ended a short time ago.
    [[nodiscard]] virtual Task<Result<QList<SlurmJob>>> queue() = 0;
    [[nodiscard]] virtual Task<Result<Accounting>> accounting(QList<qint64> ids) = 0;
    /// Those that are gone, or never were, are no error. All are tried; the first error is returned.
    [[nodiscard]] virtual Task<Result<>> cancel(QList<qint64> ids, QStringList names) = 0;
    [[nodiscard]] virtual Task<Result<QList<SlurmPartition>>> partitions() = 0;
    [[nodiscard]] virtual Task<Result<QList<SlurmNode>>> nodes() = 0;

    /// Ends pending calls. Awaited before it is destroyed.
    [[nodiscard]] virtual Task<> close() = 0;

    /// For sentences: what is spoken to, and what a person does when it does not answer.
    [[nodiscard]] virtual Message title() const = 0;
    [[nodiscard]] virtual Message remedy() const = 0;
};

} // namespace platforms::slurm
