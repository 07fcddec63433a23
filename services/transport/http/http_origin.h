// SPDX-License-Identifier: GPL-3.0-or-later
// URLs of requests: what makes two of them the same place, and where a redirect may lead. Pure.
#pragma once

#include "http_types.h"

namespace transport {

/// Scheme, host and port: what credentials belong to.
struct HttpOrigin
{
    bool isTls = false;
    QString host; ///< in lower case, ASCII; an IPv6 address without brackets
    quint16 port = 0;

    bool operator==(const HttpOrigin&) const = default;
};
/// Nothing for a URL that is not http or https, or has no host.
[[nodiscard]] std::optional<HttpOrigin> originOf(const QUrl& url);
[[nodiscard]] QString originText(const HttpOrigin& origin); ///< `host:port`, for sentences

/// The URL of HttpRequest::target. Kind::invalid for what is no URL, or holds what must not be sent.
[[nodiscard]] Result<QUrl> resolvedTarget(const QUrl& base, const QByteArray& target);

struct Redirect
{
    QUrl url;
    QByteArray method;
    bool keepsBody = false;
};
/// Where an answer of 301, 302, 303, 307 or 308 leads. Nothing: the answer is what the caller gets. Kind::platform: it leads where
/// nothing may be sent (another scheme than http and https, from https to http, a body or secrets to another host).
[[nodiscard]] Result<std::optional<Redirect>> redirectOf(
    const QUrl& from, int status, const QByteArray& location, const HttpRequest& request);

} // namespace transport
