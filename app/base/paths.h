// SPDX-License-Identifier: GPL-3.0-or-later
// Where our files are (XDG base directories, or all under --data-dir), and the small files of a data directory.
#pragma once

#include "services/core/result.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace app {

using core::Result;

struct Paths
{
    QString data;           ///< store, trial folders, endpoint.json, lock, token
    QString config;         ///< platforms
    QString state;          ///< logs
    bool ownFolder = false; ///< all three are under --data-dir

    /// What belongs to Trialdeck and is no code of trials.
    [[nodiscard]] QStringList folders() const { return {data, config, state}; }
    [[nodiscard]] QString endpointFile() const { return data + QStringLiteral("/endpoint.json"); }
    [[nodiscard]] QString socketFile() const { return data + QStringLiteral("/socket"); }
    [[nodiscard]] QString lockFile() const { return data + QStringLiteral("/lock"); }
    [[nodiscard]] QString tokenFile() const { return data + QStringLiteral("/token"); }
    [[nodiscard]] QString tokensFile() const { return data + QStringLiteral("/tokens.json"); }
    [[nodiscard]] QString placementKeyFile() const { return data + QStringLiteral("/placement-key"); }
    [[nodiscard]] QString ingestKeyFile() const { return data + QStringLiteral("/ingest-key"); }
    [[nodiscard]] QString serviceIdFile() const { return data + QStringLiteral("/service-id"); }
    [[nodiscard]] QString auditFile() const { return state + QStringLiteral("/audit.log"); }
    [[nodiscard]] QString logFile() const { return state + QStringLiteral("/trialdeck.log"); }
    bool operator==(const Paths&) const = default;
};

/// Pure. `dataDir` (--data-dir; may be relative to `workingDirectory`) is DATA itself, with DATA/config and DATA/state in it. Else
/// $XDG_DATA_HOME, $XDG_CONFIG_HOME and $XDG_STATE_HOME, which count only when they are absolute (XDG base directory specification).
[[nodiscard]] Result<Paths> resolvePaths(
    const QString& dataDir, const QProcessEnvironment& environment, const QString& workingDirectory);

/// Creates missing folders with mode 0700. Error: Kind::auth if an existing one fails requireOwnFolder() (own_files.h).
[[nodiscard]] Result<> makeFolders(const Paths& paths);

/// How a service is reached (endpoint.json).
struct Endpoint
{
    QString url;
    QString tokenFile; ///< absolute
    qint64 pid = 0;
    QString certificate; ///< PEM file of the certificate that the service shows; empty without TLS
    QString socket;      ///< Unix socket in the data directory, for clients on this computer; empty: there is none
    bool operator==(const Endpoint&) const = default;
};

/// Kind::not_found when there is no such file.
[[nodiscard]] Result<Endpoint> readEndpoint(const QString& file);
/// Atomic: a reader sees the old file or the whole new one. Mode 0600.
[[nodiscard]] Result<> writeEndpoint(const QString& file, const Endpoint& endpoint);

/// The token in the file; makes one of 256 random bits, mode 0600, when there is no file.
[[nodiscard]] Result<QByteArray> ensureToken(const QString& file);
/// Only reads.
[[nodiscard]] Result<QByteArray> readToken(const QString& file);

/// The data directory's id, made once: 16 characters [a-z0-9], beginning with `s`.
[[nodiscard]] Result<QString> ensureServiceId(const QString& file);

/// The trialkeeper that goes with this program: beside it, or in ../libexec/trialdeck. Empty: there is none.
[[nodiscard]] QString findKeeper(const QString& programFolder);

/// False for a process that is gone or only waits to be reaped.
[[nodiscard]] bool processAlive(qint64 pid);

} // namespace app
