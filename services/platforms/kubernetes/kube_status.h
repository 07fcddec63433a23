// SPDX-License-Identifier: GPL-3.0-or-later
// What the API server, or something in front of it, says when it does not do what it was asked. Pure.
#pragma once

#include "kube_json.h"

#include "services/transport/http/http_types.h"
#include "services/transport/http/retry_policy.h"

#include <optional>

namespace platforms::kubernetes {

struct StatusCause
{
    QString reason; ///< a machine's word: `FieldValueRequired`, `ExitCode`, `ResourceVersionTooLarge`
    QString message;
    QString field; ///< `spec.template.spec.containers[0].image`

    bool operator==(const StatusCause&) const = default;
};

/// The object of kind Status.
struct KubeStatus
{
    bool isSuccess = false;
    int code = 0; ///< HTTP's; 0: none was given
    QString reason;
    QString message;
    QString kind; ///< plural of the resource, for most reasons
    QString name;
    QList<StatusCause> causes;
    std::optional<int> retryAfterSeconds;

    bool operator==(const KubeStatus&) const = default;
};
/// Nothing: it is no Status.
[[nodiscard]] std::optional<KubeStatus> readStatus(const Json& json);

/// Why it was not done, as far as callers act on it.
enum class Refusal {
    other,
    unauthorized,   ///< 401: the credentials
    forbidden,      ///< 403: a right that the account lacks
    quota,          ///< 403 by a ResourceQuota: possible when something else ends
    notFound,       ///< 404: no such object
    notServed,      ///< 404: no such resource at all; the operator is not installed
    alreadyExists,  ///< 409 on POST
    conflict,       ///< 409: it changed in between, or a precondition does not hold
    expired,        ///< 410: the version or the page is too old; list again
    invalid,        ///< 400, 405, 406, 413, 415, 422: the same request is refused again
    busy,           ///< 429, 503, 500 where a webhook does not answer: later; nothing was done
    versionUnknown, ///< 504 ResourceVersionTooLarge: this server is behind; list without a version
};

/// | code | kind |
/// | --- | --- |
/// | 401, 403 | auth; resource where a quota is exceeded |
/// | 404 | not_found; platform where it is a page (HTML): a gateway's |
/// | 409, 410 | conflict |
/// | 400, 405, 406, 413, 415, 422 | invalid |
/// | 429, 503, a webhook that does not answer | resource |
/// | 408, 504, reason ServerTimeout or Timeout | timeout |
/// | any other | platform |
struct KubeRefusal
{
    Refusal what = Refusal::other;
    Error error;
    transport::AttemptEnd end; ///< for retryDelayMs()
    KubeStatus status;         ///< empty where the answer was none
};

/// Precondition: !reply.isOk().
[[nodiscard]] KubeRefusal refusalOf(const transport::HttpReply& reply);
/// Of the object of an ERROR event.
[[nodiscard]] KubeRefusal refusalOf(const Json& status);

} // namespace platforms::kubernetes
