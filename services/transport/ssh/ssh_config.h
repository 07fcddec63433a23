// SPDX-License-Identifier: GPL-3.0-or-later
// The person's own settings of OpenSSH (ssh_config(5)). Pure: files come in as texts, so that tests and fuzzers own them.
#pragma once

#include "services/core/ssh_address.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QStringList>

#include <functional>
#include <optional>

namespace transport {

using namespace core;

/// For whom the settings are read.
struct SshConfigQuery
{
    QString host;                ///< as it was named: `lab4`
    std::optional<QString> user; ///< asked for by name, wins over the files
    std::optional<int> port;     ///< likewise
    QString localUser;
    QString localHost;
    QString home;
    QMap<QString, QString> environment; ///< for ${NAME}
};

/// Lists as ssh_config(5) has them: names separated by commas, `+`, `-` or `^` in front changes the usual list; empty: the usual one.
struct SshAlgorithms
{
    QString kex;
    QString hostKeys;
    QString ciphers;
    QString macs;
    QString publicKeys;

    bool operator==(const SshAlgorithms&) const = default;
};

/// How one host is reached.
struct SshHostConfig
{
    QString hostName;
    int port = 22;
    QString user;
    QStringList identityFiles; ///< absolute; OpenSSH's usual ones when none is named
    QStringList certificateFiles;
    bool identitiesOnly = false;
    QString identityAgent; ///< a socket, `none`, or empty: SSH_AUTH_SOCK
    QString proxyJump;     ///< `[user@]host[:port],…`, empty: none
    QString proxyCommand;  ///< for a shell, with its tokens replaced
    core::Message refusal; ///< why the settings cannot be used: the host must not be connected to
    QStringList userKnownHosts;
    QStringList globalKnownHosts;
    QString hostKeyAlias;
    bool strictHostKeys = false; ///< an unknown key is refused, not asked about
    int connectTimeoutSeconds = 0;
    SshAlgorithms algorithms;
    /// Holds what only the program `ssh` can evaluate (Match exec and the like): ask `ssh -G`, and read its answer by this parser.
    bool needsProgram = false;

    bool operator==(const SshHostConfig&) const = default;
};

/// Texts of the files that an Include names, in order; patterns are absolute.
using SshIncludes = std::function<QList<QByteArray>(const QString& pattern)>;

/// Files in the order of their weight (the person's, then the system's): the first value wins.
[[nodiscard]] SshHostConfig evaluateSshConfig(
    const QList<QByteArray>& files, const SshConfigQuery& query, const SshIncludes& includes);

/// Names in Host lines that are no patterns, in their order, each once: what a person can choose from.
[[nodiscard]] QStringList sshConfigHosts(
    const QList<QByteArray>& files, const QString& home, const SshIncludes& includes);

/// ssh_config's patterns: `*`, `?`, a list of them separated by commas or blanks, `!` refuses.
[[nodiscard]] bool matchesSshPatterns(const QStringList& patterns, const QString& text);

} // namespace transport
