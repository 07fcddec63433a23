// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_status.h"

#include "services/core/printable.h"
#include "services/transport/http/redaction.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qsizetype longestSaid = 300;       ///< characters of the server's own words in a sentence
constexpr qsizetype longestDetail = 1'024;   ///< of a body
constexpr qsizetype longestParsed = 262'144; ///< bytes of a body that is read as JSON
constexpr qsizetype mostCauses = 3;          ///< in a sentence
constexpr qsizetype mostCausesRead = 64;

int numberOf(const Json& json, const char* name)
{
    const Json* found = memberOf(json, name);
    if (!found || !found->is_number_integer())
        return 0;
    const auto value = found->get<qint64>();
    return value >= 0 && value <= 1'000'000 ? int(value) : 0;
}

/// Words of the server in a sentence: one line, without secrets and without a full stop.
QString said(const QString& words)
{
    QString text = printable(transport::redacted(words.left(4 * longestSaid)).simplified(), longestSaid);
    while (text.endsWith(u'.'))
        text.chop(1);
    return text;
}

struct Answer
{
    Message who; ///< the server, as it stands in a sentence
    KubeStatus status;
    bool isStatus = false;
    QString body; ///< of an answer that is no Status
};

Message withWords(const Message& sentence, const QString& words)
{
    return words.isEmpty() ? sentence : sentence + u' ' + u"It says: %1."_m.arg(words);
}

/// What `User "x" cannot list resource "pods" in API group "" in the namespace "ml"` means.
Message missingRight(const Answer& answer)
{
    static const QRegularExpression form(
        QLatin1StringView("User \"([^\"]*)\" cannot ([a-z*]+) resource \"([^\"]*)\" in API group \"([^\"]*)\"(?: in "
                          "the namespace \"([^\"]*)\")?"));
    const QRegularExpressionMatch match = form.match(answer.status.message.left(4 * longestSaid));
    if (!match.hasMatch())
        return withWords(
            u"%1 does not permit this (403). Ask who administers the cluster for the right."_m.arg(answer.who),
            said(answer.status.message));
    const QString account = printable(match.captured(1), 150);
    const QString verb = printable(match.captured(2), 30);
    const QString group = match.captured(4);
    const QString resource = printable(match.captured(3) + (group.isEmpty() ? u""_s : u'.' + group), 100);
    if (account == u"system:anonymous")
        return u"%1 did not see any credentials (403, system:anonymous). Check the user of the context: its token or certificate is missing, or belongs to another cluster."_m
            .arg(answer.who);
    if (match.captured(5).isEmpty())
        return u"The account %1 may not %2 %3 in the whole cluster (403). Ask who administers the cluster for the right."_m
            .arg(account, verb, resource);
    return u"The account %1 may not %2 %3 in the namespace %4 (403). Ask who administers the cluster for the right, or choose another namespace."_m
        .arg(account, verb, resource, printable(match.captured(5), 70));
}

Message invalidSentence(const Answer& answer)
{
    QStringList faults;
    for (const StatusCause& cause : answer.status.causes.first(std::min(mostCauses, answer.status.causes.size())))
        faults += said(cause.field.isEmpty() ? cause.message : cause.field + u": "_s + cause.message);
    if (faults.isEmpty())
        return withWords(u"%1 does not accept the request (%2)."_m.arg(answer.who).arg(answer.status.code),
            said(answer.status.message));
    const qsizetype more = answer.status.causes.size() - faults.size();
    return more > 0 ? u"%1 does not accept the object (%2): %3, and %4 more."_m.arg(answer.who)
                          .arg(answer.status.code)
                          .arg(faults.join(u"; "_s))
                          .arg(more)
                    : u"%1 does not accept the object (%2): %3."_m.arg(answer.who)
                          .arg(answer.status.code)
                          .arg(faults.join(u"; "_s));
}

Message notFoundSentence(const Answer& answer)
{
    const KubeStatus& status = answer.status;
    return status.kind.isEmpty() || status.name.isEmpty()
        ? withWords(u"%1 has no such object (404)."_m.arg(answer.who), said(status.message))
        : u"%1 has no %2 \"%3\" (404)."_m.arg(answer.who, printable(status.kind, 100), printable(status.name, 260));
}

