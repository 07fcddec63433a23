// SPDX-License-Identifier: GPL-3.0-or-later
#include "schema.h"

#include "sql_error.h"

#include <QFile>
#include <QSqlQuery>
#include <QtEndian>

#include <array>

using namespace Qt::StringLiterals;

namespace store {

namespace {

Result<> firstTables(QSqlDatabase& database)
{
    const std::array statements = {
        u"CREATE TABLE experiments (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, record BLOB NOT NULL)"_s,
        // `row` numbers trials in the order of acceptance; it is the upper part of the keys of metrics and events.
        u"CREATE TABLE trials (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, experiment TEXT NOT NULL,"
        " events INTEGER NOT NULL DEFAULT 0, record BLOB NOT NULL)"_s,
        u"CREATE INDEX trials_of_experiment ON trials (experiment)"_s,
        // key = trial's row * 2^39 + sequence (of the first point of a chunk, of the event).
        u"CREATE TABLE metrics (key INTEGER PRIMARY KEY, points BLOB NOT NULL)"_s,
        u"CREATE TABLE events (key INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL)"_s,
        u"CREATE TABLE reservations (machine TEXT NOT NULL, gpu INTEGER NOT NULL, holder TEXT NOT NULL, trial TEXT NOT "
        u"NULL,"
        " since INTEGER NOT NULL, note TEXT NOT NULL, PRIMARY KEY (machine, gpu)) WITHOUT ROWID"_s,
        u"CREATE TABLE idempotency (scope TEXT NOT NULL, key TEXT NOT NULL, fingerprint BLOB NOT NULL, reply BLOB NOT "
        u"NULL,"
        " time INTEGER NOT NULL, PRIMARY KEY (scope, key))"_s,
        u"CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"_s,
    };
    for (const QString& statement : statements) {
        if (auto done = execute(database, statement); !done)
            return done;
    }
    return {};
}

/// What an event's sentence has besides its English text, for clients of other languages (record_codec.h).
Result<> formsOfEvents(QSqlDatabase& database)
{
    return execute(database, u"ALTER TABLE events ADD COLUMN form BLOB"_s);
}

constexpr std::array<Migration, 2> allMigrations = {firstTables, formsOfEvents};

Result<int> versionOf(QSqlDatabase& database)
{
    QSqlQuery query(database);
    if (!query.exec(u"PRAGMA user_version"_s) || !query.next())
        return tl::unexpected(sqlError(query.lastError(), database.databaseName()));
    return query.value(0).toInt();
}

} // namespace

std::span<const Migration> migrations()
{
    return allMigrations;
}

Result<> upgrade(QSqlDatabase& database, std::span<const Migration> steps)
{
    const auto version = versionOf(database);
    if (!version)
        return fail(version);
    if (*version < 0)
        return tl::unexpected(damagedStore(database.databaseName(), u"user version %1"_s.arg(*version)));
    if (*version > int(steps.size()))
        return tl::unexpected(newerVersion(*version, int(steps.size())));
    for (int next = *version; next < int(steps.size()); ++next) {
        if (auto begun = execute(database, u"BEGIN IMMEDIATE"_s); !begun)
            return begun;
        auto done = steps[size_t(next)](database);
        if (done)
            done = execute(database, u"PRAGMA user_version = %1"_s.arg(next + 1));
        if (done)
            done = execute(database, u"COMMIT"_s);
        if (!done) {
            // It may have been rolled back already; the first error is the one to tell.
            (void)execute(database, u"ROLLBACK"_s);
            return fail(done, u"bringing the store to version %1"_m.arg(next + 1));
        }
    }
    return {};
}

Result<int> versionOfFile(const QString& path)
{
    QFile file(path);
    if (!file.exists() || file.size() == 0)
        return 0;
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(Kind::resource,
            u"The store %1 cannot be read: %2. Check who owns it and its permissions."_m.arg(path, file.errorString()));
    }
    // https://www.sqlite.org/fileformat2.html, 1.3: 16 bytes of magic; at 60 the user version, big-endian.
    const QByteArray header = file.read(100);
    if (header.size() < 100 || !header.startsWith(QByteArrayView("SQLite format 3\0", 16)))
        return tl::unexpected(damagedStore(path, u"no SQLite header"_s));
    const int version = qFromBigEndian<qint32>(header.constData() + 60);
    if (version < 0)
        return tl::unexpected(damagedStore(path, u"user version %1"_s.arg(version)));
    return version;
}

Error newerVersion(int found, int known)
{
    return {Kind::conflict,
        u"The store was written by a newer Trialdeck (its version is %1, this program knows up to %2). It was not "
        u"touched. "
        "Start the newer program, or choose another folder with --data-dir."_m.arg(found)
            .arg(known),
        {}};
}

} // namespace store
