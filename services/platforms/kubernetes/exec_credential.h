// SPDX-License-Identifier: GPL-3.0-or-later
// Input and output of an exec credential plugin (client.authentication.k8s.io). Pure.
#pragma once

#include "kube_credentials.h"

namespace platforms::kubernetes {

/// The value of KUBERNETES_EXEC_INFO: one line of JSON. `cluster` may be null.
[[nodiscard]] QByteArray execInfo(const QString& apiVersion, const Json& cluster);

struct ExecCredential
{
    QByteArray token;                ///< empty: none
    QByteArray certificate;          ///< PEM, for TLS; empty: none
    QByteArray key;                  ///< PEM; set together with `certificate`
    std::optional<qint64> expiresMs; ///< since the epoch

    bool operator==(const ExecCredential&) const = default;
};

/// The plugin's standard output. Kind::auth, without anything of it: it may be a secret wherever it stands.
[[nodiscard]] Result<ExecCredential> readExecCredential(const QByteArray& output, const QString& apiVersion);

/// How a run of a plugin ended.
struct ExecEnd
{
    int exitCode = -1;
    bool timedOut = false;
    bool cut = false; ///< it printed too much
    QByteArray errors;
};
/// The sentence about a run that failed, with the last lines of its standard error, and the install hint where the program is not there.
/// Kind::timeout when it ran too long, else Kind::auth. Precondition: it failed.
[[nodiscard]] Error execError(const ExecPlugin& plugin, const ExecEnd& end);

} // namespace platforms::kubernetes
