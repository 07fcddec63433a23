// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "program_calls.h"

#include "services/platforms/cluster/storage_wire.h"
#include "services/platforms/external/program_description.h"

namespace platforms::external {

/// Trials through a program of another's, which hands their scripts to a queue (resources/api/external-platform.md), and a folder that its
/// nodes see. The program is started when there is something to ask, and again after it ended.
class ExternalWire : public StorageWire
{
    Q_OBJECT
public:
    /// `settings` are checked.
    ExternalWire(Json settings, const Context& context, ProgramDescription description, QStringList command,
        qint64 callTimeoutMs);
    ~ExternalWire() override;

    [[nodiscard]] Task<Result<>> open() override;
    [[nodiscard]] Task<> close() override;
    [[nodiscard]] QString name() const override { return m_description.title; }
    [[nodiscard]] Task<Result<QList<JobFact>>> jobs() override;
    [[nodiscard]] Task<Result<QList<JobFact>>> endedJobs(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<QList<Machine>>> machines() override;
    [[nodiscard]] Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<>> check(OperationId request, CheckExtent extent, Sink* sink) override;
    [[nodiscard]] bool hearsOfChanges() const override { return m_description.isPushing; }

    /// A call that needs no open().
    [[nodiscard]] Task<Result<Json>> askUnopened(QString call, Json members, qint64 timeoutMs);
    /// Starts the program and opens it, unless that is so.
    [[nodiscard]] Task<Result<>> makeReady();
    [[nodiscard]] const ProgramDescription& description() const { return m_description; }
    [[nodiscard]] const Json& ownSettings() const { return m_ownSettings; }
    using StorageWire::context;
    using StorageWire::openStorage;
    using StorageWire::storage;

protected:
    [[nodiscard]] Result<JobDocument> documentOf(const TrialSpec& spec, const QString& script) const override;
    [[nodiscard]] Task<SubmitReply> handOver(TrialId trial, QByteArray document) override;
    [[nodiscard]] Task<bool> has(TrialId trial) override;
    [[nodiscard]] QString handleOf(const TrialId& trial) const override;
    [[nodiscard]] Task<Result<>> cancelOne(TrialRef ref) override;
    [[nodiscard]] Task<Result<QList<JobFact>>> endOf(TrialId trial) override;

private:
    [[nodiscard]] Task<Result<>> begin();
    [[nodiscard]] Task<Result<Json>> ask(QString call, Json members, qint64 timeoutMs);
    [[nodiscard]] Task<Result<QList<JobFact>>> askJobs();

    const ProgramDescription m_description;
    const Json m_ownSettings; ///< the program's
    const qint64 m_callMs;    ///< for an ordinary call
    ProgramCalls m_program;
    bool m_isProgramOpen = false; ///< in this life of it
    bool m_isBeginning = false;
    std::vector<OneShot<Result<>>> m_waiting; ///< for the end of begin()
    std::optional<Error> m_refusal;           ///< of the last begin()
    qint64 m_refusedAt = 0;
    bool m_isClosed = false;
};

/// As StorageWire wants them.
[[nodiscard]] Json storageSettings(const Json& settings, const Context& context);

} // namespace platforms::external
