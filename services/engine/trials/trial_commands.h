// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_supervisor.h"

#include <QSet>

namespace engine {

/// Commands of people and tuners for trials: submit, cancel, retry, change, reorder. Each answer comes after its effect is
/// durable. Service thread only.
class TrialCommands : public QObject
{
    Q_OBJECT
public:
    TrialCommands(EngineState& state, store::Store& store, PlatformManager& platforms, TrialSupervisor& supervisor);
    ~TrialCommands() override;

    [[nodiscard]] Task<Result<Reply>> submit(SubmitTrials command);
    [[nodiscard]] Task<Result<Reply>> cancel(CancelTrials command);
    [[nodiscard]] Task<Result<Reply>> retry(RetryTrials command);
    [[nodiscard]] Task<Result<Reply>> patch(PatchTrials command);
    [[nodiscard]] Task<Result<Reply>> move(MoveQueue command);

    /// Trials of the service's own search: in the state at once, durable together with their placement.
    void generate(const ExperimentId& experiment, const QList<QByteArray>& parameters);
    void restore(const QList<store::IdempotencyRow>& rows);

signals:
    void accepted(const core::ExperimentId& id);

private:
    [[nodiscard]] Result<QList<TrialEntry*>> select(const TrialSelection& selection) const;
    [[nodiscard]] Result<TrialPtr> make(
        const Experiment& experiment, const TrialSubmission& request, qint64 sequenceId) const;
    /// The same as another attempt of `before`.
    [[nodiscard]] Result<TrialPtr> makeRerun(
        const Experiment& experiment, const TrialSubmission& request, qint64 sequenceId, const Trial& before) const;
    struct Submitted
    {
        QList<TrialPtr> created; ///< not in the state yet
        QList<TrialPtr> answers; ///< for each request the trial that is new, or the one that its clientId names
    };
    /// Which requests are new, and which ask for a trial that is there.
    [[nodiscard]] Result<Submitted> resolve(const Experiment& experiment, const QList<TrialSubmission>& requests) const;
    /// What was replied when this Idempotency-Key came before; Kind::conflict if it came with other trials.
    [[nodiscard]] Result<std::optional<Reply>> earlierReply(
        const ExperimentId& experiment, const QString& key, const QByteArray& fingerprint) const;
    void accept(const QList<TrialPtr>& trials);
    [[nodiscard]] Task<Result<>> commitNew(
        ExperimentId experiment, QList<TrialPtr> trials, std::optional<store::IdempotencyRow> answer);
    /// Waits while any of the clientIds, or the key, is being committed by another call.
    [[nodiscard]] Task<> untilFree(ExperimentId experiment, QList<TrialSubmission> requests, QString idempotencyKey);

    EngineState& m_state;
    store::Store& m_store;
    PlatformManager& m_platforms;
    TrialSupervisor& m_supervisor;
    mutable IdMaker m_ids;
    QHash<std::pair<QString, QString>, store::IdempotencyRow> m_answers;
    QSet<std::pair<ExperimentId, QString>> m_pending; ///< clientIds and idempotency keys that are being committed
    class Signal;
    std::unique_ptr<Signal> m_committed;
};

} // namespace engine
