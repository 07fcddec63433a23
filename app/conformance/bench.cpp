// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench.h"

#include "app/cli/json_view.h"

using namespace Qt::StringLiterals;

namespace app::conformance {

using core::fail;
using core::Kind;

Bench::Bench(const SuitePlan& plan)
    : m_plan(plan)
    , m_service(plan.daemon, plan.folder)
{
}

template <typename T>
Result<T> Bench::until(const std::function<Result<std::optional<T>>()>& look, const std::function<QString()>& late)
{
    constexpr int lookEveryMs = 200;
    QElapsedTimer clock;
    clock.start();
    for (;;) {
        Result<std::optional<T>> found = look();
        if (!found)
            return fail(found);
        if (*found)
            return *std::move(*found);
        if (clock.elapsed() > m_plan.patienceS * 1'000)
            return fail(Kind::timeout, u"%1 After %2 s it was given up."_s.arg(late()).arg(m_plan.patienceS));
        m_service.client().pause(lookEveryMs);
        if (m_plan.stops() > m_stops)
            return fail(Kind::cancelled, u"It was interrupted."_s);
    }
}

Result<> Bench::ready()
{
    QString seen;
    const Result<bool> ready = until<bool>(
        [&]() -> Result<std::optional<bool>> {
            const Result<Json> platform = m_service.client().get(pathOf({u"platforms"_s, m_plan.platform}));
            if (!platform)
                return fail(platform);
            const QString state = textOf(*platform, "state");
            seen = u"The platform is %1: %2"_s.arg(state, textOf(*platform, "message"));
            if (state == u"FAILED"_s && !numberOf(*platform, "retryTime"))
                return fail(Kind::platform, seen);
            return state == u"READY"_s ? std::optional(true) : std::nullopt;
        },
        [&] { return seen; });
    return ready ? Result<>{} : Result<>(fail(ready));
}

Result<Run> Bench::begin(const QString& command, int count)
{
    Json form = {
        {"name", "conformance"}, {"platformId", m_plan.platform}, {"trialConcurrency", 20}, {"trialCommand", command}};
    if (!m_options.empty())
        form["platformOptions"] = m_options;
    const Result<Json> made = m_service.client().post(u"/experiments"_s, form);
    if (!made)
        return fail(made);
    Run run{textOf(*made, "id"), {}};
    const Result<QStringList> trials = submit(run.experiment, count);
    if (!trials)
        return fail(trials);
    run.trials = *trials;
    return run;
}

Result<Run> Bench::runToEnd(const QString& command, int count)
{
    Result<Run> run = begin(command, count);
    if (!run)
        return run;
    for (const QString& trial : std::as_const(run->trials))
        if (const Result<Json> ended = waitForEnd(trial); !ended)
            return fail(ended);
    return run;
}

Result<QStringList> Bench::submit(const QString& experiment, int count)
{
    Json forms = Json::array();
    for (int i = 0; i < count; ++i)
        forms.push_back({{"parameters", Json::object()}});
    const Result<Json> made =
        m_service.client().post(pathOf({u"experiments"_s, experiment, u"trials"_s}), {{"trials", forms}});
    if (!made)
        return fail(made);
    QStringList ids;
    for (const Json& trial : listOf(*made, "trials"))
        ids.append(textOf(trial, "id"));
    return ids;
}

Result<Json> Bench::trial(const QString& id)
{
    return m_service.client().get(pathOf({u"trials"_s, id}));
}

Result<Json> Bench::waitFor(const QString& id, const QStringList& statuses)
{
    QString seen;
    return until<Json>(
        [&]() -> Result<std::optional<Json>> {
            Result<Json> found = trial(id);
            if (!found)
                return fail(found);
            const QString status = textOf(*found, "status");
            seen = u"Trial %1 is %2 (%3), and not %4."_s.arg(
                id, status, textOf(*found, "reason"), statuses.join(u" or "_s));
            if (statuses.contains(status))
                return std::optional(*std::move(found));
            if (finalStatuses.contains(status))
                return fail(Kind::platform, seen);
            return std::nullopt;
        },
        [&] { return seen; });
}

Result<> Bench::waitForStart(const QStringList& trials)
{
    const Result<bool> runs = until<bool>(
        [&]() -> Result<std::optional<bool>> {
            for (const QString& id : trials) {
                const Result<Json> found = trial(id);
                if (!found)
                    return fail(found);
                if (textOf(*found, "status") == u"RUNNING"_s)
                    return std::optional(true);
            }
            return std::nullopt;
        },
        [&] { return u"None of %1 runs."_s.arg(trials.join(u", "_s)); });
    return runs ? Result<>{} : Result<>(fail(runs));
}

Result<Json> Bench::waitForOperation(const Json& accepted)
{
    const QString path = pathOf({u"requests"_s, textOf(accepted, "requestId")});
    return until<Json>(
        [&]() -> Result<std::optional<Json>> {
            Result<Json> operation = m_service.client().get(path);
            if (!operation)
                return fail(operation);
            return textOf(*operation, "state") == u"running"_s ? std::nullopt : std::optional(*std::move(operation));
        },
        [] { return u"It has not ended."_s; });
}

Result<> Bench::cancel(const QString& id)
{
    const Result<Json> done =
        m_service.client().post(pathOf({u"trials"_s, id, u"cancel"_s}), {{"isEarlyStopped", false}});
    return done ? Result<>{} : Result<>(fail(done));
}

Result<QList<double>> Bench::values(const QString& id)
{
    QList<double> values;
    qint64 next = 0;
    while (true) {
        QUrlQuery query;
        addQuery(query, u"since"_s, QString::number(next));
        addQuery(query, u"limit"_s, u"1000"_s);
        const Result<Json> page = m_service.client().get(pathOf({u"trials"_s, id, u"metrics"_s}), query);
        if (!page)
            return fail(page);
        for (const Json& metric : listOf(*page, "metrics")) {
            bool isNumber = false;
            const double value = textOf(metric, "data").toDouble(&isNumber);
            if (!isNumber || numberOf(metric, "sequence").value_or(-1) != values.size())
                return fail(Kind::platform, u"A metric of %1 is no number, or out of order."_s.arg(id));
            values.append(value);
        }
        if (listOf(*page, "metrics").empty())
            return values;
        next = values.size();
    }
}

Result<QByteArray> Bench::logPiece(const QString& id, const QString& name, const QUrlQuery& range)
{
    HttpCall call;
    call.path = pathOf({u"trials"_s, id, u"logs"_s, name});
    call.query = range;
    Result<HttpAnswer> answer = m_service.client().send(call);
    if (!answer)
        return fail(answer);
    return answer->body;
}

Result<QByteArray> Bench::log(const QString& id, const QString& name)
{
    QByteArray whole;
    while (true) { // a part at a time
        QUrlQuery range;
        addQuery(range, u"offset"_s, QString::number(whole.size()));
        addQuery(range, u"limit"_s, u"4000000"_s);
        const Result<QByteArray> piece = logPiece(id, name, range);
        if (!piece)
            return fail(piece);
        if (piece->isEmpty())
            return whole;
        whole += *piece;
    }
}

Result<QByteArray> Bench::file(const QString& id, const QString& path)
{
    HttpCall call;
    call.path = pathOf({u"trials"_s, id, u"files"_s}) + encodedFilePath(path);
    Result<HttpAnswer> answer = m_service.client().send(call);
    if (!answer)
        return fail(answer);
    return answer->body;
}

Result<> Bench::cleanUp(const QString& experiment)
{
    const Result<Json> accepted = m_service.client().post(pathOf({u"experiments"_s, experiment, u"cleanup"_s}));
    if (!accepted)
        return fail(accepted);
    const Result<Json> ended = waitForOperation(*accepted);
    if (!ended)
        return fail(ended);
    return textOf(*ended, "state") == u"succeeded"_s ? Result<>{}
                                                     : Result<>(fail(Kind::platform, textOf(*ended, "message")));
}

void Bench::cleanUpAll()
{
    m_stops = 1;
    const Json experiments = m_service.client().get(u"/experiments"_s).value_or(Json());
    for (const Json& experiment : listOf(experiments, "experiments"))
        if (const Result<> cleaned = cleanUp(textOf(experiment, "id"));
            !cleaned && cleaned.error().kind == Kind::cancelled)
            return;
}

} // namespace app::conformance
