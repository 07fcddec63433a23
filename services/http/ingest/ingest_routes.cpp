// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest_routes.h"

#include "services/http/net/url.h"
#include "services/trial/ingest_token.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace http {

namespace proto = boost::beast::http;

namespace {

constexpr qsizetype longestId = 64;

QByteArrayView viewOf(boost::beast::string_view text)
{
    return QByteArrayView(text.data(), qsizetype(text.size()));
}

bool isTrialId(QStringView text)
{
    return !text.isEmpty() && text.size() <= longestId && std::all_of(text.begin(), text.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
    });
}

QByteArrayView shownToken(const RequestHeader& request)
{
    constexpr QByteArrayView scheme = "bearer ";
    if (request.count(proto::field::authorization) != 1)
        return {};
    const QByteArrayView text = viewOf(request[proto::field::authorization]);
    const bool isBearer =
        text.size() > scheme.size() && text.first(scheme.size()).compare(scheme, Qt::CaseInsensitive) == 0;
    return isBearer ? text.sliced(scheme.size()).trimmed() : QByteArrayView();
}

bool isAllowed(const QByteArray& key, const QString& trial, QByteArrayView token)
{
    const bool isRight = trial::isIngestToken(key, TrialId(trial), token);
    return isTrialId(trial) && isRight;
}

Answer nothingHere()
{
    return problem(404, Kind::not_found, u"There is nothing at this address: here trials post their metrics."_m);
}

Answer wrongMethod(const QByteArray& allowed)
{
    Answer answer = problem(405, Kind::invalid, u"This address takes only %1."_m.arg(QString::fromLatin1(allowed)));
    answer.setHeader("Allow", allowed);
    return answer;
}

Answer emptyAnswer()
{
    return Answer{200, "text/plain; charset=utf-8", {}, {}};
}

Answer withOffset(Answer answer, qint64 offset)
{
    Json document = parseJson(answer.body).value_or(Json::object());
    document["offset"] = offset;
    answer.body = dumpJson(document);
    return answer;
}

std::optional<IngestRoute> keeperRoute(const QString& name)
{
    if (name == u"version")
        return IngestRoute::keeperVersion;
    if (name == u"stdout")
        return IngestRoute::keeperOutput;
    if (name == u"update-metrics")
        return IngestRoute::keeperMetrics;
    return std::nullopt;
}

std::variant<IngestCall, Answer> admitKeeper(
    const QStringList& segments, bool isGet, bool isPost, const QByteArray& key)
{
    if (segments.size() == 4 && segments[3] == u"parameter-file-meta") {
        if (!isGet)
            return wrongMethod("GET");
        return IngestCall{IngestRoute::keeperParameters, {}, {}, 0};
    }
    const std::optional<IngestRoute> route = segments.size() == 6 ? keeperRoute(segments[3]) : std::nullopt;
    if (!route)
        return nothingHere();
    if (!isPost)
        return wrongMethod("POST");
    const QString& experiment = segments[4];
    const qsizetype dot = experiment.lastIndexOf(u'.');
    const QString before = experiment.left(std::max<qsizetype>(0, dot));
    const QString trial = before.mid(before.lastIndexOf(u'.') + 1);
    if (!isAllowed(key, trial, experiment.mid(dot + 1).toUtf8()))
        return problem(403, Kind::auth,
            u"The experiment in the address must end with the trial's id, a dot and its token, for example NNI_EXP_ID=\"${TRIALDECK_INGEST_URL##*/}.$TRIALDECK_INGEST_TOKEN\"."_m);
    return IngestCall{*route, TrialId(trial), segments[5], 0};
}

Answer refusedBody(const trial::PostProblem& why)
{
    return problem(why.isTooLarge ? 413 : 400, Kind::invalid, why.text);
}

api::PostMetrics keeperPost(const IngestCall& call, std::vector<trial::PostedMetric> metrics)
{
    return {
        call.trial, call.jobId, 0, false, std::make_shared<const std::vector<trial::PostedMetric>>(std::move(metrics))};
}

} // namespace

