// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/one_shot.h"
#include "services/platforms/platform.h"

#include <QMap>

#include <array>
#include <functional>
#include <memory>

namespace fakes {

using namespace core;

/// A platform in memory, driven by the test. What it runs lies in a World, which outlives the platform object as a machine outlives
/// the service: a second object over the same World is the next life of the service, and adopts.
/// Facts that follow from a call (a trial begins, a cancel is carried out) come in a later turn of the event loop.
class FakePlatform : public platforms::Platform
{
    Q_OBJECT
public:
    struct Trial
    {
        platforms::TrialSpec spec;
        TrialStatus status = TrialStatus::waiting;
        int starts = 0;                    ///< how often it was really started: more than 1 breaks the contract
        std::array<QByteArray, 3> streams; ///< by platforms::Stream
        QMap<QString, QByteArray> logs;    ///< `stdout`, …, `output/PATH`
        QMap<int, QByteArray> parameters;  ///< what sendParameter() brought
        platforms::Observation last;       ///< of its status
        qint64 journal = 0;
        std::array<qint64, 3> told{}; ///< of each stream, up to where the service was told
        int attempt =
            1; ///< which run of it this is: grows when the platform takes it back to its queue; streams are of this run
    };
    struct World
    {
        std::map<TrialId, Trial> trials;
        QList<Machine> machines;
        Json choicesAsked; ///< the settings of the last choices()
    };

    explicit FakePlatform(std::shared_ptr<World> world = std::make_shared<World>(), QObject* parent = nullptr);
    ~FakePlatform() override;

    // What the test does. Each reports to the service at once, if the platform is open and the trial is known to this life of it.
    void run(const TrialId& trial);
    /// Ends it by itself: SUCCEEDED for 0, else FAILED with class `exitCode`.
    void finish(const TrialId& trial, int exitCode = 0);
    void end(const TrialId& trial, TrialStatus status, const Message& reason = {},
        const OpenWord<FailureClass>& failureClass = {});
    /// The platform takes a running one back to its queue; run() starts it again, with empty streams.
    void requeue(const TrialId& trial, const QString& reason = {});
    /// `platformCursor`: goes with the bytes.
    void write(
        const TrialId& trial, platforms::Stream stream, const QByteArray& bytes, const QByteArray& platformCursor = {});
    void appendLog(const TrialId& trial, const QString& name, const QByteArray& bytes);
    void setMachines(const QList<Machine>& machines);
    void setState(PlatformState state, const QString& message = {});
    /// No contact; back() reports machines and trials anew, and what they wrote meanwhile.
    void lose(const MachineId& machine = {});
    void back();
    [[nodiscard]] platforms::Sink* sink() const { return m_open ? m_context.sink : nullptr; }
    [[nodiscard]] Trial* trial(const TrialId& trial);
    [[nodiscard]] std::shared_ptr<World> world() const { return m_world; }

    // Knobs
    QString kind = QStringLiteral("fake");
    QList<platforms::Field> fields;
    QList<platforms::Field> experimentFields;
    std::function<core::Result<>(const core::Json& options)> optionRules; ///< of checkOptions()
    bool ownRoles = false;
    PlatformCapabilities capabilities{true, true, true, true, true, true};
    bool mergedLog = false;    ///< there is no `stderr`: what it would hold is in `stdout`
    bool autoRun = true;       ///< a submitted trial runs in the next turn
    bool autoCancel = true;    ///< a cancelled one ends in the next turn
    bool forgetsFacts = false; ///< silence: nothing is reported, though it happens
    std::optional<Error> openError;
    std::optional<Error> removeError;
    std::optional<Error> cancelError; ///< of a machine that does not answer: nothing is cancelled
    int failedCancels = 0;            ///< calls of cancel() that got it
    /// What canReconfigure() answers; without it, that it cannot.
    std::function<Result<bool>(const Json&)> onCanReconfigure;
    QList<MachineId> interrupts;               ///< what reconfigure() returns
    std::function<void(const TrialId&)> onRun; ///< what the trial's command does, right after it began
    /// What submit() answers of a trial instead of starting it (`error`), or after starting it all the same (`unknown`).
    std::function<std::optional<platforms::SubmitOutcome>(const platforms::TrialSpec&)> onSubmit;
    QList<CheckStep> checkSteps;
    int strays = 0;  ///< what removeUnknown() removes
    Json openedWith; ///< the settings of the last open()
    QStringList choiceValues;
    /// submit() answers only after releaseSubmits(); what it starts is started at once.
    bool holdSubmits = false;
    void releaseSubmits();
    /// open() and close() answer only after releaseOpens() and releaseCloses(). A close() ends an open() that is held.
    bool holdOpens = false;
    bool holdCloses = false;
    bool holdChecks = false; ///< likewise check(), until releaseChecks()
    void releaseOpens();
    void releaseCloses();
    void releaseChecks();

