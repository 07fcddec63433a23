// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the logs of jobs, for the engine and for people.
#include "cluster_job.h"

#include <QPointer>

using namespace Qt::StringLiterals;

namespace platforms {

static constexpr qint64 longestRead = 8 * 1024 * 1024; ///< bytes of a log at once

void ClusterPlatform::readSoon(qint64 delayMs)
{
    if (!m_isOpen || m_isReading || (m_readTimer && m_readAt <= now() + delayMs))
        return;
    m_readAt = now() + delayMs;
    m_readTimer = m_context.clock->after(delayMs, [this] {
        m_readTimer.reset();
        m_scope->spawn([this] { return readLogs(); });
    });
}

Task<> ClusterPlatform::readLogs()
{
    QList<LogWish> wishes;
    QSet<TrialId> ending;
    constexpr qsizetype mostWaiting = 200; // a file system is asked for each
    const bool looksForStarts = m_wire->looksForLogs() && std::ssize(m_jobs) <= mostWaiting;
    for (const auto& [id, job] : m_jobs) {
        if (!job->hasRun && !looksForStarts)
            continue;
        wishes.append({job->ref, job->log.offset(), job->log.identity(), {}});
        if (job->course.ended)
            ending.insert(id);
        if (m_kept)
            m_parts.see(job->ref, m_wire->logParts(id));
    }
    wishes += m_parts.wishes(now());
    if (wishes.isEmpty() && !m_readsLogs)
        co_return;                   // a list, or a submission, begins it again
    m_readsLogs = !wishes.isEmpty(); // an empty list of wishes lets the wire end what it follows
    m_isReading = true;
    m_hasGrown = false;
    auto reading = m_wire->readLogs(wishes);
    const Result<QList<LogPart>> parts = co_await reading;
    if (!m_isOpen)
        co_return;
    bool isMore = false;
    if (parts) {
        for (const LogPart& part : *parts) {
            isMore = isMore || (part.state == LogPart::State::read && !part.isEnd && !part.bytes.isEmpty())
                || part.state == LogPart::State::another;
            auto taking = takePart(part);
            co_await taking;
            if (!m_isOpen)
                co_return;
            Job* job = part.part.isEmpty() ? jobOf(part.trial) : nullptr;
            if (job && ending.contains(part.trial) && part.state != LogPart::State::another
                && (part.isEnd || part.state == LogPart::State::missing)) {
                job->course.isLogRead = true;
                apply(*job, settle(job->course, now(), m_patience));
            }
        }
        settleAll();
    }
    // Not before all of it was reported: what is read next must not overtake what waits to be kept.
    m_isReading = false;
    readSoon(isMore ? 0 : m_hasGrown ? togetherMs : m_wire->logIntervalMs());
}

Task<> ClusterPlatform::keep(TrialId trial, QList<KeptPiece> pieces)
{
    auto keeping = m_kept->append(trial, std::move(pieces));
    const Result<> kept = co_await keeping;
    Job* job = jobOf(trial);
    if (kept || !m_isOpen || !job || job->saidNotKept)
        co_return; // what is kept later says how much is missing before it
    job->saidNotKept = true;
    m_context.sink->note(trial, TrialEventKind::finding, kept.error().message);
}

Task<> ClusterPlatform::takePart(LogPart part)
{
    if (!part.part.isEmpty()) {
        QList<KeptPiece> pieces = m_parts.take(part, now());
        if (pieces.isEmpty())
            co_return;
        auto keeping = keep(part.trial, std::move(pieces));
        co_await keeping;
        co_return;
    }
    Job* job = jobOf(part.trial);
    if (!job)
        co_return;
    if (part.state == LogPart::State::another) {
        job->log.restart();
        co_return;
    }
    if (part.state == LogPart::State::unreadable && !std::exchange(job->saidUnreadable, true))
        m_context.sink->note(part.trial, TrialEventKind::finding, part.message);
    if (part.state != LogPart::State::read || part.bytes.isEmpty())
        co_return;
    job->saidUnreadable = false;
    const TrialLog::Taken taken = job->log.take(part.bytes, part.identity, m_context.clock->nowMs(), job->course.runs);
    if (!taken.kept.isEmpty()) { // before the cursor behind it is stored
        auto keeping = keep(part.trial, taken.kept);
        co_await keeping;
        if (!m_isOpen)
            co_return;
    }
    for (const Message& note : taken.notes)
        m_context.sink->note(part.trial, TrialEventKind::finding, note);
    for (const RecordBytes& record : taken.records)
        m_context.sink->records(record);
    for (Observation event : taken.events) {
        job = jobOf(part.trial);
        if (!job)
            co_return;
        if (event.status == TrialStatus::running && !job->log.node().isEmpty())
            event.machine = m_wire->machineOf(job->log.node());
        if (event.status == TrialStatus::running)
            apply(*job, runsByLog(job->course, event));
        else
            apply(*job, endsByLog(job->course, event, now(), m_patience));
    }
}

Task<Result<QStringList>> ClusterPlatform::logNames(TrialRef trial)
{
    if (!m_isOpen)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    auto asking = m_wire->logNames(trial);
    Result<QStringList> names = co_await asking;
    if (!m_kept || !m_isOpen)
        co_return names;
    auto looking = m_kept->names(trial.trial);
    const QStringList kept = co_await looking;
    if (!names && kept.isEmpty() && !jobOf(trial.trial)) // else the cluster may have forgotten the job
        co_return names;
    QStringList all{u"stdout"_s, u"stderr"_s};
    for (const QString& name : kept + names.value_or(QStringList()))
        if (!all.contains(name))
            all.append(name);
    co_return all;
}

bool ClusterPlatform::isLive(const TrialId& trial, const QString& log) const
{
    const bool isOwn = log == "stdout"_L1 || log == "stderr"_L1;
    return jobOf(trial) || (!isOwn && m_parts.has(trial));
}

Task<Result<Bytes>> ClusterPlatform::readFollowing(TrialId trial, QString name, ReadRange range, ReadPiece read)
{
    qint64 offset = range.offset;
    for (bool isFirst = true;; isFirst = false) {
        if (!m_isOpen)
            co_return fail(Kind::cancelled, u"The platform is closed."_m);
        const bool wasLive = isLive(trial, name);
        auto reading = read(offset, isFirst ? range.tail : std::nullopt, wasLive);
        Result<Bytes> bytes = co_await reading;
        if (!m_isOpen)
            co_return fail(Kind::cancelled, u"The platform is closed."_m);
        const bool isLater = !bytes && bytes.error().kind == Kind::not_found && range.follow && wasLive;
        if (!bytes && !isLater)
            co_return fail(bytes);
        if (bytes) {
            const bool atEnd = bytes->offset + bytes->bytes.size() >= bytes->size;
            bytes->end = atEnd && !wasLive;
            if (!range.follow || !bytes->bytes.isEmpty() || bytes->end)
                co_return bytes;
            offset = bytes->offset;
        }
        OneShot<bool> later;
        const auto timer = m_context.clock->after(m_wire->logIntervalMs(), [later]() mutable { later.set(true); });
        const QPointer<ClusterPlatform> alive(this);
        co_await later.wait();
        if (!alive)
            co_return fail(Kind::cancelled, u"The platform is closed."_m);
    }
}

Task<Result<Bytes>> ClusterPlatform::readLog(TrialRef trial, QString name, ReadRange range)
{
    if (range.limit < 1 || range.offset < 0 || (range.tail && *range.tail < 0))
        co_return fail(Kind::invalid, u"A log is read from an offset of at least 0, at least one byte at a time."_m);
    range.limit = std::min(range.limit, longestRead);
    bool isKept = m_kept && (name == "stdout"_L1 || name == "stderr"_L1);
    if (m_kept && m_isOpen) {
        auto asking = logNames(trial);
        const Result<QStringList> names = co_await asking;
        if (!names)
            co_return fail(names);
        auto looking = m_kept->names(trial.trial);
        const QStringList kept = co_await looking;
        isKept = isKept || kept.contains(name);
    }
    ReadPiece read = [this, trial, name, limit = range.limit](qint64 offset, std::optional<qint64> tail, bool) {
        return m_wire->readFile(trial, name, tail ? -std::min(*tail, longestRead) : offset, limit);
    };
    if (isKept)
        read = [this, id = trial.trial, name, limit = range.limit](
                   qint64 offset, std::optional<qint64> tail, bool mayGrow) {
            ReadRange piece;
            piece.offset = offset;
            piece.limit = limit;
            piece.tail = tail;
            return m_kept->read(id, name, piece, !mayGrow);
        };
    auto reading = readFollowing(trial.trial, name, range, read);
    co_return co_await reading;
}

Task<Result<FileList>> ClusterPlatform::listFiles(TrialRef trial, QString after, qint64 limit)
{
    if (!m_isOpen)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    auto listing = m_wire->listFiles(trial, after, limit);
    co_return co_await listing;
}

} // namespace platforms
