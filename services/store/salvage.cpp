// SPDX-License-Identifier: GPL-3.0-or-later
#include "salvage.h"

#include "schema.h"
#include "sql_error.h"

#include <QFile>
#include <QSqlRecord>
#include <QSqlQuery>
#include <QUrl>
#include <QVariant>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <limits>

using namespace Qt::StringLiterals;

namespace store {

namespace {

/// Halvings of a range of row numbers in a row that found no row. A damaged page is given up after 2^12 attempts.
constexpr int mostFruitlessHalvings = 12;

/// Copies a table. SQLite stops at the first page that it cannot read, so the table is read from both ends, and what lies between
/// is searched for parts that can be read. An attached database would not do: after such a page its connection refuses to write.
class TableCopy
{
public:
    TableCopy(QSqlDatabase& damaged, QSqlDatabase& fresh, QString table, bool hasRowNumbers)
        : m_table(std::move(table))
        , m_hasRowNumbers(hasRowNumbers)
        , m_read(damaged)
        , m_write(fresh)
    {
        m_read.setForwardOnly(true);
    }

    Result<> run()
    {
        QStringList marks;
        if (!m_write.exec(u"SELECT * FROM %1 LIMIT 0"_s.arg(m_table)))
            return failure(m_write);
        m_columns = m_write.record().count();
        for (int i = 0; i < m_columns; ++i)
            marks.append(u"?"_s);
        // A row that a damaged page repeats or that breaks a rule of the table is left out.
        if (!m_write.prepare(u"INSERT OR IGNORE INTO %1 VALUES (%2)"_s.arg(m_table, marks.join(u','))))
            return failure(m_write);
        if (m_hasRowNumbers)
            copyRange(0, std::numeric_limits<qint64>::max(), 0);
        else
            copyFromBothEnds();
        if (m_error)
            return tl::unexpected(*m_error);
        return {};
    }

    [[nodiscard]] qint64 rows() const { return m_rows; }
    [[nodiscard]] bool isIncomplete() const { return m_isIncomplete; }

private:
    static tl::unexpected<Error> failure(const QSqlQuery& query)
    {
        return tl::unexpected(sqlError(query.lastError(), {}));
    }

    /// Calls `row` for each row until it returns false. False when the table could not be read to the end.
    template <typename Row>
    bool read(const QString& statement, Row row)
    {
        bool good = m_read.exec(statement);
        while (good && m_read.next())
            good = row();
        good = good && !m_read.lastError().isValid();
        m_read.finish();
        m_isIncomplete |= !good;
        return good;
    }

    bool write(int first)
    {
        for (int i = 0; i < m_columns; ++i)
            m_write.bindValue(i, m_read.value(first + i));
        if (!m_write.exec()) {
            m_error = sqlError(m_write.lastError(), {});
            return false;
        }
        m_rows += m_write.numRowsAffected();
        return true;
    }

    void copyRange(qint64 low, qint64 high, int fruitless)
    {
        if (low > high || m_error)
            return;
        const QString statement = u"SELECT rowid, * FROM %1 WHERE rowid BETWEEN %2 AND %3 ORDER BY rowid %4"_s;
        const qint64 before = m_rows;
        // Row numbers that do not grow are of a page that belongs elsewhere.
        const bool whole = read(statement.arg(m_table).arg(low).arg(high).arg(u"ASC"_s), [&] {
            const qint64 number = m_read.value(0).toLongLong();
            if (number < low || number > high || !write(1))
                return false;
            low = number + 1;
            return number < std::numeric_limits<qint64>::max();
        });
        if (whole || m_error)
            return;
        read(statement.arg(m_table).arg(low).arg(high).arg(u"DESC"_s), [&] {
            const qint64 number = m_read.value(0).toLongLong();
            if (number < low || number > high || !write(1))
                return false;
            high = number - 1;
            return true;
        });
        fruitless = m_rows > before ? 0 : fruitless + 1;
        if (low >= high || fruitless > mostFruitlessHalvings)
            return;
        const qint64 middle = low + (high - low) / 2;
        copyRange(low, middle, fruitless);
        copyRange(middle + 1, high, fruitless);
    }