    QList<platforms::TrialRef> adopted;    ///< of all calls of adopt(), in their order
    bool hasPages = true;                  ///< showsResults()
    QList<platforms::TrialResult> results; ///< of showResult()
    QStringList calls; ///< `open`, `submit t1`, `cancel t1 user`, `adopt t1`, `remove t1`, `parameter t1 1`, `close` …

    /// As it was opened with.
    [[nodiscard]] const platforms::Context& context() const { return m_context; }

    // The contract
    [[nodiscard]] platforms::KindDescription describe() const override;
    [[nodiscard]] core::Result<> checkOptions(const core::Json& settings, const core::Json& options) const override;
    [[nodiscard]] Task<Result<>> open(Json settings, platforms::Context context) override;
    [[nodiscard]] Result<bool> canReconfigure(const Json& settings) const override;
    [[nodiscard]] Task<QList<MachineId>> reconfigure(Json settings) override;
    [[nodiscard]] Task<QList<platforms::SubmitOutcome>> submit(QList<platforms::TrialSpec> specs) override;
    [[nodiscard]] Task<Result<>> cancel(QList<platforms::TrialRef> trials, CancelIntent intent) override;
    [[nodiscard]] Task<Result<>> sendParameter(platforms::TrialRef trial, int index, QByteArray text) override;
    [[nodiscard]] Task<Result<QStringList>> logNames(platforms::TrialRef trial) override;
    [[nodiscard]] Task<Result<platforms::Bytes>> readLog(
        platforms::TrialRef trial, QString name, platforms::ReadRange range) override;
    [[nodiscard]] Task<Result<platforms::FileList>> listFiles(
        platforms::TrialRef trial, QString after, qint64 limit) override;
    bool showsResults() const override { return hasPages; }
    void showResult(const platforms::TrialResult& result) override { results.append(result); }
    [[nodiscard]] Task<Result<>> adopt(QList<platforms::TrialRef> trials) override;
    [[nodiscard]] Task<Result<>> remove(ExperimentId experiment, QList<platforms::TrialRef> trials) override;
    [[nodiscard]] Task<Result<int>> removeUnknown(ExperimentId experiment, QSet<TrialId> known) override;
    [[nodiscard]] Task<Result<QStringList>> choices(
        QString field, Json partialSettings, platforms::Context context) override;
    [[nodiscard]] Task<Result<>> check(OperationId request, Json settings, MachineId machine,
        platforms::CheckExtent extent, platforms::Context context) override;
    [[nodiscard]] Task<> close() override;

private:
    /// As it is reported: 0 where the platform has no runs.
    [[nodiscard]] int attemptOf(const Trial& trial) const { return capabilities.requeue ? trial.attempt : 0; }
    [[nodiscard]] bool tells(const TrialId& trial) const;
    void later(std::function<void()> work);
    void observe(const TrialId& trial);
    void tellFrom(const TrialId& trial, const platforms::Cursors& from);
    void wakeReaders();

    std::shared_ptr<World> m_world;
    platforms::Context m_context;
    bool m_open = false;
    QSet<TrialId> m_known; ///< submitted or adopted in this life
    std::vector<OneShot<bool>> m_heldSubmits;
    std::vector<OneShot<bool>> m_heldOpens;
    std::vector<OneShot<bool>> m_heldCloses;
    std::vector<OneShot<bool>> m_heldChecks;
    std::vector<OneShot<bool>> m_readers;
};

} // namespace fakes
