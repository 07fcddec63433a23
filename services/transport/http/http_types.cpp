// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_types.h"

#include "redaction.h"

#include "services/core/printable.h"

using namespace Qt::StringLiterals;

namespace transport {

Kind kindOfStatus(int status)
{
    switch (status) {
    case 400:
    case 405:
    case 406:
    case 411:
    case 413:
    case 414:
    case 415:
    case 422:
    case 431:
        return Kind::invalid;
    case 401:
    case 403:
    case 407:
        return Kind::auth;
    case 404:
    case 410:
        return Kind::not_found;
    case 409:
    case 412:
        return Kind::conflict;
    case 408:
    case 504:
        return Kind::timeout;
    case 429:
    case 503:
        return Kind::resource;
    default:
        return Kind::platform;
    }
}

Error answerOfAGateway(int status, const Message& service, const QString& detail)
{
    return {Kind::platform,
        u"%1 was asked, and something in front of it answered that there is nothing (HTTP %2). Check the address and the proxy."_m
            .arg(service)
            .arg(status),
        detail};
}

Error errorOf(const HttpReply& reply)
{
    const QString host = reply.url.host();
    const Kind kind = kindOfStatus(reply.status);
    Message message;
    if (reply.status == 413) {
        message = u"%1 refuses the request: it is larger than the server accepts (413)."_m.arg(host);
    } else if (reply.status == 401) {
        message = u"%1 does not accept the credentials (401). Enter valid ones in the platform's settings."_m.arg(host);
    } else if (reply.status == 403) {
        message = u"%1 does not permit this to the account of the platform's settings (403)."_m.arg(host);
    } else if (reply.status >= 300 && reply.status <= 399) {
        message = u"%1 redirects the request (%2), which is not followed."_m.arg(host).arg(reply.status);
    } else {
        message = u"%1 answered with status %2."_m.arg(host).arg(reply.status);
    }
    const QByteArray beginning = reply.body.first(std::min<qsizetype>(reply.body.size(), 2048));
    return {kind, message, printable(redacted(QString::fromUtf8(beginning)), 511)};
}

} // namespace transport
