// SPDX-License-Identifier: GPL-3.0-or-later
// The tables, made and changed by numbered migrations: number n brings a file from version n - 1 to n (PRAGMA user_version).
// One that was released is never edited; a change of the tables is a new one.
#pragma once

#include "services/core/result.h"

#include <QSqlDatabase>

#include <span>

namespace store {

using namespace core;

using Migration = Result<> (*)(QSqlDatabase& database);

[[nodiscard]] std::span<const Migration> migrations();

/// Runs the migrations that the file lacks, each in a transaction of its own. A file of a newer version is refused.
[[nodiscard]] Result<> upgrade(QSqlDatabase& database, std::span<const Migration> steps);

/// Version that a store's file was written with, read from its header without opening it: 0 for a file that is not there or
/// empty. Kind::invalid when the file is no store at all.
[[nodiscard]] Result<int> versionOfFile(const QString& path);

/// The sentence for a file of a version that this program does not know.
[[nodiscard]] Error newerVersion(int found, int known);

} // namespace store
