// SPDX-License-Identifier: GPL-3.0-or-later
#include "arm_refusal.h"

#include "services/core/printable.h"
#include "services/transport/http/redaction.h"

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

constexpr qsizetype longestWords = 400; ///< characters that a person is shown

QString oneLine(const QString& text)
{
    return printable(transport::redacted(text.trimmed().section(u'\n', 0, 0).trimmed()), longestWords);
}

/// The message, and what the first of its details adds.
QString saidBy(const Json& error)
{
    QString said = textOf(error, "message");
    if (const Json* details = memberOf(error, "details"); details && details->is_array() && !details->empty()) {
        const QString more = textOf((*details)[0], "message");
        if (!more.isEmpty() && !said.contains(more))
            said = said.trimmed().isEmpty() ? more : said.trimmed().section(u'\n', 0, 0) + u' ' + more;
    }
    return oneLine(said);
}

QString idsIn(const transport::HttpHeaders& headers)
{
    QString ids;
    for (const char* name : {"x-ms-request-id", "x-ms-correlation-request-id"})
        if (const QByteArray id = transport::headerValue(headers, name); !id.isEmpty())
            ids += u' ' + QString::fromLatin1(name) + u'=' + printable(QString::fromLatin1(id), 80);
    return ids;
}

} // namespace

ArmRefusal readArmRefusal(int status, const QByteArray& body, const transport::HttpHeaders& headers)
{
    ArmRefusal refusal;
    Error& error = refusal.error;
    error.kind = transport::kindOfStatus(status);
    error.detail = u"HTTP %1%2: %3"_s.arg(status).arg(
        idsIn(headers), printable(transport::redacted(QString::fromUtf8(body.left(1'024))), 600));
    const Json json = Json::parse(body.constData(), body.constData() + body.size(), nullptr, false);
    const Json* inner = memberOf(json, "error");
    QString said;
    if (inner && inner->is_object()) {
        refusal.code = printable(textOf(*inner, "code").trimmed(), 100);
        said = saidBy(*inner);
    } else if (const QString code = textOf(json, "error_code").trimmed(); !code.isEmpty()) { // MLflow's
        refusal.code = printable(code, 100);
        said = saidBy(json);
    }
    if ((status == 404 || status == 410) && refusal.code.isEmpty()) {
        error = transport::answerOfAGateway(status, u"Azure"_s, error.detail);
    } else if (status == 401) {
        error.message = u"Azure does not accept the token: it has expired, or is of another tenant or cloud."_m;
    } else if (status == 403) {
        error.message = said.isEmpty() ? u"Azure does not permit this to the account of the platform."_m
                                       : u"Azure does not permit it: %1"_m.arg(said);
    } else if (status == 429) {
        error.message = u"Azure takes no more requests for now: its limit of requests is reached."_m;
    } else if (status >= 500 || refusal.code.isEmpty()) {
        error.message = said.isEmpty() ? u"Azure answers with an error of its own (HTTP %1)."_m.arg(status)
                                       : u"Azure answers with an error of its own: %1"_m.arg(said);
    } else {
        error.message = said.isEmpty() ? u"Azure refuses it (%1)."_m.arg(refusal.code) : u"Azure: %1"_m.arg(said);
    }
    return refusal;
}

ArmRefusal armRefusal(const transport::HttpReply& reply)
{
    return readArmRefusal(reply.status, reply.body, reply.headers);
}

} // namespace platforms::azure
