// SPDX-License-Identifier: GPL-3.0-or-later
// What servers of clusters answer: head, framing, chunks, gzip, and the texts in it that are looked into. The first byte says in what
// pieces it arrives.
#include "fuzz_driver.h"

#include "services/transport/http/http_origin.h"
#include "services/transport/http/redaction.h"
#include "services/transport/http/retry_policy.h"
#include "services/transport/http/wire/body_decoder.h"

using namespace transport;

namespace {

constexpr qsizetype mostBody = 1024 * 1024;

struct Answer
{
    bool isHead = false; ///< there was a whole one
    ResponseHead head;
    QByteArray body;
    bool isWhole = false;
    bool isBroken = false; ///< also: more than mostBody

    bool operator==(const Answer&) const = default;
};

Answer received(const QByteArray& wire, qsizetype step, qsizetype most)
{
    Answer answer;
    ResponseHeadParser parser;
    std::optional<BodyDecoder> body;
    QByteArray pending;
    const auto drain = [&] {
        for (;;) {
            const std::optional<QByteArray> taken = body->take(most);
            if (!taken)
                return false;
            require(taken->size() <= most, "no more is taken than was asked for");
            answer.body += *taken;
            if (taken->isEmpty() || answer.body.size() > mostBody)
                return answer.body.size() <= mostBody;
        }
    };
    for (qsizetype at = 0; at < wire.size() && !answer.isBroken; at += step) {
        pending += wire.mid(at, step);
        if (!body) {
            const ResponseHeadParser::State state = parser.take(pending);
            answer.isBroken = state == ResponseHeadParser::State::broken;
            if (state != ResponseHeadParser::State::done)
                continue;
            answer.isHead = true;
            answer.head = parser.head();
            require(answer.head.status >= 100 && answer.head.status <= 599, "a status is one of HTTP");
            require(answer.head.headers.size() <= maxHeadFields, "the number of fields is bounded");
            for (const auto& [name, value] : std::as_const(answer.head.headers))
                require(isFieldName(name) && isFieldValue(value), "a field can be sent as it was received");
            body = BodyDecoder::of(answer.head, "GET");
            if (!body) {
                answer.isBroken = true;
                break;
            }
        }
        if (!body->push(pending) || !drain())
            answer.isBroken = true;
    }
    if (body && !answer.isBroken && (body->end() && drain()))
        answer.isWhole = body->isDone();
    if (answer.isBroken) {
        answer.body.clear(); // how much of it came before depends on the pieces
        answer.isWhole = false;
    }
    return answer;
}

void lookInto(const ResponseHead& head, const QByteArray& body)
{
    const AttemptEnd end{
        std::nullopt, head.status, headerValue(head.headers, "retry-after"), headerValue(head.headers, "date")};
    for (const double random : {0.0, 0.5, 1.0}) {
        const qint64 delay = retryDelayMs(end, 3, random, 784'111'777'000);
        require(delay >= 0 && delay <= 330'000, "a wait is bounded");
    }
    const QUrl from(QStringLiteral("https://h:8443/a"));
    HttpRequest request;
    request.method = head.minorVersion ? "GET" : "POST";
    request.followsRedirects = true;
    if (const auto to = redirectOf(from, head.status, headerValue(head.headers, "location"), request); to && *to) {
        const auto origin = originOf((*to)->url);
        require(origin && origin->isTls, "a redirect stays with TLS");
        require((*to)->url.userInfo().isEmpty(), "a redirect names no user");
        require(!(*to)->keepsBody || request.method == "GET" || origin->host == u"h", "a body stays with its host");
    }
    const QString shown = redacted(QString::fromUtf8(body), {"hunter2"});
    require(!shown.contains(QStringLiteral("hunter2")), "what is known is not shown");
}

} // namespace

void fuzzOne(std::string_view data)
{
    if (data.empty())
        return;
    const qsizetype step = 1 + uchar(data.front()) % 64;
    const QByteArray wire(data.data() + 1, qsizetype(data.size()) - 1);
    const Answer whole = received(wire, std::max<qsizetype>(1, wire.size()), 64 * 1024);
    const Answer pieces = received(wire, step, 1 + step * 7);
    require(whole.isBroken || pieces.isBroken || whole == pieces, "the pieces in which it arrives change nothing");
    require(whole.isBroken == pieces.isBroken, "the pieces in which it arrives break nothing");
    if (whole.isHead)
        lookInto(whole.head, whole.body);
}