/// The words of a body that is no Status, for a sentence: those of a short plain text, or the title of a page.
QString bodyWords(const QString& body)
{
    static const QRegularExpression title(u"<title[^>]*>([^<]{1,300})"_s, QRegularExpression::CaseInsensitiveOption);
    if (const QRegularExpressionMatch match = title.match(body.left(4'096)); match.hasMatch())
        return said(match.captured(1));
    return body.size() <= longestSaid && !body.contains(u'<') && !body.contains(u'{') ? said(body) : QString();
}

struct Meaning
{
    Refusal what = Refusal::other;
    Kind kind = Kind::platform;
    Message sentence;
};

Meaning meaningOfForbidden(const Answer& answer)
{
    if (answer.status.message.contains("exceeded quota"_L1))
        return {Refusal::quota, Kind::resource,
            withWords(
                u"A quota of the namespace is used up (403). It is tried again; free something in the namespace, or ask for a larger quota."_m,
                said(answer.status.message))};
    static const QRegularExpression denied("admission webhook \"([^\"]{1,253})\" denied the request:?(.*)"_L1,
        QRegularExpression::DotMatchesEverythingOption);
    if (const auto found = denied.match(answer.status.message.left(4 * longestSaid)); found.hasMatch())
        return {Refusal::forbidden, Kind::auth,
            withWords(u"A rule of the cluster (%1) refuses this (403)."_m.arg(printable(found.captured(1), 260)),
                said(found.captured(2)))};
    return {Refusal::forbidden, Kind::auth, missingRight(answer)};
}

/// An operator or a policy is asked before anything is stored: the object is certainly not there.
std::optional<Meaning> meaningOfSilentWebhook(const Answer& answer)
{
    static const QRegularExpression silent("failed calling webhook \"([^\"]{1,253})\""_L1);
    const auto found = silent.match(answer.status.message.left(4 * longestSaid));
    if (!found.hasMatch())
        return {};
    return Meaning{Refusal::busy, Kind::resource,
        u"The cluster asks a webhook (%1) before it takes an object, and that one does not answer (%2). It is asked again later."_m
            .arg(printable(found.captured(1), 260))
            .arg(answer.status.code)};
}

Meaning meaningOfNotFound(const Answer& answer)
{
    if (!answer.isStatus && answer.body.trimmed().startsWith(u'<')) {
        const Error strange = transport::answerOfAGateway(answer.status.code, answer.who, {});
        return {Refusal::other, strange.kind, withWords(strange.message, bodyWords(answer.body))};
    }
    // A resource of a group that is not installed is answered in plain text; one of a group that is, without a name.
    if (!answer.isStatus || answer.status.message.contains("could not find the requested resource"_L1))
        return {Refusal::notServed, Kind::not_found,
            u"%1 does not know this kind of object (404). Is the operator installed in the cluster, and is the server's address right?"_m
                .arg(answer.who)};
    return {Refusal::notFound, Kind::not_found, notFoundSentence(answer)};
}

Meaning meaningOfConflict(const Answer& answer)
{
    if (answer.status.reason == "AlreadyExists"_L1)
        return {Refusal::alreadyExists, Kind::conflict,
            u"%1 has %2 \"%3\" already (409)."_m.arg(
                answer.who, printable(answer.status.kind, 100), printable(answer.status.name, 260))};
    return {Refusal::conflict, Kind::conflict,
        withWords(u"The object was changed or replaced in between (409)."_m, said(answer.status.message))};
}

Meaning meaningOf(const Answer& answer)
{
    const KubeStatus& status = answer.status;
    const int code = status.code;
    switch (code) {
    case 401:
        return {Refusal::unauthorized, Kind::auth,
            u"%1 does not accept the credentials of the kubeconfig (401). Log in to the cluster again, or choose another context."_m
                .arg(answer.who)};
    case 403:
        return meaningOfForbidden(answer);
    case 404:
        return meaningOfNotFound(answer);
    case 409:
        return meaningOfConflict(answer);
    case 410:
        return {Refusal::expired, Kind::conflict,
            u"What was read of the cluster is too old to go on from (410), so it is read anew."_m};
    case 413:
        return {Refusal::invalid, Kind::invalid,
            withWords(u"%1 does not take an object of this size (413)."_m.arg(answer.who), said(status.message))};
    case 400:
    case 405:
    case 406:
    case 415:
    case 422:
        return {Refusal::invalid, Kind::invalid, invalidSentence(answer)};
    case 429:
        return {Refusal::busy, Kind::resource,
            u"%1 has too many requests at the moment (429). It is asked again later."_m.arg(answer.who)};
    case 503:
        return {Refusal::busy, Kind::resource,
            withWords(u"%1 is not available at the moment (503). It is asked again later."_m.arg(answer.who),
                said(status.message))};
    default:
        break;
    }
    const bool isBehind = std::any_of(status.causes.begin(), status.causes.end(),
        [](const StatusCause& cause) { return cause.reason == "ResourceVersionTooLarge"_L1; });
    if (isBehind)
        return {Refusal::versionUnknown, Kind::timeout,
            u"%1 does not know yet what was read from another server of the cluster (%2)."_m.arg(answer.who).arg(code)};
    if (const std::optional<Meaning> webhook = meaningOfSilentWebhook(answer))
        return *webhook;
    const QString words = answer.isStatus ? said(status.message) : bodyWords(answer.body);
    if (code == 408 || code == 504 || status.reason == "ServerTimeout"_L1 || status.reason == "Timeout"_L1)
        return {Refusal::other, Kind::timeout,
            withWords(u"%1 could not answer in time (%2)."_m.arg(answer.who).arg(code), words)};
    if (code >= 300 && code <= 399)
        return {Refusal::other, Kind::platform,
            u"%1 redirects the request (%2), which is not followed. Is the server's address right?"_m.arg(answer.who)
                .arg(code)};
    return {Refusal::other, Kind::platform, withWords(u"%1 failed (%2)."_m.arg(answer.who).arg(code), words)};
}

KubeRefusal refusal(Answer answer)
{
    const Meaning meaning = meaningOf(answer);
    KubeRefusal out;
    out.what = meaning.what;
    out.error.kind = meaning.kind;
    out.error.message = meaning.sentence;
    out.error.detail = printable(
        transport::redacted(answer.isStatus ? answer.status.reason + u": "_s + answer.status.message : answer.body),
        longestDetail);
    out.end.status = answer.status.code;
    if (answer.status.retryAfterSeconds)
        out.end.retryAfter = QByteArray::number(*answer.status.retryAfterSeconds);
    out.status = std::move(answer.status);
    return out;
}

} // namespace

std::optional<KubeStatus> readStatus(const Json& json)
{
    const QString state = textOf(json, "status");
    // The Status at the end of an exec has neither kind nor apiVersion.
    if (textOf(json, "kind") != "Status"_L1 && state != "Success"_L1 && state != "Failure"_L1)
        return std::nullopt;
    KubeStatus status;
    status.isSuccess = state == "Success"_L1;
    status.code = numberOf(json, "code");
    status.reason = textOf(json, "reason");
    status.message = textOf(json, "message");
    const Json* details = memberOf(json, "details");
    if (!details)
        return status;
    status.kind = textOf(*details, "kind");
    if (const QString group = textOf(*details, "group"); !group.isEmpty() && !status.kind.isEmpty())
        status.kind += u'.' + group;
    status.name = textOf(*details, "name");
    if (const int seconds = numberOf(*details, "retryAfterSeconds"); seconds > 0)
        status.retryAfterSeconds = seconds;
    const Json* causes = memberOf(*details, "causes");
    if (causes && causes->is_array())
        for (const Json& cause : *causes) {
            if (status.causes.size() == mostCausesRead)
                break;
            status.causes.append({textOf(cause, "reason"), textOf(cause, "message"), textOf(cause, "field")});
        }
    return status;
}

KubeRefusal refusalOf(const transport::HttpReply& reply)
{
    Answer answer;
    answer.who = reply.url.host().isEmpty() ? u"The API server"_m : Message(reply.url.host());
    if (reply.body.size() <= longestParsed)
        if (const Result<Json> json = parseJson(reply.body))
            if (const std::optional<KubeStatus> status = readStatus(*json)) {
                answer.status = *status;
                answer.isStatus = true;
            }
    if (!answer.isStatus)
        answer.body = QString::fromUtf8(reply.body.first(std::min<qsizetype>(reply.body.size(), 4 * longestDetail)));
    answer.status.code = reply.status; // the line of the answer is what a proxy in between has seen, too
    KubeRefusal out = refusal(std::move(answer));
    if (const QByteArray header = reply.header("retry-after"); !header.isEmpty())
        out.end.retryAfter = header;
    out.end.date = reply.header("date");
    return out;
}

KubeRefusal refusalOf(const Json& status)
{
    Answer answer;
    answer.who = u"The API server"_m;
    if (const std::optional<KubeStatus> read = readStatus(status)) {
        answer.status = *read;
        answer.isStatus = true;
    }
    if (answer.status.code == 0 && (answer.status.reason == "Expired"_L1 || answer.status.reason == "Gone"_L1))
        answer.status.code = 410;
    if (answer.status.code < 300)
        answer.status.code = 500;
    return refusal(std::move(answer));
}

} // namespace platforms::kubernetes
