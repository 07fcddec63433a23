// SPDX-License-Identifier: GPL-3.0-or-later
// How batches become rows.
#include "worker.h"

#include "record_codec.h"
#include "services/core/logging.h"
#include "sql_error.h"

#include <QVariant>

using namespace Qt::StringLiterals;

namespace store {

namespace {

constexpr qint64 purgeEveryMs = 3'600 * 1'000;
constexpr int growUntil = 128;       // a chunk in the file is rewritten until it has as many points
constexpr int maxOpenTrials = 4'096; // a few kilobytes each

bool isSequence(qint64 sequence)
{
    return sequence >= 0 && sequence <= Worker::maxSequence;
}

QByteArray notNull(const QByteArray& bytes)
{
    // SQL takes a null QByteArray for NULL.
    return bytes.isNull() ? QByteArray("") : bytes;
}

QString notNull(const QString& text)
{
    return text.isNull() ? u""_s : text;
}

} // namespace

std::vector<Result<>> Worker::write(std::span<Batch* const> batches, bool full)
{
    std::vector<Result<>> results(batches.size());
    const Result<> together = writeTogether(batches, full);
    if (together)
        return results;
    if (batches.size() == 1) {
        results[0] = together;
        return results;
    }
    for (size_t i = 0; i < batches.size(); ++i)
        results[i] = writeTogether(batches.subspan(i, 1), full);
    return results;
}

Worker::Latest Worker::latestOf(std::span<Batch* const> batches)
{
    Latest latest;
    for (const Batch* batch : batches) {
        for (const TrialRow& row : batch->trials)
            latest.trials.insert(row.trial->id, &row);
        for (const ExperimentPtr& experiment : batch->experiments)
            latest.experiments.insert(experiment->id, experiment.get());
        for (const EventRow& event : batch->events) {
            qint64& count = latest.events[event.trial];
            if (isSequence(event.event.sequence))
                count = std::max(count, event.event.sequence + 1);
        }
    }
    return latest;
}

Result<> Worker::writeTogether(std::span<Batch* const> batches, bool full)
{
    if (!m_open)
        return fail(Kind::internal, u"The store is not open."_m);
    // Cannot be changed inside a transaction.
    if (auto done = setSynchronous(full); !done)
        return done;
    if (auto done = exec(statement(begin)); !done)
        return done;
    m_written.clear();
    Latest latest = latestOf(batches);
    Result<> done;
    for (size_t i = 0; i < batches.size() && done; ++i)
        done = apply(*batches[i], latest);
    if (done)
        done = writeChunks();
    if (done)
        done = exec(statement(commitAll));
    if (!done) {
        rollBack();
        return done;
    }
    m_written.clear();
    forgetOldest();
    return {};
}

void Worker::rollBack()
{
    // SQLite rolls back by itself after some errors; then this one fails, which is harmless.
    (void)run(u"ROLLBACK"_s);
    m_trials.clear();
    m_written.clear();
}

Result<> Worker::apply(const Batch& batch, Latest& latest)
{
    for (const ExperimentPtr& experiment : batch.experiments) {
        const Experiment* last = latest.experiments.take(experiment->id);
        if (!last)
            continue;
        QSqlQuery& query = statement(putExperiment);
        query.bindValue(0, notNull(last->id.value));
        query.bindValue(1, encodeExperiment(*last));
        if (auto done = exec(query); !done)
            return done;
    }
    if (auto done = applyTrials(batch, latest); !done)
        return done;
    for (const MetricBatchPtr& metrics : batch.metrics) {
        if (auto done = applyMetrics(*metrics); !done)
            return done;
    }
    if (auto done = applyEvents(batch.events); !done)
        return done;
    if (auto done = applyIdempotency(batch.idempotency); !done)
        return done;
    for (const ReservationRow& row : batch.reservations) {
        QSqlQuery& query = statement(putReservation);
        query.bindValue(0, notNull(row.machine.value));
        query.bindValue(1, row.gpuIndex);
        query.bindValue(2, notNull(row.reservation.holder.word()));
        query.bindValue(3, notNull(row.reservation.trialId.value));
        query.bindValue(4, row.reservation.since);
        query.bindValue(5, notNull(row.reservation.note));
        if (auto done = exec(query); !done)
            return done;
    }
    for (const auto& [machine, gpu] : batch.releasedReservations) {
        QSqlQuery& query = statement(removeReservation);
        query.bindValue(0, notNull(machine.value));
        query.bindValue(1, gpu);
        if (auto done = exec(query); !done)
            return done;
    }
    for (auto it = batch.values.begin(); it != batch.values.end(); ++it) {
        QSqlQuery& query = statement(it.value().isEmpty() ? removeFact : putFact);
        query.bindValue(0, notNull(it.key()));
        if (!it.value().isEmpty())
            query.bindValue(1, it.value());
        if (auto done = exec(query); !done)
            return done;
    }
    for (const ExperimentId& experiment : batch.removedExperiments) {
        if (auto done = applyRemoval(experiment); !done)
            return done;
    }
    return {};
}

Result<> Worker::applyTrials(const Batch& batch, Latest& latest)
{
    QSqlQuery& query = statement(putTrial);
    for (const TrialRow& row : batch.trials) {
        // The place of the first version, which is the order of acceptance, with the content of the last one.
        const TrialRow* last = latest.trials.take(row.trial->id);
        if (!last)
            continue;
        query.bindValue(0, notNull(last->trial->id.value));
        query.bindValue(1, notNull(last->trial->experimentId.value));
        query.bindValue(2, latest.events.value(last->trial->id));
        query.bindValue(3, encodeTrial(*last->trial, last->state));
        if (auto done = exec(query); !done)
            return done;
        m_written.insert(last->trial->id);
    }
    return {};
}

Result<> Worker::applyMetrics(const MetricBatch& batch)
{
    const auto found = openTrial(batch.trialId);
    if (!found)
        return fail(found);
    if (!*found) {
        qCWarning(lcStore, "Metrics of trial %s are dropped: the store does not have it.",
            qUtf8Printable(batch.trialId.value));
        return {};
    }
    OpenTrial& trial = **found;
    for (const Metric& metric : batch.metrics) {
        if (metric.sequence < trial.chunk.next())
            continue; // a replay: it is here already
        const bool hole = metric.sequence > trial.chunk.next();
        if (hole) {
            qCCritical(lcStore, "Metrics %lld to %lld of trial %s are missing.", trial.chunk.next(),
                metric.sequence - 1, qUtf8Printable(batch.trialId.value));
            if (metric.sequence > maxSequence)
                return {};
        }
        if (hole || !trial.growing || trial.chunk.count() >= MetricChunk::maxPoints) {
            if (auto done = writeChunk(trial); !done)
                return done;
            trial.chunk = MetricChunk(metric.sequence);
            trial.growing = true;
        }
        trial.chunk.append(metric);
        trial.dirty = true;
    }
    return {};
}

Result<qint64> Worker::rowOf(const TrialId& trial)
{
    QSqlQuery& query = statement(findTrial);
    query.bindValue(0, notNull(trial.value));
    if (auto done = exec(query); !done)
        return fail(done);
    const qint64 row = query.next() ? query.value(0).toLongLong() : 0;
    query.finish();
    return row;
}

Result<Worker::OpenTrial*> Worker::openTrial(const TrialId& id)
{
    if (const auto it = m_trials.find(id); it != m_trials.end()) {
        it->used = ++m_tick;
        return &*it;
    }
    const auto row = rowOf(id);
    if (!row)
        return fail(row);
    if (*row == 0)
        return nullptr;
    OpenTrial trial;
    trial.row = *row;
    trial.used = ++m_tick;
    QSqlQuery& query = statement(lastChunk);
    query.bindValue(0, *row << sequenceBits);
    query.bindValue(1, (*row + 1) << sequenceBits);
    if (auto done = exec(query); !done)
        return fail(done);
    if (query.next()) {
        const QByteArray bytes = query.value(0).toByteArray();
        const auto about = MetricChunk::describe(bytes);
        std::vector<Metric> points;
        if (!about || (about->second < growUntil && !MetricChunk::decode(bytes, 0, MetricChunk::maxPoints, points))) {
            query.finish();
            return tl::unexpected(damagedStore(m_file, u"metrics of trial %1"_s.arg(id.value)));
        }
        trial.growing = about->second < growUntil;
        trial.chunk = trial.growing ? MetricChunk(about->first) : MetricChunk::closed(about->first, about->second);
        for (const Metric& point : points)
            trial.chunk.append(point);
    }
    query.finish();
    return &*m_trials.emplace(id, std::move(trial));
}

Result<> Worker::writeChunk(OpenTrial& trial)
{
    if (!trial.dirty)
        return {};
    QSqlQuery& query = statement(putChunk);
    query.bindValue(0, (trial.row << sequenceBits) + trial.chunk.first());
    query.bindValue(1, trial.chunk.bytes());
    auto done = exec(query);
    if (done)
        trial.dirty = false;
    return done;
}

Result<> Worker::writeChunks()
{
    for (OpenTrial& trial : m_trials) {
        if (!trial.dirty)
            continue;
        if (auto done = writeChunk(trial); !done)
            return done;
        if (trial.chunk.count() >= growUntil) {
            trial.growing = false;
            trial.chunk.dropBytes();
        }
    }
    return {};
}

void Worker::forgetOldest()
{
    if (m_trials.size() <= maxOpenTrials)
        return;
    std::vector<quint64> ages;
    ages.reserve(size_t(m_trials.size()));
    for (const OpenTrial& trial : std::as_const(m_trials))
        ages.push_back(trial.used);
    const auto middle = ages.begin() + maxOpenTrials / 2;
    std::nth_element(ages.begin(), middle, ages.end(), std::greater<>());
    m_trials.removeIf([oldest = *middle](const auto& entry) { return entry.value().used <= oldest; });
}

Result<> Worker::applyEvents(const QList<EventRow>& events)
{
    QHash<qint64, qint64> counts;
    TrialId lastId;
    qint64 row = 0;
    for (const EventRow& event : events) {
        if (event.trial != lastId || row == 0) {
            const auto found = rowOf(event.trial);
            if (!found)
                return fail(found);
            lastId = event.trial;
            row = *found;
        }
        if (row == 0 || !isSequence(event.event.sequence)) {
            qCWarning(lcStore, "An event of trial %s is dropped: the store does not have the trial.",
                qUtf8Printable(event.trial.value));
            continue;
        }
        QSqlQuery& query = statement(putEvent);
        query.bindValue(0, (row << sequenceBits) + event.event.sequence);
        query.bindValue(1, event.event.time);
        query.bindValue(2, notNull(event.event.kind.word()));
        query.bindValue(3, notNull(event.event.text.text()));
        query.bindValue(4, encodeForm(event.event.text));
        if (auto done = exec(query); !done)
            return done;
        if (m_written.contains(event.trial))
            continue; // counted as its trial was written
        qint64& count = counts[row];
        count = std::max(count, event.event.sequence + 1);
    }
    for (auto it = counts.begin(); it != counts.end(); ++it) {
        QSqlQuery& query = statement(countEvents);
        query.bindValue(0, it.value());
        query.bindValue(1, it.key());
        if (auto done = exec(query); !done)
            return done;
    }
    return {};
}

Result<> Worker::applyIdempotency(const QList<IdempotencyRow>& rows)
{
    for (const IdempotencyRow& row : rows) {
        QSqlQuery& query = statement(putIdempotency);
        query.bindValue(0, notNull(row.scope));
        query.bindValue(1, notNull(row.key));
        query.bindValue(2, notNull(row.fingerprint));
        query.bindValue(3, notNull(row.reply));
        query.bindValue(4, row.time);
        if (auto done = exec(query); !done)
            return done;
        if (row.time > m_lastPurge + purgeEveryMs) {
            // A service runs for months: what is older than a day goes while it runs, too.
            QSqlQuery& purge = statement(purgeIdempotency);
            purge.bindValue(0, row.time - dayMs);
            if (auto done = exec(purge); !done)
                return done;
            m_lastPurge = row.time;
        }
    }
    return {};
}

Result<> Worker::applyRemoval(const ExperimentId& experiment)
{
    QSqlQuery& trials = statement(trialsOfExperiment);
    trials.bindValue(0, notNull(experiment.value));
    if (auto done = exec(trials); !done)
        return done;
    QSet<qint64> rows;
    while (trials.next())
        rows.insert(trials.value(0).toLongLong());
    trials.finish();
    m_trials.removeIf([&](const auto& entry) { return rows.contains(entry.value().row); });
    for (const qint64 row : std::as_const(rows)) {
        for (const Statement which : {removeMetrics, removeEvents}) {
            QSqlQuery& query = statement(which);
            query.bindValue(0, row << sequenceBits);
            query.bindValue(1, (row + 1) << sequenceBits);
            if (auto done = exec(query); !done)
                return done;
        }
    }
    for (const Statement which : {removeTrials, removeExperiment}) {
        QSqlQuery& query = statement(which);
        query.bindValue(0, notNull(experiment.value));
        if (auto done = exec(query); !done)
            return done;
    }
    return {};
}

} // namespace store
