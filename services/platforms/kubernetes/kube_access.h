// SPDX-License-Identifier: GPL-3.0-or-later
// From a context of a kubeconfig to how its cluster is reached. Pure but for the reader of files.
#pragma once

#include "kube_credentials.h"
#include "kubeconfig_files.h"

#include "services/transport/http/http_settings.h"

namespace platforms::kubernetes {

/// What the platform's settings say beside the kubeconfig's path.
struct KubeChoice
{
    QString context;     ///< empty: the current one, or the only one
    QString inNamespace; ///< empty: the context's
    /// Programs that may be run for credentials, by name or path; nothing: any that the kubeconfig names.
    std::optional<QStringList> plugins;
    qint64 nowMs = 0; ///< against which certificates are checked; 0: they are not
};

/// Holds secrets, so it is not written anywhere.
struct KubeAccess
{
    QString context;
    QString file; ///< that names the context
    QString inNamespace;
    QString user;
    transport::HttpSettings http;
    transport::HttpHeaders impersonation; ///< to be added to every request
    KubeCredentials credentials;
    QList<Message> warnings; ///< what a person should know
};

/// Kind::invalid: a sentence with context and file, and what to do. No secret stands in any of them.
[[nodiscard]] Result<KubeAccess> accessOf(const Kubeconfig& config, const KubeChoice& choice,
    const KubeSurroundings& surroundings, const KubeFileReader& read);

} // namespace platforms::kubernetes
