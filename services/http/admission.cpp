// SPDX-License-Identifier: GPL-3.0-or-later
#include "admission.h"

using namespace Qt::StringLiterals;

namespace http {

namespace {

namespace proto = boost::beast::http;

QByteArrayView view(boost::beast::string_view text)
{
    return QByteArrayView(text.data(), qsizetype(text.size()));
}

/// Nothing is at the address, or not for this method.
Answer noRoute(QByteArrayView method, const QStringList& segments)
{
    const QByteArray allowed = allowedMethods(segments);
    if (allowed.isEmpty())
        return problem(
            404, Kind::not_found, u"There is nothing at this address; /api/v1/openapi.yaml describes what there is."_m);
    Answer answer = problem(405, Kind::invalid,
        u"%1 is not possible here, but %2."_m.arg(QString::fromUtf8(method), QString::fromLatin1(allowed)));
    answer.setHeader("Allow", allowed);
    return answer;
}

} // namespace

bool isEncodingKnown(const RequestHeader& request)
{
    const auto encodings = request.count(proto::field::transfer_encoding);
    return encodings == 0
        || (encodings == 1
            && view(request[proto::field::transfer_encoding]).compare("chunked", Qt::CaseInsensitive) == 0);
}

Admission admit(const RequestHeader& request, const Access& access, qint64 nowMs, QString& callerName)
{
    const auto field = [&request](proto::field name) { return view(request[name]); };
    const QByteArrayView host = field(proto::field::host);
    if (request.count(proto::field::host) != 1)
        return problem(400, Kind::invalid, u"A request needs exactly one Host header."_m);
    if (!access.acceptsHost(host))
        return problem(403, Kind::auth,
            u"This service does not answer to the name \"%1\"; use its address, or give the name in its settings."_m
                .arg(QString::fromUtf8(host)));
    const auto origin = request.find(proto::field::origin);
    const auto site = request.find("Sec-Fetch-Site");
    if ((origin != request.end() && !access.acceptsOrigin(view(origin->value()), host))
        || (site != request.end() && !access.acceptsSite(view(site->value()))))
        return problem(403, Kind::auth, u"Requests from pages of another origin are refused."_m);
    if (!isEncodingKnown(request))
        return problem(400, Kind::invalid, u"Of the transfer encodings only \"chunked\" is understood."_m);

    const QByteArrayView target = view(request.target());
    const qsizetype mark = target.indexOf('?');
    const std::optional<QStringList> segments = pathSegments(mark < 0 ? target : target.first(mark));
    if (!segments)
        return problem(400, Kind::invalid, u"The address of the request is malformed."_m);
    const QByteArrayView methodText = view(request.method_string());
    const std::optional<Method> method = methodFromName(methodText);
    Match match = findRoute(method, *segments);
    const bool isOpen = match.route && !match.route->needsToken();
    std::optional<Caller> caller;
    if (request.count(proto::field::authorization) == 1)
        caller = access.caller(field(proto::field::authorization), nowMs);
    if (caller)
        callerName = caller->name;
    if (!isOpen && !caller)
        return problem(401, Kind::auth,
            u"A valid token is required: Authorization: Bearer TOKEN. The file endpoint.json of the data directory names the token's file."_m);
    if (!match.route)
        return noRoute(methodText, *segments);

    if (!isOpen && caller->scope < *match.route->scope)
        return problem(403, Kind::auth,
            u"The token \"%1\" has the scope \"%2\", and this needs \"%3\"."_m.arg(
                caller->name, scopeName(caller->scope), scopeName(*match.route->scope)));

    Admitted admitted{match.route, match.index, {}};
    Call& call = admitted.call;
    if (caller)
        call.caller = *std::move(caller);
    call.method = *method;
    call.captures = std::move(match.captures);
    call.query = Query(mark < 0 ? QByteArrayView() : target.sliced(mark + 1));
    if (request.count(proto::field::if_match) > 0)
        call.ifMatch = field(proto::field::if_match).toByteArray();
    if (request.count(proto::field::if_none_match) > 0)
        call.ifNoneMatch = field(proto::field::if_none_match).toByteArray();
    if (const auto key = request.find("Idempotency-Key"); key != request.end()) {
        call.idempotencyKey = QString::fromUtf8(view(key->value()));
        if (call.idempotencyKey.isEmpty() || call.idempotencyKey.size() > 255)
            return problem(400, Kind::invalid, u"Idempotency-Key must have 1 to 255 characters."_m);
    }
    return admitted;
}

QByteArray answerHead(const Answer& answer, const AnswerFraming& framing, QByteArrayView dateLine)
{
    QByteArray out;
    out.reserve(400);
    out += "HTTP/1.1 " + QByteArray::number(answer.status) + ' ' + statusText(answer.status) + "\r\n";
    if (answer.status != 304) {
        out += "Content-Type: " + answer.contentType + "\r\n";
        if (!framing.chunked)
            out += "Content-Length: " + QByteArray::number(answer.body.size()) + "\r\n";
        else if (framing.version >= 11)
            out += "Transfer-Encoding: chunked\r\n";
    }
    out += "Cache-Control: no-cache\r\n";
    out += pageHeaders;
    for (const auto& [name, value] : answer.headers)
        out += name + ": " + value + "\r\n";
    out += dateLine;
    if (!framing.keepAlive)
        out += "Connection: close\r\n";
    else if (framing.version < 11)
        out += "Connection: keep-alive\r\n";
    out += "\r\n";
    return out;
}

} // namespace http
