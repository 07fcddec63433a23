// SPDX-License-Identifier: GPL-3.0-or-later
#include "api_json.h"

#include "services/core/message/message_json.h"
#include "services/api/error_marks.h"
#include "services/api/out_of_reach.h"
#include "services/api/series_reply.h"
#include "services/core/files/atomic_file.h"
#include "services/core/record_json.h"

using namespace Qt::StringLiterals;

namespace http {

QByteArray statusText(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 409:
        return "Conflict";
    case 410:
        return "Gone";
    case 411:
        return "Length Required";
    case 412:
        return "Precondition Failed";
    case 413:
        return "Content Too Large";
    case 422:
        return "Unprocessable Content";
    case 426:
        return "Upgrade Required";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 502:
        return "Bad Gateway";
    case 503:
        return "Service Unavailable";
    case 504:
        return "Gateway Timeout";
    case 507:
        return "Insufficient Storage";
    default:
        return "Status";
    }
}

int statusOf(const Error& error, bool ifMatch)
{
    switch (error.kind) {
    case Kind::invalid:
        return 422;
    case Kind::auth:
        return 403;
    case Kind::not_found:
        return 404;
    case Kind::conflict:
        return ifMatch && !api::forceHelps(error) ? 412 : 409;
    case Kind::resource:
        return isOutOfSpace(error) ? 507 : 503;
    case Kind::timeout:
        return 504;
    case Kind::network:
    case Kind::platform:
        return 502;
    case Kind::cancelled:
        return 503;
    case Kind::internal:
        return 500;
    }
    return 500;
}

static constexpr const char* problemType = "application/problem+json";

static Json problemDocument(int status, Kind kind, const Message& detail)
{
    Json document = {{"type", u"urn:trialdeck:problem:"_s + kindName(kind)},
        {"title", statusText(status).toStdString()}, {"status", status}, {"detail", detail.text()},
        {"kind", kindName(kind)}};
    core::addMessage(document, "detail", detail);
    return document;
}

Answer problem(int status, Kind kind, const Message& detail)
{
    Answer answer{status, problemType, dumpJson(problemDocument(status, kind, detail)), {}};
    if (status == 503)
        answer.setHeader("Retry-After", "1");
    if (status == 401)
        answer.setHeader("WWW-Authenticate", "Bearer realm=\"trialdeck\"");
    return answer;
}

Answer requestProblem(const Error& error, bool ifMatch)
{
    return problem(error.kind == Kind::invalid ? 400 : statusOf(error, ifMatch), error.kind, error.message);
}

Answer engineProblem(const Error& error, bool ifMatch)
{
    const Json outOfReach = api::outOfReachOf(error);
    if (outOfReach.empty() && !api::forceHelps(error))
        return problem(statusOf(error, ifMatch), error.kind, error.message);
    Json document = problemDocument(statusOf(error, ifMatch), error.kind, error.message);
    if (!outOfReach.empty()) {
        document["type"] = "urn:trialdeck:problem:out-of-reach";
        document["outOfReach"] = outOfReach;
    } else {
        document["force"] = true;
    }
    return {statusOf(error, ifMatch), problemType, dumpJson(document), {}};
}

Answer answerOf(const api::Reply& reply, QByteArray fallback)
{
    Answer answer;
    answer.status = reply.created ? 201 : reply.accepted ? 202 : 200;
    if (reply.series)
        answer.body = api::seriesText(*reply.series);
    else if (!reply.bytes.isEmpty())
        answer.body = reply.bytes;
    else if (!reply.document.is_null() && !(reply.document.is_object() && reply.document.empty()))
        answer.body = dumpJson(reply.document);
    else
        answer.body = std::move(fallback);
    if (!reply.bytes.isEmpty() && !reply.isJsonText)
        answer.contentType = "application/octet-stream";
    if (reply.revision > 0)
        answer.setHeader("X-Revision", QByteArray::number(reply.revision));
    return answer;
}

QByteArray revisionTag(const api::Mirror& mirror)
{
    return '"' + mirror.epoch().toUtf8() + '.' + QByteArray::number(mirror.revision()) + '"';
}

} // namespace http
