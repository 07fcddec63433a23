// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker.h"

#include "record_codec.h"
#include "salvage.h"
#include "schema.h"
#include "services/core/logging.h"
#include "sql_error.h"

#include <QDir>
#include <QFileInfo>
#include <QVariant>

#include <atomic>

using namespace Qt::StringLiterals;

namespace store {

Worker::Worker(QString folder)
    : m_folder(std::move(folder))
    , m_file(m_folder + u"/store/trialdeck.sqlite"_s)
{
    static std::atomic<int> counter = 0;
    m_connection = u"trialdeck-store-%1"_s.arg(++counter);
}

Worker::~Worker()
{
    Q_ASSERT_X(!m_database.isValid(), "Worker", "destroyed while open");
}

Result<Loaded> Worker::open()
{
    const auto attempt = [this] { return connect().and_then([this] { return load(); }); };
    auto loaded = attempt();
    if (!loaded && isDamage(loaded.error())) {
        close();
        if (const auto replaced = replaceDamaged(); !replaced)
            return fail(replaced);
        loaded = attempt();
    }
    if (!loaded)
        close();
    return loaded;
}

QString Worker::nameOfCopy() const
{
    const QString first = m_file + u".damaged-"_s + QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmss"_s);
    QString name = first;
    for (int i = 2; QFileInfo::exists(name); ++i)
        name = first + u'_' + QString::number(i);
    return name;
}

Result<> Worker::replaceDamaged()
{
    // The log is part of the store. It is brought into the file first: a log beside another file would be applied to that one.
    const QString log = m_file + u"-wal"_s;
    if (QFileInfo(log).size() > 0) {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, m_connection);
            database.setDatabaseName(m_file);
            if (database.open())
                QSqlQuery(database).exec(u"PRAGMA wal_checkpoint(TRUNCATE)"_s);
            database.close();
        }
        QSqlDatabase::removeDatabase(m_connection);
        if (QFileInfo(log).size() > 0)
            return tl::unexpected(damagedStore(m_file, u"its log %1 cannot be read"_s.arg(log)));
    }
    const QString copy = nameOfCopy();
    const QString fresh = m_file + u".salvaged"_s;
    if (!QFile::copy(m_file, copy)) {
        QFile::remove(copy);
        return fail(Kind::resource,
            u"The store %1 is damaged and was left as it is, because a copy of it cannot be kept. Free some space on "
            u"its disk, or put a copy of it back."_m.arg(m_file));
    }
    QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
    const auto salvaged = salvage(copy, fresh);
    if (!salvaged) {
        QFile::remove(copy); // the store itself is as it was
        return tl::unexpected(isDamage(salvaged.error()) || salvaged.error().kind == Kind::internal
                ? damagedStore(m_file, salvaged.error().detail)
                : salvaged.error());
    }
    QFile::setPermissions(fresh, QFile::ReadOwner | QFile::WriteOwner);
    QFile::remove(log);
    if (::rename(QFile::encodeName(fresh).constData(), QFile::encodeName(m_file).constData()) != 0)
        return fail(Kind::resource, u"%1 cannot be renamed to %2: %3."_s.arg(fresh, m_file, qt_error_string(errno)));
    qCWarning(lcStore).noquote()
        << u"The store %1 is damaged: %2. %3 experiments and %4 trials were saved; the store as it was found is kept as %5."_m
               .arg(m_file,
                   salvaged->incomplete.isEmpty()
                       ? u"an index cannot be read, and nothing is lost"_s
                       : u"parts of %1 cannot be read"_s.arg(salvaged->incomplete.join(u", "_s)))
               .arg(salvaged->experiments)
               .arg(salvaged->trials)
               .arg(copy);
    return {};
}

