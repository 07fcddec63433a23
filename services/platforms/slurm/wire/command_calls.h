// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slurm_calls.h"

#include "services/platforms/commands/command_host.h"

#include <stop_token>

namespace platforms::slurm {

/// sbatch, squeue and their like on a CommandHost.
class CommandCalls : public SlurmCalls
{
public:
    /// `host` is not owned and must outlive this; it is open, but for version() after a failed open(). `slurmConf` may be empty.
    CommandCalls(CommandHost* host, QString slurmConf, std::stop_token stop);

    [[nodiscard]] Task<Result<SlurmVersion>> version() override;
    [[nodiscard]] Task<SubmitAnswer> submit(ScriptValues values, QByteArray script) override;
    [[nodiscard]] Task<Result<QList<SlurmJob>>> queue() override;
    [[nodiscard]] Task<Result<Accounting>> accounting(QList<qint64> ids) override;
    [[nodiscard]] Task<Result<>> cancel(QList<qint64> ids, QStringList names) override;
    [[nodiscard]] Task<Result<QList<SlurmPartition>>> partitions() override;
    [[nodiscard]] Task<Result<QList<SlurmNode>>> nodes() override;
    [[nodiscard]] Task<> close() override;
    [[nodiscard]] Message title() const override;
    [[nodiscard]] Message remedy() const override;

private:
    [[nodiscard]] Task<Result<Reply>> run(QStringList words, QByteArray input = {});

    CommandHost* m_host;
    const QString m_slurmConf;
    const std::stop_token m_stop;
    SlurmVersion m_version;
};

} // namespace platforms::slurm