    void copyFromBothEnds()
    {
        for (const char* direction : {"ASC", "DESC"}) {
            const QString key = m_table == u"facts"_s ? u"name %1"_s : u"machine %1, gpu %1"_s;
            const QString order = key.arg(QLatin1StringView(direction));
            if (read(u"SELECT * FROM %1 ORDER BY %2"_s.arg(m_table, order), [&] { return write(0); }))
                return;
        }
    }

    QString m_table;
    bool m_hasRowNumbers;
    QSqlQuery m_read;
    QSqlQuery m_write;
    int m_columns = 0;
    qint64 m_rows = 0;
    bool m_isIncomplete = false;
    std::optional<Error> m_error; ///< of writing
};

Result<Salvaged> copyTables(QSqlDatabase& damaged, QSqlDatabase& fresh)
{
    auto ready = upgrade(fresh, migrations());
    if (ready)
        ready = execute(damaged, u"PRAGMA trusted_schema = OFF"_s);
    if (ready)
        ready = execute(fresh, u"PRAGMA synchronous = OFF"_s); // flushed as a whole
    if (ready)
        ready = execute(fresh, u"BEGIN"_s);
    if (!ready)
        return fail(ready);
    Salvaged salvaged;
    const std::array tables = {std::pair(u"experiments"_s, true), std::pair(u"trials"_s, true),
        std::pair(u"metrics"_s, true), std::pair(u"events"_s, true), std::pair(u"idempotency"_s, true),
        std::pair(u"reservations"_s, false), std::pair(u"facts"_s, false)};
    for (const auto& [table, hasRowNumbers] : tables) {
        TableCopy copy(damaged, fresh, table, hasRowNumbers);
        if (auto done = copy.run(); !done)
            return fail(done);
        if (copy.isIncomplete())
            salvaged.incomplete.append(table);
        const bool isRecord = table == u"experiments" || table == u"trials";
        if (isRecord && copy.isIncomplete() && copy.rows() == 0)
            return tl::unexpected(
                damagedStore(fresh.databaseName(), u"nothing of the table %1 can be read"_s.arg(table)));
        if (table == u"experiments")
            salvaged.experiments = copy.rows();
        else if (table == u"trials")
            salvaged.trials = copy.rows();
    }
    if (auto done = execute(fresh, u"COMMIT"_s); !done)
        return fail(done);
    return salvaged;
}

Result<> flush(const QString& path)
{
    const int file = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    const bool good = file >= 0 && ::fsync(file) == 0;
    const int error = errno;
    if (file >= 0)
        ::close(file);
    if (!good)
        return fail(Kind::resource, u"%1 cannot be written: %2."_s.arg(path, qt_error_string(error)));
    return {};
}

} // namespace

Result<Salvaged> salvage(const QString& damaged, const QString& fresh)
{
    const auto version = versionOfFile(damaged);
    if (!version)
        return fail(version);
    if (*version != int(migrations().size()))
        return tl::unexpected(damagedStore(damaged, u"version %1"_s.arg(*version)));
    QFile::remove(fresh);
    const QString names[] = {u"trialdeck-damaged"_s, u"trialdeck-salvaged"_s};
    Result<Salvaged> salvaged;
    {
        QSqlDatabase from = QSqlDatabase::addDatabase(u"QSQLITE"_s, names[0]);
        // immutable: no lock and no log are looked for, and nothing is written.
        from.setDatabaseName(QString::fromLatin1(QUrl::fromLocalFile(damaged).toEncoded()) + u"?immutable=1"_s);
        from.setConnectOptions(u"QSQLITE_OPEN_URI;QSQLITE_OPEN_READONLY"_s);
        QSqlDatabase to = QSqlDatabase::addDatabase(u"QSQLITE"_s, names[1]);
        to.setDatabaseName(fresh);
        if (!from.open())
            salvaged = tl::unexpected(sqlError(from.lastError(), damaged));
        else if (!to.open())
            salvaged = tl::unexpected(sqlError(to.lastError(), fresh));
        else
            salvaged = copyTables(from, to);
        from.close();
        to.close();
    }
    for (const QString& name : names)
        QSqlDatabase::removeDatabase(name);
    if (salvaged)
        if (const auto flushed = flush(fresh); !flushed)
            salvaged = fail(flushed);
    if (!salvaged)
        QFile::remove(fresh);
    return salvaged;
}

} // namespace store
