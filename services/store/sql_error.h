// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"

#include <QSqlDatabase>
#include <QSqlError>

namespace store {

using namespace core;

/// SQLite's error as a sentence with what to do; `file` is the store's path. Disk full, read-only and input or output errors
/// are Kind::resource, another process at the file is Kind::conflict, a damaged file is Kind::internal.
[[nodiscard]] Error sqlError(const QSqlError& error, const QString& file);
/// Runs one statement; its error as sqlError() says it.
[[nodiscard]] Result<> execute(QSqlDatabase& database, const QString& statement);
/// Whether SQLite found a page that cannot be right.
[[nodiscard]] bool isDamage(const Error& error);
[[nodiscard]] Error damagedStore(const QString& file, const QString& detail);

/// Whether statfs's `f_type` is a file system of another host, where SQLite's locks and shared memory cannot be relied on.
[[nodiscard]] bool isNetworkFileSystem(quint64 magic);
/// Name of the network file system that holds `path`, empty when it is a local one or not known.
[[nodiscard]] QString networkFileSystemOf(const QString& path);

} // namespace store
