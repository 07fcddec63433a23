// SPDX-License-Identifier: GPL-3.0-or-later
#include "store.h"

#include "services/core/logging.h"
#include "services/core/one_shot.h"
#include "services/core/strand.h"
#include "worker.h"

using namespace Qt::StringLiterals;

namespace store {

namespace {

/// More would make the first of a group wait long for the last.
constexpr size_t maxGroup = 4'096;

} // namespace

bool Batch::isEmpty() const
{
    return trials.isEmpty() && experiments.isEmpty() && metrics.isEmpty() && events.isEmpty() && idempotency.isEmpty()
        && reservations.isEmpty() && releasedReservations.isEmpty() && values.isEmpty() && removedExperiments.isEmpty();
}

void Batch::append(Batch&& later)
{
    trials.append(std::move(later.trials));
    experiments.append(std::move(later.experiments));
    metrics.append(std::move(later.metrics));
    events.append(std::move(later.events));
    idempotency.append(std::move(later.idempotency));
    // Within one batch what is reserved is written before what is released, so the later word takes the earlier one's place.
    for (const ReservationRow& row : std::as_const(later.reservations))
        releasedReservations.removeAll(std::pair(row.machine, row.gpuIndex));
    for (const auto& released : std::as_const(later.releasedReservations)) {
        reservations.removeIf([&](const ReservationRow& row) {
            return row.machine == released.first && row.gpuIndex == released.second;
        });
    }
    reservations.append(std::move(later.reservations));
    releasedReservations.append(std::move(later.releasedReservations));
    values.insert(std::move(later.values));
    removedExperiments.append(std::move(later.removedExperiments));
    later = {};
}

struct Store::Pending
{
    Batch batch;
    Durability durability;
    std::function<void(Result<>)> committed;
};

struct Store::State
{
    State(QString folder, WriteWatch writeWatch)
        : worker(std::move(folder))
        , watch(std::move(writeWatch))
    {
    }

    Worker worker;          ///< used on the strand alone
    const WriteWatch watch; ///< likewise
    std::vector<Pending> pending;
    bool busy = false; ///< a group is being written
    bool closed = false;
    std::optional<Error> failing;
    Strand strand{u"store"_s}; ///< last: its end waits for the work that uses the worker
};

Store::Store(QString folder, WriteWatch watch, QObject* parent)
    : QObject(parent)
    , m_state(std::make_unique<State>(std::move(folder), std::move(watch)))
{
}

Store::~Store()
{
    pump(true);
    m_state->strand.post([worker = &m_state->worker] { worker->close(); });
}

Task<Result<Loaded>> Store::open()
{
    m_state->closed = false;
    Worker* worker = &m_state->worker;
    // Named, here and below: GCC 12 destroys the captures of a closure written inside an expression with co_await twice.
    auto work = [worker] { return worker->open(); };
    co_return co_await m_state->strand.run(std::move(work));
}

void Store::commit(Batch batch, Durability durability, std::function<void(Result<>)> committed)
{
    if (m_state->closed) {
        // Later, as ever: no callback comes from inside the call.
        if (committed) {
            QMetaObject::invokeMethod(
                this,
                [committed = std::move(committed)] { committed(fail(Kind::internal, u"The store is closed."_m)); },
                Qt::QueuedConnection);
        }
        return;
    }
    m_state->pending.push_back({std::move(batch), durability, std::move(committed)});
    pump();
}

Task<Result<>> Store::committed(Batch batch, Durability durability)
{
    OneShot<Result<>> done;
    commit(std::move(batch), durability, [done](Result<> result) mutable { done.set(std::move(result)); });
    co_return co_await done.wait();
}

void Store::pump(bool evenWhileBusy)
{
    State& state = *m_state;
    while (!state.pending.empty() && (!state.busy || evenWhileBusy)) {
        const size_t size = std::min(state.pending.size(), maxGroup);
        const auto end = state.pending.begin() + qsizetype(size);
        auto group = std::make_shared<std::vector<Pending>>(
            std::make_move_iterator(state.pending.begin()), std::make_move_iterator(end));
        state.pending.erase(state.pending.begin(), end);
        state.busy = true;
        state.strand.post([this, worker = &state.worker, watch = &state.watch, group = std::move(group)]() mutable {
            std::vector<Batch*> batches;
            bool full = false;
            for (Pending& pending : *group) {
                batches.push_back(&pending.batch);
                full = full || pending.durability == Durability::full;
            }
            if (*watch)
                (*watch)(false);
            auto results = std::make_shared<std::vector<Result<>>>(worker->write(batches, full));
            if (*watch)
                (*watch)(true);
            // What was written is freed here, not on the thread that everybody waits for.
            for (Pending& pending : *group)
                pending.batch = {};
            // The callbacks go home with the group: what they hold belongs to the service thread.
            QMetaObject::invokeMethod(
                this, [this, group = std::move(group), results] { finished(*group, *results); }, Qt::QueuedConnection);
        });
    }
}

void Store::finished(std::vector<Pending>& group, const std::vector<Result<>>& results)
{
    // The next group is written while this one's callbacks run. With several on their way, busy ends with the last; one
    // group more in between only makes groups smaller.
    m_state->busy = false;
    pump();
    const QPointer<Store> alive(this);
    for (size_t i = 0; i < group.size(); ++i) {
        watch(results[i]);
        const auto committed = std::exchange(group[i].committed, {});
        if (alive && committed)
            committed(results[i]);
        if (!alive)
            return;
    }
}

void Store::watch(const Result<>& result)
{
    std::optional<Error>& failing = m_state->failing;
    if (result) {
        if (std::exchange(failing, std::nullopt))
            emit trouble({Kind::internal, {}, {}});
        return;
    }
    if (failing && failing->message == result.error().message)
        return;
    failing = result.error();
    qCCritical(lcStore, "%s (%s)", qUtf8Printable(failing->message.text()), qUtf8Printable(failing->detail));
    emit trouble(result.error());
}

Task<Result<std::vector<Metric>>> Store::readMetrics(TrialId trial, qint64 since, qint64 limit)
{
    pump(true);
    Worker* worker = &m_state->worker;
    auto work = [worker, trial, since, limit] { return worker->readMetrics(trial, since, limit); };
    co_return co_await m_state->strand.run(std::move(work));
}

Task<Result<QList<TrialEvent>>> Store::readEvents(TrialId trial, qint64 since)
{
    pump(true);
    Worker* worker = &m_state->worker;
    auto work = [worker, trial, since] { return worker->readEvents(trial, since); };
    co_return co_await m_state->strand.run(std::move(work));
}

Task<> Store::close()
{
    m_state->closed = true;
    pump(true);
    Worker* worker = &m_state->worker;
    auto work = [worker] { worker->close(); };
    co_await m_state->strand.run(std::move(work));
}

} // namespace store
