// SPDX-License-Identifier: GPL-3.0-or-later
#include "api_routes.h"

#include "handler_support.h"
#include "handlers.h"

#include "services/api/json_slice.h"

using namespace Qt::StringLiterals;

namespace http {

namespace {

using namespace handlers;
using enum api::MachineAction;
using enum Method;

constexpr Route table[] = {
    {get, "/api/v1/health", health, std::nullopt},
    {get, "/api/v1/version", version},
    {get, "/api/v1/openapi.yaml", openApi},
    {get, "/metrics", prometheus},
    {get, "/api/v1/requests", listRequests},
    {get, "/api/v1/requests/{id}", getRequest},
    {get, "/api/v1/platform-kinds", platformKinds},
    {post, "/api/v1/platform-kinds/{kind}/choices", platformChoices, Scope::admin},
    {get, "/api/v1/platforms", listPlatforms},
    {get, "/api/v1/platforms/{id}", getPlatform},
    {put, "/api/v1/platforms/{id}", putPlatform, Scope::admin},
    {del, "/api/v1/platforms/{id}", deletePlatform, Scope::admin},
    {post, "/api/v1/platforms/{id}/check", checkPlatform, Scope::admin},
    {post, "/api/v1/platforms/{id}/retry", retryPlatform, Scope::admin},
    {post, "/api/v1/platforms:check", checkUnsaved, Scope::admin},
    {get, "/api/v1/platforms/{id}/metadata/{key}", getMetadata, Scope::admin},
    {put, "/api/v1/platforms/{id}/metadata/{key}", setMetadata, Scope::admin},
    {get, "/api/v1/machines", listMachines},
    {get, "/api/v1/machines/{id}", getMachine},
    {del, "/api/v1/machines/{id}", removeMachine, Scope::admin},
    {get, "/api/v1/gpu-usage", gpuUsage},
    {put, "/api/v1/machines/{id}/gpus/{index}/reservation", reserve, Scope::admin},
    {del, "/api/v1/machines/{id}/gpus/{index}/reservation", reserve, Scope::admin},
    {post, "/api/v1/machines/{id}/trust", actOnMachine<trust>, Scope::admin},
    {post, "/api/v1/machines/{id}/drain", actOnMachine<drain>, Scope::admin},
    {post, "/api/v1/machines/{id}/undrain", actOnMachine<undrain>, Scope::admin},
    {post, "/api/v1/machines/{id}/check", actOnMachine<check>, Scope::admin},
    {get, "/api/v1/prompts", listPrompts},
    {post, "/api/v1/prompts/{id}", answerPrompt, Scope::admin},
    {get, "/api/v1/experiments", listExperiments},
    {post, "/api/v1/experiments", createExperiment, Scope::run},
    {get, "/api/v1/experiments/{id}", getExperiment},
    {patch, "/api/v1/experiments/{id}", patchExperiment, Scope::run},
    {del, "/api/v1/experiments/{id}", actOnExperiment<api::ExperimentAction::remove>, Scope::run},
    {post, "/api/v1/experiments/{id}/pause", actOnExperiment<api::ExperimentAction::pause>, Scope::run},
    {post, "/api/v1/experiments/{id}/resume", actOnExperiment<api::ExperimentAction::resume>, Scope::run},
    {post, "/api/v1/experiments/{id}/stop", actOnExperiment<api::ExperimentAction::stop>, Scope::run},
    {post, "/api/v1/experiments/{id}/cleanup", actOnExperiment<api::ExperimentAction::cleanup>, Scope::run},
    {put, "/api/v1/experiments/{id}/lease", renewLease, Scope::run, true},
    {get, "/api/v1/experiments/{id}/failures", listFailures},
    {put, "/api/v1/code/{sha256}", putCode, Scope::run},
    {head, "/api/v1/code/{sha256}", hasCode},
    {post, "/api/v1/experiments/{id}/trials", submitTrials, Scope::run},
    {get, "/api/v1/trials", listTrials},
    {patch, "/api/v1/trials", patchTrials, Scope::run},
    {post, "/api/v1/trials/cancel", cancelTrials, Scope::run},
    {post, "/api/v1/trials/retry", retryTrials, Scope::run},
    {post, "/api/v1/queue/move", moveQueue, Scope::run},
    {get, "/api/v1/trials/{id}", getTrial},
    {patch, "/api/v1/trials/{id}", patchTrial, Scope::run},
    {post, "/api/v1/trials/{id}/cancel", cancelTrial, Scope::run},
    {post, "/api/v1/trials/{id}/retry", retryTrial, Scope::run},
    {get, "/api/v1/trials/{id}/events", trialEvents},
    {get, "/api/v1/trials/{id}/logs", listLogs},
    {get, "/api/v1/trials/{id}/logs/{name}", readLog},
    {get, "/api/v1/trials/{id}/files", listFiles},
    {get, "/api/v1/trials/{id}/files/{path...}", readFile},
    {get, "/api/v1/trials/{id}/metrics", trialMetrics},
    {post, "/api/v1/metrics/read", readMetrics},
    {post, "/api/v1/series", readSeries},
    {get, "/api/v1/events", followEvents},
    {get, "/api/v1/tokens", listTokens, Scope::admin},
    {post, "/api/v1/tokens", createToken, Scope::admin},
    {del, "/api/v1/tokens/{name}", revokeToken, Scope::admin},
    {post, "/api/v1/tokens:rotate", rotateToken, Scope::admin},
};

/// The table's patterns cut into segments, once.
const std::vector<QStringList>& patterns()
{
    static const std::vector<QStringList> cut = [] {
        std::vector<QStringList> out;
        for (const Route& route : table)
            out.push_back(QString::fromLatin1(route.pattern).mid(1).split(u'/'));
        return out;
    }();
    return cut;
}

std::optional<QStringList> captured(const QStringList& pattern, const QStringList& segments)
{
    const bool takesRest = pattern.back().endsWith(u"...}");
    if (takesRest ? segments.size() < pattern.size() : segments.size() != pattern.size())
        return std::nullopt;
    QStringList captures;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        if (!pattern[i].startsWith(u'{')) {
            if (pattern[i] != segments[i])
                return std::nullopt;
        } else if (takesRest && i + 1 == pattern.size()) {
            captures.append(segments.mid(i).join(u'/'));
        } else {
            captures.append(segments[i]);
        }
    }
    return captures;
}

} // namespace