std::variant<IngestCall, Answer> admitPost(const RequestHeader& request, const QByteArray& key)
{
    if (request.count(proto::field::host) != 1)
        return problem(400, Kind::invalid, u"A request needs exactly one Host header."_m);
    // No page in a browser has a trial's metrics to post.
    if (request.find(proto::field::origin) != request.end() || request.find("Sec-Fetch-Site") != request.end())
        return problem(403, Kind::auth, u"Requests from pages in a browser are refused."_m);
    if (!isEncodingKnown(request))
        return problem(400, Kind::invalid, u"Of the transfer encodings only \"chunked\" is understood."_m);
    const QByteArrayView target = viewOf(request.target());
    const qsizetype mark = target.indexOf('?');
    const std::optional<QStringList> segments = pathSegments(mark < 0 ? target : target.first(mark));
    if (!segments)
        return nothingHere();
    const bool isPost = request.method() == proto::verb::post;
    if (segments->size() > 3 && segments->at(0) == u"api" && segments->at(1) == u"v1"
        && segments->at(2) == u"nni-pai") {
        auto keeper = admitKeeper(*segments, request.method() == proto::verb::get, isPost, key);
        if (mark >= 0 && std::holds_alternative<IngestCall>(keeper))
            return problem(400, Kind::invalid, u"This address takes no parameters behind a question mark."_m);
        return keeper;
    }
    if (segments->size() == 2 && segments->at(0) == u"ingest" && segments->at(1) == u"v1" && mark < 0
        && request.method() == proto::verb::get)
        return IngestCall{IngestRoute::mark, {}, {}, 0};
    if (segments->size() != 3 || segments->at(0) != u"ingest" || segments->at(1) != u"v1")
        return nothingHere();
    if (!isAllowed(key, segments->at(2), shownToken(request)))
        return problem(401, Kind::auth,
            u"The token of this trial is required: Authorization: Bearer, and what TRIALDECK_INGEST_TOKEN holds in its environment."_m);
    if (!isPost)
        return wrongMethod("POST");
    IngestCall call{IngestRoute::post, TrialId(segments->at(2)), {}, 0};
    Query query(mark < 0 ? QByteArrayView() : target.sliced(mark + 1));
    query.read("run", call.run, 0, 1'000'000'000);
    if (const Result<> good = query.finish(); !good)
        return requestProblem(good.error());
    return call;
}

IngestBody readPost(const IngestCall& call, QByteArrayView body)
{
    switch (call.route) {
    case IngestRoute::post: {
        auto lines = trial::readPostedLines(body);
        if (!lines)
            return {refusedBody(lines.error())};
        return {api::PostMetrics{call.trial, {}, call.run, true,
            std::make_shared<const std::vector<trial::PostedMetric>>(*std::move(lines))}};
    }
    case IngestRoute::keeperOutput: {
        auto output = trial::readKeeperOutput(body);
        if (!output)
            return {refusedBody(output.error())};
        if (output->metrics.empty())
            return {emptyAnswer(), output->otherLines};
        return {keeperPost(call, std::move(output->metrics)), output->otherLines};
    }
    case IngestRoute::keeperMetrics: {
        auto metrics = trial::readKeeperMetrics(body);
        if (!metrics)
            return {refusedBody(metrics.error())};
        return {keeperPost(call, *std::move(metrics))};
    }
    case IngestRoute::keeperVersion: // any version of NNI's keeper will do
    case IngestRoute::keeperParameters:
    case IngestRoute::mark:
        break;
    }
    return {emptyAnswer()};
}

Answer answerToStranger(IngestRoute route, const QByteArray& key)
{
    if (route == IngestRoute::keeperParameters)
        return Answer{200, "application/json", "[]", {}};
    return Answer{
        200, "application/json", dumpJson(Json::object({{"mark", QString::fromLatin1(trial::ingestMark(key))}})), {}};
}

Answer answerOfPost(const IngestCall& call, const Result<api::PostReply>& reply)
{
    if (!reply)
        return engineProblem(reply.error());
    using enum api::PostReply::Verdict;
    const bool isKeeper = call.route != IngestRoute::post;
    switch (reply->verdict) {
    case taken:
        if (isKeeper)
            return emptyAnswer();
        return Answer{200, "application/json", "{\"offset\":" + QByteArray::number(reply->offset) + '}', {}};
    case gap:
        return withOffset(
            problem(409, Kind::conflict,
                u"A record above offset %1 came, which is the next one; send from there on."_m.arg(reply->offset)),
            reply->offset);
    case notStarted:
        return withOffset(
            problem(409, Kind::conflict, u"This trial has not been started, so nothing is taken for it yet."_m),
            reply->offset);
    case earlierRun:
        return withOffset(problem(409, Kind::conflict,
                              u"A later run of this trial has posted already, so this one counts no more."_m),
            reply->offset);
    case ended:
        break;
    }
    return withOffset(
        problem(410, Kind::conflict,
            u"This trial has ended, and nothing more is taken for it; what stands below the offset was kept."_m),
        reply->offset);
}

Answer postUnderWay()
{
    Answer answer =
        problem(429, Kind::resource, u"Another post of this trial is not answered yet; send one after the other."_m);
    answer.setHeader("Retry-After", "1");
    return answer;
}

} // namespace http
