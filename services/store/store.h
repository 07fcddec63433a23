// SPDX-License-Identifier: GPL-3.0-or-later
// What survives a kill: experiments, trials, metrics, journals, reservations and answers to repeated requests, in one SQLite file.
// All methods are called on the service thread and never wait; the work happens on a thread of the store's own. Batches are
// grouped: everything queued while a commit runs goes into the next one, in order.
#pragma once

#include "services/core/records.h"
#include "services/core/task.h"

#include <QObject>

#include <functional>

namespace store {

using namespace core;

/// What the service keeps of a trial beside its public record.
struct TrialPrivate
{
    QString handle;         ///< the platform's own name of the job
    bool submitted = false; ///< handed to the platform, or about to be: it may be running there
    bool started = false;   ///< the platform confirmed
    qint64 nniCursor = 0;
    qint64 fileCursor = 0;
    qint64 stdoutCursor = 0;
    qint64 journalCursor = 0;
    qint64 cleaned = 0;        ///< its folder was removed
    int attempt = 0;           ///< the newest run that its platform reported (trial::Observation)
    int cursorAttempt = 0;     ///< whose streams the cursors are of
    QByteArray platformCursor; ///< the platform's own
    qint64 postedCursor = 0;   ///< the next offset of what it posts itself,
    qint64 postedRun = 0;      ///< and which of its runs counts them

    bool operator==(const TrialPrivate&) const = default;
};

struct TrialRow
{
    TrialPtr trial;
    TrialPrivate state;
};

struct ReservationRow
{
    MachineId machine;
    int gpuIndex = 0;
    GpuReservation reservation; ///< a person's
};

struct IdempotencyRow
{
    QString scope; ///< `experiments`, or an experiment's id
    QString key;
    QByteArray fingerprint; ///< of the request; the same key with another one is a conflict
    QByteArray reply;
    qint64 time = 0;
};

struct EventRow
{
    TrialId trial;
    TrialEvent event;
};

/// One step of the service's state: all of it is on disk, or none.
struct Batch
{
    QList<TrialRow> trials;           ///< inserted or replaced
    QList<ExperimentPtr> experiments; ///< likewise
    QList<MetricBatchPtr> metrics;    ///< appended; sequences continue what is there
    QList<EventRow> events;           ///< appended
    QList<IdempotencyRow> idempotency;
    QList<ReservationRow> reservations; ///< inserted or replaced
    QList<std::pair<MachineId, int>> releasedReservations;
    QMap<QString, QByteArray>
        values; ///< small facts by name (drained machines, platform metadata); an empty value removes
    QList<ExperimentId> removedExperiments; ///< with their trials, metrics and events

    [[nodiscard]] bool isEmpty() const;
    void append(Batch&& later);
};

/// `full` survives the loss of power (synchronous=FULL), `normal` the death of the process.
enum class Durability { normal, full };

struct Loaded
{
    QList<ExperimentPtr> experiments; ///< in order of creation; without counts
    QList<TrialRow> trials;           ///< in order of acceptance
    QList<ReservationRow> reservations;
    QMap<QString, QByteArray> values;
    QList<IdempotencyRow> idempotency; ///< of the last 24 hours
    QHash<TrialId, qint64> eventCounts;
};

/// Called on the store's thread around each transaction: `false` before it, `true` once it is on disk or has failed. Tests take
/// from it what a kill at that point would leave.
using WriteWatch = std::function<void(bool written)>;

class Store : public QObject
{
    Q_OBJECT
public:
    /// `folder` is the data directory; the file is `folder/store/trialdeck.sqlite`. Nothing is opened yet.
    explicit Store(QString folder, WriteWatch watch = {}, QObject* parent = nullptr);
    /// Writes what is queued and waits for it; callbacks that were not called by then are dropped, so close() comes first.
    ~Store() override;

    /// Opens, upgrades by numbered migrations, reads everything but metrics. A store of a newer version is refused and not
    /// touched; a read-only or full disk, or one that another process holds, gives an error with that reason.
    [[nodiscard]] Task<Result<Loaded>> open();

    /// Queues a batch. `committed` is called on the service thread once it is on disk, or with the error when it could not be
    /// written: then nothing of it is kept, and its caller decides. A grouped commit that fails is tried again batch by batch.
    void commit(Batch batch, Durability durability, std::function<void(Result<>)> committed = {});
    /// The same as an await.
    [[nodiscard]] Task<Result<>> committed(Batch batch, Durability durability);

    /// Metrics of sequence since.. (at most `limit`), in order, including what was queued before this call.
    [[nodiscard]] Task<Result<std::vector<Metric>>> readMetrics(TrialId trial, qint64 since, qint64 limit);
    [[nodiscard]] Task<Result<QList<TrialEvent>>> readEvents(TrialId trial, qint64 since);

    /// Waits until everything queued is on disk, then closes.
    [[nodiscard]] Task<> close();

signals:
    /// A commit failed (disk full, read-only …) or, with an empty error message, works again.
    void trouble(const core::Error& error);

private:
    struct Pending;
    struct State;
    void pump(bool evenWhileBusy = false);
    void finished(std::vector<Pending>& group, const std::vector<Result<>>& results);
    void watch(const Result<>& result);

    std::unique_ptr<State> m_state;
};

} // namespace store
