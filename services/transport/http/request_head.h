// SPDX-License-Identifier: GPL-3.0-or-later
// What a request says before its body, for HTTP/1.1 and HTTP/2. Pure.
#pragma once

#include "http_origin.h"

#include "wire/http_headers.h"

#include <QNetworkProxy>

namespace transport {

struct RequestHead
{
    QByteArray method;
    QUrl url;
    QByteArray authorization;                 ///< empty: none
    HttpHeaders headers;                      ///< all others, but Host and Content-Length
    std::optional<qint64> length;             ///< of the body
    QByteArray tokenHeader = "Authorization"; ///< of `authorization`
};

struct RequestFields
{
    QByteArray path; ///< with the query
    QByteArray authority;
    HttpHeaders headers; ///< without Host
};
/// Kind::invalid when a method, name or value would break the request's syntax.
[[nodiscard]] Result<RequestFields> requestFields(const RequestHead& head);

/// The bytes of HTTP/1.1. `proxy`: the one that forwards it, or null.
[[nodiscard]] Result<QByteArray> requestHeadBytes(const RequestHead& head, const QNetworkProxy* proxy);

} // namespace transport