Result<> Worker::connect()
{
    const QString folder = QFileInfo(m_file).path();
    if (!QFileInfo::exists(folder)) {
        if (!QDir().mkpath(folder)) {
            return fail(Kind::resource,
                u"The folder %1 cannot be made. Check that %2 is writable and its disk has space, or choose another "
                u"folder "
                "with --data-dir."_m.arg(folder, m_folder));
        }
        // Parameters and environments may be confidential: readable by the owner only.
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    if (const QString remote = networkFileSystemOf(folder); !remote.isEmpty()) {
        qCWarning(lcStore,
            "The folder %s is on a network file system (%s): a store there is slow, and not safe when the network "
            "fails. Choose a folder of this computer with --data-dir.",
            qUtf8Printable(folder), qUtf8Printable(remote));
    }
    // Judged from the file's header, since opening alone may change a file that we must not touch.
    const auto version = versionOfFile(m_file);
    if (!version)
        return fail(version);
    if (const int known = int(migrations().size()); *version > known)
        return tl::unexpected(newerVersion(*version, known));

    if (!QSqlDatabase::isDriverAvailable(u"QSQLITE"_s))
        return fail(Kind::resource,
            u"Qt's driver for SQLite is not installed. Install it (Debian and Ubuntu: libqt6sql6-sqlite)."_m);
    m_database = QSqlDatabase::addDatabase(u"QSQLITE"_s, m_connection);
    m_database.setDatabaseName(m_file);
    m_database.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=1500"_s);
    if (!m_database.open())
        return tl::unexpected(sqlError(m_database.lastError(), m_file));
    // Exclusive first: then the write-ahead log needs no shared memory, and a second process is refused rather than mixed in.
    for (const QString& pragma : {u"PRAGMA locking_mode = EXCLUSIVE"_s, u"PRAGMA journal_mode = WAL"_s,
             u"BEGIN EXCLUSIVE"_s, u"COMMIT"_s, u"PRAGMA temp_store = MEMORY"_s, u"PRAGMA cache_size = -4096"_s,
             u"PRAGMA wal_autocheckpoint = 4000"_s, u"PRAGMA journal_size_limit = 67108864"_s}) {
        if (auto done = run(pragma); !done)
            return done;
    }
    if (auto done = setSynchronous(true); !done)
        return done;
    if (auto done = upgrade(m_database, migrations()); !done)
        return done;
    // Out of the log into the file itself: an older program reads the version in the file's header.
    if (*version != int(migrations().size())) {
        if (auto done = run(u"PRAGMA wal_checkpoint(TRUNCATE)"_s); !done)
            return done;
    }
    auto prepared = prepare();
    m_open = prepared.has_value();
    return prepared;
}

Result<> Worker::prepare()
{
    static const std::array<const char*, statementCount> texts = {
        "INSERT INTO experiments (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
        "INSERT INTO trials (id, experiment, events, record) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "record = excluded.record, events = max(events, excluded.events)",
        "SELECT row FROM trials WHERE id = ?",
        "INSERT OR REPLACE INTO metrics (key, points) VALUES (?, ?)",
        "SELECT points FROM metrics WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1",
        "SELECT points FROM metrics WHERE key >= max(?1, (SELECT coalesce(max(key), 0) FROM metrics WHERE key <= ?2)) "
        "AND key < ?3 "
        "ORDER BY key",
        "INSERT OR REPLACE INTO events (key, time, kind, text, form) VALUES (?, ?, ?, ?, ?)",
        "UPDATE trials SET events = max(events, ?) WHERE row = ?",
        "SELECT key, time, kind, text, form FROM events WHERE key >= ? AND key < ? ORDER BY key",
        "INSERT OR REPLACE INTO idempotency (scope, key, fingerprint, reply, time) VALUES (?, ?, ?, ?, ?)",
        "DELETE FROM idempotency WHERE time < ?",
        "INSERT OR REPLACE INTO reservations (machine, gpu, holder, trial, since, note) VALUES (?, ?, ?, ?, ?, ?)",
        "DELETE FROM reservations WHERE machine = ? AND gpu = ?",
        "INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)",
        "DELETE FROM facts WHERE name = ?",
        "SELECT row FROM trials WHERE experiment = ?",
        "DELETE FROM metrics WHERE key >= ? AND key < ?",
        "DELETE FROM events WHERE key >= ? AND key < ?",
        "DELETE FROM trials WHERE experiment = ?",
        "DELETE FROM experiments WHERE id = ?",
        "BEGIN IMMEDIATE",
        "COMMIT",
    };
    for (size_t i = 0; i < texts.size(); ++i) {
        QSqlQuery query(m_database);
        query.setForwardOnly(true);
        if (!query.prepare(QString::fromLatin1(texts[i])))
            return tl::unexpected(sqlError(query.lastError(), m_file));
        m_statements[i] = std::move(query);
    }
    return {};
}

Result<Loaded> Worker::load()
{
    Loaded loaded;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QSqlQuery& purge = statement(purgeIdempotency);
    purge.bindValue(0, now - dayMs);
    // A full disk must not keep the service from starting: what is too old is then only not handed out.
    if (auto purged = exec(purge); !purged)
        qCWarning(lcStore, "Old answers could not be removed: %s", qUtf8Printable(purged.error().message.text()));
    m_lastPurge = now;

    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (!query.exec(u"SELECT row, record FROM experiments ORDER BY row"_s))
        return tl::unexpected(sqlError(query.lastError(), m_file));
    Damage damage;
    while (query.next()) {
        auto experiment = decodeExperiment(query.value(1).toByteArray());
        if (experiment)
            loaded.experiments.append(std::make_shared<Experiment>(*std::move(experiment)));
        else
            damage.experiments.append(query.value(0).toLongLong());
    }
    if (query.lastError().isValid())
        return tl::unexpected(sqlError(query.lastError(), m_file));
    query.finish();
    if (auto done = loadTrials(loaded, damage); !done)
        return fail(done);
    if (auto done = mend(damage); !done)
        return fail(done);
    if (auto done = loadRest(loaded); !done)
        return fail(done);
    loaded.idempotency.removeIf([&](const IdempotencyRow& row) { return row.time < now - dayMs; });
    return loaded;
}

Result<> Worker::mend(const Damage& damage)
{
    if (damage.experiments.isEmpty() && damage.trials.isEmpty())
        return {};
    const QString what = u"the records of %1 experiments and %2 trials cannot be read"_s.arg(damage.experiments.size())
                             .arg(damage.trials.size());
    const QString copy = nameOfCopy();
    QSqlQuery query(m_database);
    query.prepare(u"VACUUM INTO ?"_s);
    query.bindValue(0, copy);
    if (!query.exec()) {
        const Error why = sqlError(query.lastError(), copy);
        QFile::remove(copy);
        return fail(why.kind,
            u"The store %1 is damaged (%2) and was left as it is, because a copy of it cannot be kept. %3"_m.arg(
                m_file, what, why.message),
            why.detail);
    }
    QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
    query.finish();
    auto done = run(u"BEGIN IMMEDIATE"_s);
    for (const qint64 row : damage.experiments)
        done = done ? run(u"DELETE FROM experiments WHERE row = %1"_s.arg(row)) : done;
    for (const qint64 row : damage.trials) {
        const QString keys = u"key >= %1 AND key < %2"_s.arg(row << sequenceBits).arg((row + 1) << sequenceBits);
        for (const QString& text : {u"DELETE FROM trials WHERE row = %1"_s.arg(row),
                 QString(u"DELETE FROM metrics WHERE "_s + keys), QString(u"DELETE FROM events WHERE "_s + keys)})
            done = done ? run(text) : done;
    }
    if (done)
        done = run(u"COMMIT"_s);
    if (!done) {
        (void)run(u"ROLLBACK"_s);
        return done;
    }
    qCWarning(lcStore).noquote()
        << u"The store %1 is damaged: %2. All else was opened; the store as it was found is kept as %3."_m.arg(
               m_file, what, copy);
    return {};
}

Result<> Worker::loadTrials(Loaded& loaded, Damage& damage)
{
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (!query.exec(u"SELECT count(*) FROM trials"_s) || !query.next())
        return tl::unexpected(sqlError(query.lastError(), m_file));
    loaded.trials.reserve(query.value(0).toInt());
    if (!query.exec(u"SELECT events, record, row FROM trials ORDER BY row"_s))
        return tl::unexpected(sqlError(query.lastError(), m_file));
    SharedTexts shared;
    while (query.next()) {
        auto row = decodeTrial(query.value(1).toByteArray(), shared);
        if (!row) {
            damage.trials.append(query.value(2).toLongLong());
            continue;
        }
        if (const qint64 events = query.value(0).toLongLong(); events > 0)
            loaded.eventCounts.insert(row->trial->id, events);
        loaded.trials.append(*std::move(row));
    }
    if (query.lastError().isValid())
        return tl::unexpected(sqlError(query.lastError(), m_file));
    return {};
}

Result<> Worker::loadRest(Loaded& loaded)
{
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    bool good =
        query.exec(u"SELECT machine, gpu, holder, trial, since, note FROM reservations ORDER BY machine, gpu"_s);
    while (good && query.next()) {
        ReservationRow row;
        row.machine.value = query.value(0).toString();
        row.gpuIndex = query.value(1).toInt();
        row.reservation = {OpenWord<GpuHolder>::fromWord(query.value(2).toString()), TrialId(query.value(3).toString()),
            query.value(4).toLongLong(), query.value(5).toString()};
        loaded.reservations.append(row);
    }
    good = good && !query.lastError().isValid() && query.exec(u"SELECT name, value FROM facts"_s);
    while (good && query.next())
        loaded.values.insert(query.value(0).toString(), query.value(1).toByteArray());
    good = good && !query.lastError().isValid()
        && query.exec(u"SELECT scope, key, fingerprint, reply, time FROM idempotency ORDER BY time"_s);
    while (good && query.next()) {
        loaded.idempotency.append({query.value(0).toString(), query.value(1).toString(), query.value(2).toByteArray(),
            query.value(3).toByteArray(), query.value(4).toLongLong()});
    }
    if (!good || query.lastError().isValid())
        return tl::unexpected(sqlError(query.lastError(), m_file));
    return {};
}

void Worker::close()
{
    m_open = false;
    m_full.reset();
    m_trials.clear();
    for (QSqlQuery& query : m_statements)
        query = QSqlQuery();
    if (!m_database.isValid())
        return;
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_connection);
}

