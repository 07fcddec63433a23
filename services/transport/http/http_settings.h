// SPDX-License-Identifier: GPL-3.0-or-later
// How one HTTP interface is reached: part of a platform's settings.
#pragma once

#include "http_types.h"

#include "services/core/clock.h"
#include "services/core/strand.h"

#include <functional>

namespace transport {

struct TlsSettings
{
    QByteArray authorities; ///< PEM; they alone are trusted then. Empty: those of the system
    QByteArray certificate; ///< PEM, ours, with intermediate ones behind it; empty: none is shown
    QByteArray key;         ///< PEM, of `certificate`
    QByteArray passphrase;  ///< of `key`
    /// SHA-256 of the server's certificate (DER), hexadecimal, colons allowed. When set it alone decides.
    QByteArray fingerprint;
    QString serverName;      ///< that the certificate must be for, also in SNI; empty: the URL's host
    bool isInsecure = false; ///< any certificate will do
};

struct ProxySettings
{
    enum class Mode { none, system, url };
    Mode mode = Mode::none;
    QUrl url; ///< of Mode::url: http://[user:password@]host:port, or socks5://…
};

struct HttpSettings
{
    QUrl base; ///< http or https; may have a path, which targets continue
    TlsSettings tls;
    ProxySettings proxy;
    QByteArray tokenHeader = "Authorization"; ///< the field that carries what TokenSource gives
    int maxParallel = 8;                      ///< requests at the same time; streams do not count
};

/// What a client uses of its surroundings. All must outlive it.
struct HttpEnvironment
{
    Clock* clock = nullptr;
    /// Parses large answers and asks for the system's proxy, which may block on a network: two threads or more.
    Strand* strand = nullptr;
    std::function<double()> random; ///< 0 to 1, for jitter; empty: the system's generator
};

} // namespace transport