QByteArray methodName(Method method)
{
    static constexpr const char* names[] = {"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"};
    return names[size_t(method)];
}

std::optional<Method> methodFromName(QByteArrayView name)
{
    for (const Method method : {get, head, put, post, patch, del}) {
        if (name == methodName(method))
            return method;
    }
    return std::nullopt;
}

std::span<const Route> routes()
{
    return table;
}

Match findRoute(std::optional<Method> method, const QStringList& segments)
{
    Match match;
    for (size_t i = 0; method && i < std::size(table); ++i) {
        const bool asGet = *method == head && table[i].method == get && !match.route;
        if (table[i].method != *method && !asGet)
            continue;
        std::optional<QStringList> captures = captured(patterns()[i], segments);
        if (!captures || (match.route && match.route->method == *method))
            continue;
        match = {&table[i], int(i), *std::move(captures)};
    }
    return match;
}

QByteArray allowedMethods(const QStringList& segments)
{
    QList<Method> allowed;
    for (size_t i = 0; i < std::size(table); ++i) {
        if (captured(patterns()[i], segments))
            allowed.append(table[i].method);
    }
    QByteArray out;
    for (const Method one : {get, head, put, post, patch, del}) {
        if (!allowed.contains(one) && !(one == head && allowed.contains(get)))
            continue;
        if (!out.isEmpty())
            out += ", ";
        out += methodName(one);
    }
    return out;
}

Answer answerOf(const Execute& execute, const Result<api::Reply>& reply, const api::Mirror& mirror)
{
    if (!reply)
        return engineProblem(reply.error(), execute.ifMatch);
    const auto fallback = [&] { return execute.fallback ? execute.fallback(mirror) : doneText(mirror); };
    switch (execute.shape) {
    case Execute::Shape::document:
        return answerOf(*reply, fallback());
    case Execute::Shape::record: {
        api::Reply bare = *reply;
        bare.document = nullptr;
        bare.bytes.clear();
        return answerOf(bare, fallback());
    }
    case Execute::Shape::revised: {
        Answer answer = answerOf(*reply, fallback());
        if (answer.body.endsWith('}') && answer.body.size() > 2 && !api::JsonSlice(answer.body).member("revision")) {
            answer.body.chop(1);
            answer.body += ",\"revision\":" + QByteArray::number(std::max(reply->revision, mirror.revision())) + '}';
        }
        return answer;
    }
    case Execute::Shape::exists: {
        // A HEAD: the status is the whole answer.
        const Json& document = reply->document;
        const bool missing = document == false || (document.is_object() && document.value("exists", true) == false);
        return missing ? problem(404, Kind::not_found, u"This code has not been uploaded."_m) : json("{}");
    }
    case Execute::Shape::log:
    case Execute::Shape::file:
        break;
    }
    const bool isFile = execute.shape == Execute::Shape::file;
    Answer answer{200, isFile ? "application/octet-stream" : "text/plain; charset=utf-8", reply->bytes, {}};
    answer.setHeader("X-Offset", QByteArray::number(reply->offset));
    answer.setHeader("X-Next-Offset", QByteArray::number(reply->offset + reply->bytes.size()));
    answer.setHeader("X-Size", QByteArray::number(reply->size));
    if (reply->end)
        answer.setHeader("X-End", "true");
    return answer;
}

} // namespace http
