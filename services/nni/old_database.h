// SPDX-License-Identifier: GPL-3.0-or-later
// NNI's database, which may be anybody's file: it is read with SQLite's own limits, and nothing in it is run.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QString>

#include <chrono>
#include <functional>
#include <memory>

struct sqlite3;
struct sqlite3_stmt;

namespace nni {

/// What reading a database may cost. Experiments of NNI stay far below.
struct ReadLimits
{
    std::chrono::milliseconds time{30'000};
    qint64 rows = 1'000'000;               ///< of one table
    qint64 valueBytes = 16 * 1024 * 1024;  ///< of one value, and of one row
    qint64 allBytes = 512LL * 1024 * 1024; ///< of all values together
};

/// A read-only connection of its own. Blocks. Views, triggers, virtual tables and functions of the file are never run.
class OldDatabase
{
public:
    /// A row during the call that got it.
    class Row
    {
    public:
        explicit Row(sqlite3_stmt* statement)
            : m_statement(statement)
        {
        }
        [[nodiscard]] bool isNull(int column) const;
        [[nodiscard]] qint64 number(int column) const; ///< 0 for what is none
        [[nodiscard]] QString text(int column) const;
        [[nodiscard]] QByteArray bytes(int column) const; ///< the text as UTF-8
        [[nodiscard]] qint64 size() const;                ///< bytes of all values

    private:
        sqlite3_stmt* m_statement;
    };

    /// The time counts from here.
    OldDatabase(QString file, ReadLimits limits);
    OldDatabase(const OldDatabase&) = delete;
    OldDatabase& operator=(const OldDatabase&) = delete;
    ~OldDatabase();

    /// Calls `row` with each row of `SELECT columns FROM table tail`. Kind::invalid when the table is not as NNI makes it,
    /// or a limit is reached.
    [[nodiscard]] core::Result<> each(
        const QString& table, const QString& columns, const QString& tail, const std::function<void(const Row&)>& row);

private:
    struct Close
    {
        void operator()(sqlite3* database) const;
    };

    [[nodiscard]] core::Result<> checkTable(const QString& table);
    [[nodiscard]] core::Result<> run(const QString& sql, const QString& table, const QString& bound,
        const std::function<core::Result<>(const Row&)>& row);
    [[nodiscard]] tl::unexpected<core::Error> failure(int code, const QString& table) const;
    [[nodiscard]] tl::unexpected<core::Error> tooMuch(const core::Message& what) const;

    QString m_file;
    ReadLimits m_limits;
    std::chrono::steady_clock::time_point m_deadline;
    std::unique_ptr<sqlite3, Close> m_database; ///< null: not opened
    qint64 m_bytes = 0;
};

} // namespace nni
