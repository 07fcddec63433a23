// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slurm_calls.h"

#include "services/core/strand.h"
#include "services/transport/http/http_client.h"

namespace platforms::slurm {

/// Slurm through slurmrestd (slurm_rest.h), with a token of auth/jwt. Its list of jobs is that of all users; accounting is not asked for, so
/// how a job ended that has left the queue is known by its log alone.
class RestCalls : public SlurmCalls
{
public:
    struct Plan
    {
        transport::HttpSettings http;
        QByteArray user; ///< whose token it is
        std::unique_ptr<transport::TokenSource> tokens;
        Clock* clock = nullptr; ///< not owned
        std::stop_token stop;
    };
    /// Kind::invalid for settings that cannot be used.
    [[nodiscard]] static Result<std::unique_ptr<RestCalls>> make(Plan plan);

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
    explicit RestCalls(Plan plan);
    /// The newest version of the interface that is served there; once.
    [[nodiscard]] Task<Result<>> findVersion();
    [[nodiscard]] Task<Result<Reply>> ask(QByteArray method, QByteArray rest, QByteArray body = {});
    [[nodiscard]] Task<Result<transport::HttpReply>> send(
        QByteArray method, QByteArray path, QByteArray body, int attempts);

    Plan m_plan;
    Strand m_strand; ///< parses large answers
    std::unique_ptr<transport::HttpClient> m_client;
    int m_version = 0; ///< of the interface; 0: not known yet
    SlurmVersion m_slurm;
};

} // namespace platforms::slurm
