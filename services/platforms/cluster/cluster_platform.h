// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cluster_wire.h"
#include "kept_logs.h"
#include "part_logs.h"
#include "trial_log.h"

#include "services/core/one_shot.h"
#include "services/core/scope.h"

#include <map>

namespace platforms {

/// A platform that schedules by itself: jobs are handed to it, and what becomes of them is asked for. Two loops run while there are jobs:
/// one lists them, with one question for all, and one reads their logs, in batches. Derived classes make the wire and describe the
/// kind. Lives on the service thread.
class ClusterPlatform : public Platform
{
    Q_OBJECT
public:
    explicit ClusterPlatform(QObject* parent = nullptr);
    ~ClusterPlatform() override;

    [[nodiscard]] Task<Result<>> open(Json settings, Context context) override;
    [[nodiscard]] Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) override;
    [[nodiscard]] Task<Result<>> cancel(QList<TrialRef> trials, CancelIntent intent) override;
    [[nodiscard]] Task<Result<>> sendParameter(TrialRef trial, int index, QByteArray text) override;
    [[nodiscard]] Task<Result<QStringList>> logNames(TrialRef trial) override;
    [[nodiscard]] Task<Result<Bytes>> readLog(TrialRef trial, QString name, ReadRange range) override;
    [[nodiscard]] Task<Result<FileList>> listFiles(TrialRef trial, QString after, qint64 limit) override;
    [[nodiscard]] bool showsResults() const override { return m_isOpen && m_wire->showsResults(); }
    void showResult(const TrialResult& result) override;
    [[nodiscard]] Task<Result<>> adopt(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<int>> removeUnknown(ExperimentId experiment, QSet<TrialId> known) override;
    [[nodiscard]] Task<Result<>> check(
        OperationId request, Json settings, MachineId machine, CheckExtent extent, Context context) override;
    [[nodiscard]] Task<> close() override;

protected:
    /// Kind::invalid for settings that cannot work. The wire is not open yet.
    [[nodiscard]] virtual Result<std::unique_ptr<ClusterWire>> makeWire(
        const Json& settings, const Context& context) const = 0;
    [[nodiscard]] virtual JobPatience patience() const { return {}; }
    /// The wire of an open platform, else null.
    [[nodiscard]] ClusterWire* wire() const { return m_wire.get(); }

private:
    struct Job;

    Job* jobOf(const TrialId& trial) const;
    Job& take(const TrialRef& ref, StdoutWatch watch, bool isConfirmed);
    void apply(Job& job, const CourseStep& step);
    void drop(const TrialId& trial);
    /// At the earliest an interval after the last turn.
    void listSoon(qint64 delayMs);
    /// After so long, or sooner where a read is due sooner.
    void readSoon(qint64 delayMs);
    Task<> listJobs();
    Task<Result<>> askJobs();
    Task<> askMachines();
    /// What changed; never says that a job is missing.
    Task<Result<>> askChanges();
    void takeFact(const JobFact& fact);
    void reportStranger(const JobFact& fact);
    /// Reads the logs of other parts on, of trials that ended shortly before this service began.
    Task<> takeUpParts(QList<TrialId> ended);
    [[nodiscard]] SubmitOutcome knownOutcome(const Job& job) const;
    void handedOver(const TrialSpec& spec, const SubmitOutcome& outcome);
    Task<> readLogs();
    Task<> takePart(LogPart part);
    /// Keeps standard output and error of a trial, where its cluster forgets them.
    Task<> keep(TrialId trial, QList<KeptPiece> pieces);
    /// Whether more may come of this log.
    [[nodiscard]] bool isLive(const TrialId& trial, const QString& log) const;
    /// A piece of a log, by what is read anew each time: waits for more of a live trial's where the range follows it.
    using ReadPiece = std::function<Task<Result<Bytes>>(qint64 offset, std::optional<qint64> tail, bool isLive)>;
    Task<Result<Bytes>> readFollowing(TrialId trial, QString name, ReadRange range, ReadPiece read);
    Task<> showResults();
    void settleAll();
    void reached();
    void failed(const Error& error);
    [[nodiscard]] qint64 now() const { return m_context.clock->steadyMs(); }

    Context m_context;
    JobPatience m_patience;
    std::unique_ptr<Scope> m_scope;
    std::unique_ptr<ClusterWire> m_wire;
    std::unique_ptr<KeptLogs> m_kept;               ///< null: the cluster keeps the logs itself
    QSet<TrialId> m_reported;                       ///< trials that have ended: a late cancel or list of them is known
    PartLogs m_parts;                               ///< of jobs, also of some that have just ended
    std::map<TrialId, std::unique_ptr<Job>> m_jobs; ///< those whose end was not reported
    /// On its way to the cluster.
    struct Submission
    {
        std::vector<OneShot<SubmitOutcome>> others; ///< who waits for the same
        std::optional<CancelIntent> cancel;         ///< wanted meanwhile
    };
    std::map<TrialId, Submission> m_submitting;
    std::unique_ptr<TimerHandle> m_listTimer;
    std::unique_ptr<TimerHandle> m_readTimer;
    qint64 m_readAt = 0; ///< when it is due
    std::unique_ptr<TimerHandle> m_settleTimer;
    std::optional<qint64> m_machinesAt;
    qint64 m_machineCount = 0;
    std::optional<qint64> m_listedAt; ///< the last turn but the first
    std::optional<qint64> m_wholeAt;  ///< when all jobs were listed; nothing: they are to be
    qint64 m_silentSince = 0;         ///< milliseconds since the epoch; 0: it answers
    int m_failures = 0;               ///< of lists, in a row
    bool m_isFirstTurn = true;
    bool m_isListing = false;
    bool m_isStale = false;   ///< jobs changed since they were listed
    bool m_isMissing = false; ///< it is time to ask again for jobs that were not listed
    bool m_areMachinesStale = false;
    bool m_looksForStrangers = false; ///< jobs of this service that are none of m_jobs
    bool m_isReading = false;         ///< until all that was read is reported
    bool m_hasGrown = false;          ///< a log, since they were read
    bool m_readsLogs = false;         ///< the last wishes were some
    QList<TrialResult> m_results;     ///< to be shown
    bool m_isShowing = false;         ///< some of them
    bool m_isOpen = false;
};

} // namespace platforms