Result<> Worker::exec(QSqlQuery& query)
{
    if (!query.exec())
        return tl::unexpected(sqlError(query.lastError(), m_file));
    return {};
}

Result<> Worker::run(const QString& text)
{
    return execute(m_database, text);
}

Result<> Worker::setSynchronous(bool full)
{
    if (m_full == full)
        return {};
    auto done = run(full ? u"PRAGMA synchronous = FULL"_s : u"PRAGMA synchronous = NORMAL"_s);
    if (done)
        m_full = full;
    return done;
}

Result<std::vector<Metric>> Worker::readMetrics(const TrialId& trial, qint64 since, qint64 limit)
{
    if (!m_open)
        return fail(Kind::internal, u"The store is not open."_m);
    std::vector<Metric> metrics;
    since = std::max<qint64>(since, 0);
    const auto row = rowOf(trial);
    if (!row)
        return fail(row);
    if (*row == 0 || limit <= 0 || since > maxSequence)
        return metrics;
    QSqlQuery& query = statement(chunksFrom);
    const qint64 base = *row << sequenceBits;
    query.bindValue(0, base);
    query.bindValue(1, base + since);
    query.bindValue(2, (*row + 1) << sequenceBits);
    if (auto done = exec(query); !done)
        return fail(done);
    bool good = true;
    while (good && qint64(metrics.size()) < limit && query.next())
        good = MetricChunk::decode(query.value(0).toByteArray(), since, limit - qint64(metrics.size()), metrics);
    const QSqlError error = query.lastError();
    query.finish();
    if (error.isValid())
        return tl::unexpected(sqlError(error, m_file));
    if (!good)
        return tl::unexpected(damagedStore(m_file, u"metrics of trial %1"_s.arg(trial.value)));
    return metrics;
}

Result<QList<TrialEvent>> Worker::readEvents(const TrialId& trial, qint64 since)
{
    if (!m_open)
        return fail(Kind::internal, u"The store is not open."_m);
    QList<TrialEvent> events;
    const auto row = rowOf(trial);
    if (!row)
        return fail(row);
    since = std::max<qint64>(since, 0);
    if (*row == 0 || since > maxSequence)
        return events;
    QSqlQuery& query = statement(eventsFrom);
    query.bindValue(0, (*row << sequenceBits) + since);
    query.bindValue(1, (*row + 1) << sequenceBits);
    if (auto done = exec(query); !done)
        return fail(done);
    while (query.next()) {
        events.append({query.value(0).toLongLong() & maxSequence, query.value(1).toLongLong(),
            OpenWord<TrialEventKind>::fromWord(query.value(2).toString()),
            decodeForm(query.value(3).toString(), query.value(4).toByteArray())});
    }
    const QSqlError error = query.lastError();
    query.finish();
    if (error.isValid())
        return tl::unexpected(sqlError(error, m_file));
    return events;
}

} // namespace store
