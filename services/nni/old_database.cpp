// SPDX-License-Identifier: GPL-3.0-or-later
#include "old_database.h"

#include <QLocale>

#include <sqlite3.h>

using namespace Qt::StringLiterals;
using core::operator""_m;

namespace nni {

using core::fail;
using core::Kind;
using core::Result;

namespace {

/// What a row costs beside its values, in bytes.
constexpr qint64 rowCost = 256;

/// Only reading of tables, and asking for their columns: no function, no recursion, nothing that writes.
int mayOnlyRead(void*, int action, const char* first, const char*, const char*, const char*)
{
    const bool asksForColumns = action == SQLITE_PRAGMA && QByteArrayView(first) == "table_xinfo";
    return action == SQLITE_SELECT || action == SQLITE_READ || asksForColumns ? SQLITE_OK : SQLITE_DENY;
}

int isLate(void* deadline)
{
    return std::chrono::steady_clock::now() > *static_cast<std::chrono::steady_clock::time_point*>(deadline) ? 1 : 0;
}

struct Finalize
{
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

} // namespace

bool OldDatabase::Row::isNull(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

qint64 OldDatabase::Row::number(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

QString OldDatabase::Row::text(int column) const
{
    const unsigned char* text = sqlite3_column_text(m_statement, column); // first: it decides what bytes() counts
    return QString::fromUtf8(reinterpret_cast<const char*>(text), sqlite3_column_bytes(m_statement, column));
}

QByteArray OldDatabase::Row::bytes(int column) const
{
    return text(column).toUtf8(); // what is no UTF-8 in the file is some here
}

qint64 OldDatabase::Row::size() const
{
    qint64 bytes = 0;
    for (int column = 0; column < sqlite3_column_count(m_statement); ++column)
        if (const int type = sqlite3_column_type(m_statement, column); type == SQLITE_TEXT || type == SQLITE_BLOB)
            bytes += sqlite3_column_bytes(m_statement, column);
    return bytes;
}

void OldDatabase::Close::operator()(sqlite3* database) const
{
    sqlite3_close_v2(database);
}

OldDatabase::OldDatabase(QString file, ReadLimits limits)
    : m_file(std::move(file))
    , m_limits(limits)
    , m_deadline(std::chrono::steady_clock::now() + limits.time)
{
    sqlite3* opened = nullptr;
    const int code =
        sqlite3_open_v2(m_file.toUtf8().constData(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    std::unique_ptr<sqlite3, Close> database(opened); // also of a failed opening
    if (code != SQLITE_OK)
        return;
    sqlite3_busy_timeout(opened, 1'500); // NNI may be writing
    for (const int off : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER})
        sqlite3_db_config(opened, off, 0, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, int(m_limits.valueBytes));
    sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_set_authorizer(opened, mayOnlyRead, nullptr);
    constexpr int operations = 1'000; // between two looks at the clock: far less than a millisecond
    sqlite3_progress_handler(opened, operations, isLate, &m_deadline);
    m_database = std::move(database);
}

OldDatabase::~OldDatabase() = default;

tl::unexpected<core::Error> OldDatabase::tooMuch(const core::Message& what) const
{
    return fail(Kind::invalid, u"%1 is not read: %2 NNI itself can show it: nnictl view."_m.arg(m_file, what));
}

tl::unexpected<core::Error> OldDatabase::failure(int code, const QString& table) const
{
    const QString detail = m_database ? QString::fromUtf8(sqlite3_errmsg(m_database.get())) : QString();
    switch (code & 0xff) { // extended codes hold the primary one in their low byte
    case SQLITE_INTERRUPT:
        return tooMuch(u"it takes longer than %1 s."_m.arg(double(m_limits.time.count()) / 1000));
    case SQLITE_TOOBIG:
        return tooMuch(
            u"%1 holds a row of more than %2."_m.arg(table, QLocale::c().formattedDataSize(m_limits.valueBytes, 0)));
    case SQLITE_BUSY:
        return fail(Kind::resource, u"%1 is locked: NNI is writing to it. Try again."_m.arg(m_file), detail);
    default:
        return fail(Kind::invalid, u"%1 is not a database of NNI, or it is damaged."_m.arg(m_file), detail);
    }
}

Result<> OldDatabase::run(
    const QString& sql, const QString& table, const QString& bound, const std::function<Result<>(const Row&)>& row)
{
    if (!m_database)
        return failure(SQLITE_CANTOPEN, table);
    sqlite3_stmt* prepared = nullptr;
    const QByteArray text = sql.toUtf8();
    const int code = sqlite3_prepare_v2(m_database.get(), text.constData(), int(text.size()), &prepared, nullptr);
    const std::unique_ptr<sqlite3_stmt, Finalize> statement(prepared);
    if (code != SQLITE_OK)
        return failure(code, table);
    const QByteArray value = bound.toUtf8();
    if (!bound.isEmpty())
        sqlite3_bind_text(prepared, 1, value.constData(), int(value.size()), SQLITE_TRANSIENT);
    for (;;) {
        const int step = sqlite3_step(prepared);
        if (step == SQLITE_DONE)
            return {};
        if (step != SQLITE_ROW)
            return failure(step, table);
        if (Result<> taken = row(Row(prepared)); !taken)
            return taken;
    }
}

Result<> OldDatabase::checkTable(const QString& table)
{
    QString type;
    const Result<> read = run(u"SELECT type, rootpage FROM sqlite_master WHERE name = ?1 COLLATE NOCASE"_s,
        u"sqlite_master"_s, table, [&](const Row& row) -> Result<> {
            // Views and virtual tables have no pages of their own.
            type = row.text(0) == u"table" && row.number(1) == 0 ? u"virtual table"_s : row.text(0);
            return {};
        });
    bool computes = false;
    Result<> columns = !read || type != u"table"
        ? read
        : run(u"PRAGMA table_xinfo(%1)"_s.arg(table), table, {}, [&](const Row& row) -> Result<> {
              constexpr int hidden = 6;
              computes = computes || row.number(hidden) != 0; // whose value is what an expression in the file says
              return {};
          });
    if (!columns)
        return columns;
    if (computes)
        type = u"table with generated columns"_s;
    else if (type == u"table")
        return {};
    return fail(Kind::invalid,
        type.isEmpty() ? u"%1 is not a database of NNI: it has no table %2."_m.arg(m_file, table)
                       : u"%1 is not a database of NNI: its %2 is a %3, where NNI makes a plain table."_m.arg(
                           m_file, table, type));
}

Result<> OldDatabase::each(
    const QString& table, const QString& columns, const QString& tail, const std::function<void(const Row&)>& row)
{
    if (Result<> checked = checkTable(table); !checked)
        return checked;
    qint64 rows = 0;
    return run(u"SELECT %1 FROM %2 %3"_s.arg(columns, table, tail), table, {}, [&](const Row& one) -> Result<> {
        if (++rows > m_limits.rows)
            return tooMuch(u"%1 holds more than %2 rows."_m.arg(table, QLocale::c().toString(m_limits.rows)));
        if (isLate(&m_deadline)) // what is done with the rows counts, too
            return failure(SQLITE_INTERRUPT, table);
        m_bytes += rowCost + one.size();
        if (m_bytes > m_limits.allBytes)
            return tooMuch(u"it holds more than %1."_m.arg(QLocale::c().formattedDataSize(m_limits.allBytes, 0)));
        row(one);
        return {};
    });
}

} // namespace nni
