// SPDX-License-Identifier: GPL-3.0-or-later
// What is sent to the HTTP interface of a cluster and what comes back: values.
#pragma once

#include "wire/http_headers.h"

#include "services/core/json.h"

#include <QUrl>

namespace transport {

struct HttpRequest
{
    QByteArray method = "GET";
    /// Percent-encoded. Either begins with `/` and continues the client's base URL, or is an absolute http or https URL. Credentials
    /// (authorization, client certificate) are sent to the base URL's scheme, host and port alone.
    QByteArray target;
    HttpHeaders headers; ///< besides Host, User-Agent, Authorization and those made of the members below
    QByteArray body;
    QByteArray contentType; ///< of the body
    /// The media type that a 2xx answer must have; empty: any, but for methods other than GET and HEAD no text/html: a page that a gateway
    /// answers with says nothing of what was asked for. With `application/json` (which `+json` types satisfy, too) the body is parsed into
    /// HttpReply::json.
    QByteArray accept;
    bool isAuthorized = true; ///< false: without the token, as for a login
    /// What target or body hold besides that must stay secret: no error and no log has it, and no redirect to another host is followed.
    QList<QByteArray> secrets;

    /// Whether sending it twice does no harm. By default GET and HEAD. One that is not repeatable is sent once; after an error its
    /// outcome is unknown, and the caller looks up what became of it before it sends again.
    std::optional<bool> isRepeatable;
    int attempts = 4; ///< at the most, of a repeatable one; 0: until it succeeds or is stopped
    /// Redirects of methods other than GET and HEAD, with method and body kept (303 becomes GET), to the same host alone.
    bool followsRedirects = false;

    // Milliseconds, each for one attempt. Time in the client's queue does not count.
    int connectMs = 10'000; ///< name look-up, connection, TLS
    int timeoutMs = 30'000; ///< connection to last byte; 0: none. Of a stream: to the end of the answer's head
    int silenceMs = 60'000; ///< without a byte in either direction; 0: none

    qint64 maxBytes = 16 * 1024 * 1024; ///< of the answer's body, decompressed
};

struct HttpReply
{
    int status = 0;
    HttpHeaders headers;
    QByteArray body;
    Json json; ///< of a 2xx answer to a request that accepts application/json; null for 204
    QUrl url;  ///< after redirects

    [[nodiscard]] bool isOk() const { return status >= 200 && status <= 299; }
    [[nodiscard]] QByteArray header(QByteArrayView name) const { return headerValue(headers, name); }
};

/// What an answer that is no success means where a caller has no better knowledge of the service: the kind follows the status, the
/// detail is the beginning of the body. Precondition: !reply.isOk().
[[nodiscard]] Error errorOf(const HttpReply& reply);
[[nodiscard]] Kind kindOfStatus(int status);
/// Of a 404 or 410 that has not the form of the service's own (`Azure`): a gateway in front of it answered, and nothing is known of what was asked
/// for. Kind::platform.
[[nodiscard]] Error answerOfAGateway(int status, const Message& service, const QString& detail);

} // namespace transport
