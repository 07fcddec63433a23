// SPDX-License-Identifier: GPL-3.0-or-later
// Which proxy is between us and a cluster, as kubectl decides it. Pure.
#pragma once

#include "services/transport/http/http_settings.h"

#include <QHash>

namespace platforms::kubernetes {

using namespace core;

/// `proxy-url` of a kubeconfig, or an address of the environment (which may lack its scheme). Kind::invalid: neither http nor socks5.
[[nodiscard]] Result<transport::ProxySettings> proxyOfText(const QString& text);

/// HTTPS_PROXY (for http HTTP_PROXY), unless NO_PROXY names the server: `*`, a name with all below it, an address, a range such as
/// 10.0.0.0/8, each with a port or without. Names in capitals win. Never for this computer itself.
[[nodiscard]] Result<transport::ProxySettings> environmentProxy(
    const QUrl& server, const QHash<QString, QString>& environment);
/// What of an environment environmentProxy() looks at.
[[nodiscard]] QHash<QString, QString> proxyVariables(const QHash<QString, QString>& environment);

} // namespace platforms::kubernetes
