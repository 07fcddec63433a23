// SPDX-License-Identifier: GPL-3.0-or-later
// The table of routes without sockets; and that every command a client can give goes through HTTP and comes out the same.
#include "services/api/error_marks.h"
#include "services/core/files/atomic_file.h"
#include "services/client/command_http.h"
#include "services/http/api_routes.h"
#include "tests/fakes/fake_engine_port.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace http;

Q_DECLARE_METATYPE(api::Command)

class TestApiRoutes : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void finds_data();
    void finds();
    void allowed();
    void statuses();
    void problems();
    void commandsComeThrough_data();
    void commandsComeThrough();
    void refusals_data();
    void refusals();
    void notModified();
    void ifMatchIsChecked();
    void followEvents();
    void prometheus();

private:
    Result<Outcome> handle(const QByteArray& method, const QByteArray& target, const QByteArray& body = {},
        const QList<std::pair<QByteArray, QByteArray>>& headers = {}) const;

    QList<TokenRecord> m_tokens;
    api::Mirror m_mirror;
};

void TestApiRoutes::initTestCase()
{
    fakes::FakeEnginePort port;
    port.listen([this](const api::ChangePtr& change) { m_mirror.apply(*change); });
    port.settle();
    QVERIFY(m_mirror.isReady());
    api::Change change;
    change.epoch = m_mirror.epoch();
    change.revision = 2;
    change.trials = {fakes::shared(fakes::sampleTrial(2)), fakes::shared(fakes::sampleTrial(3))};
    m_mirror.apply(change);
}

Result<Outcome> TestApiRoutes::handle(const QByteArray& method, const QByteArray& target, const QByteArray& body,
    const QList<std::pair<QByteArray, QByteArray>>& headers) const
{
    const qsizetype mark = target.indexOf('?');
    const auto segments = pathSegments(mark < 0 ? QByteArrayView(target) : QByteArrayView(target).first(mark));
    if (!segments)
        return fail(Kind::internal, u"path"_s);
    Match match = findRoute(methodFromName(method), *segments);
    if (!match.route)
        return fail(Kind::internal, u"no route"_s);
    Call call;
    call.method = *methodFromName(method);
    call.captures = match.captures;
    if (mark >= 0)
        call.query = Query(QByteArrayView(target).sliced(mark + 1));
    call.body = body;
    for (const auto& [name, value] : headers) {
        if (name == "If-Match")
            call.ifMatch = value;
        else if (name == "If-None-Match")
            call.ifNoneMatch = value;
        else if (name == "Idempotency-Key")
            call.idempotencyKey = QString::fromUtf8(value);
    }
    return match.route->handle(call, View{m_mirror, {u"local"_s}, 5, m_tokens, [] { return QByteArray("text"); }});
}

void TestApiRoutes::finds_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QStringList>("captures");
    const auto row = [](const char* method, const char* path, const char* pattern, QStringList captures) {
        QTest::addRow("%s %s", method, path)
            << QByteArray(method) << QByteArray(path) << QByteArray(pattern) << captures;
    };
    row("GET", "/api/v1/trials", "/api/v1/trials", {});
    row("HEAD", "/api/v1/trials", "/api/v1/trials", {});
    row("GET", "/api/v1/trials/cancel", "/api/v1/trials/{id}", {u"cancel"_s});
    row("POST", "/api/v1/trials/cancel", "/api/v1/trials/cancel", {});
    row("POST", "/api/v1/trials/x/cancel", "/api/v1/trials/{id}/cancel", {u"x"_s});
    row("GET", "/api/v1/trials/x/files/a/b%2Fc/d", "/api/v1/trials/{id}/files/{path...}", {u"x"_s, u"a/b/c/d"_s});
    row("GET", "/api/v1/trials/x/files", "/api/v1/trials/{id}/files", {u"x"_s});
    row("POST", "/api/v1/platforms:check", "/api/v1/platforms:check", {});
    row("HEAD", "/api/v1/code/abc", "/api/v1/code/{sha256}", {u"abc"_s});
    row("GET", "/metrics", "/metrics", {});
    row("DELETE", "/api/v1/trials", "", {});
    row("GET", "/api/v1/nothing", "", {});
    row("GET", "/api/v1", "", {});
    row("get", "/api/v1/trials", "", {});
}

void TestApiRoutes::finds()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, pattern);
    QFETCH(QStringList, captures);
    const Match match = findRoute(methodFromName(method), *pathSegments(path));
    QCOMPARE(QByteArray(match.route ? match.route->pattern : ""), pattern);
    QCOMPARE(match.captures, captures);
    if (match.route)
        QCOMPARE(&routes()[size_t(match.index)], match.route);
}

void TestApiRoutes::allowed()
{
    QCOMPARE(allowedMethods(*pathSegments("/api/v1/platforms/local")), QByteArray("GET, HEAD, PUT, DELETE"));
    QCOMPARE(allowedMethods(*pathSegments("/api/v1/code/x")), QByteArray("HEAD, PUT"));
    QCOMPARE(allowedMethods(*pathSegments("/api/v1/nothing")), QByteArray());
}

void TestApiRoutes::statuses()
{
    const QMap<Kind, int> wanted = {{Kind::cancelled, 503}, {Kind::timeout, 504}, {Kind::network, 502},
        {Kind::auth, 403}, {Kind::not_found, 404}, {Kind::conflict, 409}, {Kind::invalid, 422}, {Kind::resource, 503},
        {Kind::platform, 502}, {Kind::internal, 500}};
    for (auto it = wanted.begin(); it != wanted.end(); ++it)
        QCOMPARE(statusOf(Error{it.key(), u"x"_s, {}}), it.value());
    QCOMPARE(statusOf(Error{Kind::conflict, u"x"_s, {}}, true), 412);
    QCOMPARE(statusOf(Error{Kind::resource, u"x"_s, outOfSpaceName.toString()}), 507);
    QCOMPARE(requestProblem({Kind::invalid, u"x"_s, {}}).status, 400);
    QCOMPARE(engineProblem({Kind::invalid, u"x"_s, {}}).status, 422);
}

void TestApiRoutes::problems()
{
    const Answer answer = engineProblem({Kind::resource, u"The disk is full."_s, u"raw text"_s});
    QCOMPARE(answer.contentType, QByteArray("application/problem+json"));
    const Json json = *parseJson(answer.body);
    QCOMPARE(json["status"].get<int>(), 503);
    QCOMPARE(json["detail"].get<QString>(), u"The disk is full."_s);
    QCOMPARE(json["kind"].get<QString>(), u"resource"_s);
    QVERIFY(json["type"].is_string() && json["title"].is_string());
    QVERIFY(!answer.body.contains("raw text"));
    QVERIFY(answer.headers.contains(std::pair<QByteArray, QByteArray>("Retry-After", "1")));
    // What a client makes of it.
    const Error error = client::errorFromProblem(503, answer.body);
    QCOMPARE(error.kind, Kind::resource);
    QCOMPARE(error.message, u"The disk is full."_s);
    // Where `force` helps, both sides know; an If-Match that fits has nothing to do with it.
    const Error refusal{Kind::conflict, u"Trials are under way."_s, api::forceMark};
    QCOMPARE(engineProblem(refusal, true).status, 409);
    QCOMPARE(client::errorFromProblem(409, engineProblem(refusal).body), refusal);
    QVERIFY(!api::forceHelps(
        client::errorFromProblem(412, engineProblem({Kind::conflict, u"x"_s, u"if-match"_s}, true).body)));
    QCOMPARE(client::errorFromProblem(404, "<html>").kind, Kind::not_found);
    QCOMPARE(client::errorFromProblem(401, {}).kind, Kind::auth);
    QCOMPARE(client::errorFromProblem(500, "[]").kind, Kind::internal);
}

static QList<api::Command> samples()
{
    using namespace api;
    const PlatformId local(u"local"_s);
    const MachineId box(u"gpu-box-1"_s);
    const ExperimentId e(u"e00000000000001"_s);
    const TrialId t(u"t00000000000001"_s);
    TrialSelection ids;
    ids.ids = {u"t00000000000001"_s, u"t00000000000002"_s};
    TrialSelection filter;
    filter.byFilter = true;
    filter.experimentId = e;
    filter.platformId = local;
    filter.machineId = box;
    filter.statuses = {TrialStatus::waiting, TrialStatus::failed};
    filter.tags = {u"a"_s};
    TrialOverrides all;
    all.gpuNumber = 2;
    all.platformId = local;
    all.machineId = box;
    all.tags = QStringList{u"x"_s};
    all.note = u"größer\n\"once more\""_s;
    all.priority = -1;
    all.hold = false;
    all.formValue = "{\"lr\": 1e-4}";
    all.formIndex = 1;
    TrialSubmission plain;
    plain.clientId = u"c1"_s;
    plain.parameters = "{\"lr\": 1e-4, \"n\": 1.50}";
    plain.tags = {u"x"_s};
    plain.priority = 2;
    plain.hold = true;
    plain.gpuNumber = 0;
    plain.platformId = local;
    plain.machineId = box;
    plain.rerun = true;
    TrialSubmission form;
    form.hasForm = true;
    form.formSequenceId = 7;
    form.formValue = "{\"parameter_id\":\n7}";
    form.formIndex = 3;
    TrialSubmission bare;
    bare.parameters = "{}";
    ExperimentSpec spec;
    spec.name = u"demo"_s;
    spec.platformId = local;
    spec.trialCommand = u"python3 \"train.py\" --lr {lr}"_s;
    spec.trialConcurrency = 3;
    spec.maxTrialNumber = 10;
    spec.objective = {u"loss"_s, false};
    spec.searchSpace = Json{{"lr", {{"_type", "uniform"}, {"_value", {0, 1}}}}};
    spec.tunerName = u"Random"_s;
    spec.tunerArgs = Json::object();
    spec.environment = {{u"A"_s, u"b"_s}};
    spec.tags = {u"x"_s};
    PatchExperiment patch{e, 1};
    patch.name = u"new"_s;
    patch.trialConcurrency = 4;
    patch.maxTrialNumber = std::optional<qint64>();
    patch.maxDurationSeconds = std::optional<qint64>(60);
    patch.tags = QStringList{u"y"_s};
    patch.searchSpace = Json{{"x", 1}};
    ReadSeries series;
    series.trials = {t};
    series.metric = u"loss"_s;
    series.x = u"time"_s;
    series.from = 0.5;
    series.columns = 30;
    ReadMetrics metrics;
    metrics.cursors = {{t, 4}, {TrialId(u"t00000000000002"_s), 0}};
    metrics.limit = 7;
    const QString sha(64, u'a');
    const Json settings = {{"gpuIndices", {0, 1}}};
    return {PutPlatform{PlatformId(u"lab_1"_s), u"remote"_s, settings, {}}, PutPlatform{local, u"local"_s, settings, 1},
        PutPlatform{local, u"local"_s, settings, {}, true}, DeletePlatform{local}, CheckPlatform{local, {}, {}, false},
        CheckPlatform{local, {}, {}, false, false}, CheckPlatform{PlatformId(u"new"_s), u"remote"_s, settings, true},
        RetryPlatform{local}, PlatformChoices{u"local"_s, u"gpuIndices"_s, settings},
        PlatformChoices{u"local"_s, u"gpuIndices"_s, settings, local},
        SetMetadata{local, u"trial_config"_s, Json{{"command", "x"}}}, GetMetadata{local, u"a b/c"_s},
        ReserveGpu{box, 0, u"mine"_s, false}, ReserveGpu{box, 0, {}, true},
        ActOnMachine{box, MachineAction::trust, u"SHA256:x"_s}, ActOnMachine{box, MachineAction::drain, {}},
        ActOnMachine{box, MachineAction::undrain, {}}, ActOnMachine{box, MachineAction::check, {}},
        RemoveMachine{box, true, false}, RemoveMachine{box, false, true}, RemoveMachine{box, true, true},
        AnswerPrompt{PromptId(u"p00000000000001"_s), PromptAnswer{{u"secret"_s}, false, false, false}},
        AnswerPrompt{PromptId(u"p00000000000001"_s), PromptAnswer{{}, true, false, true}},
        AnswerPrompt{PromptId(u"p00000000000001"_s), PromptAnswer{{}, false, true, true}},
        CreateExperiment{spec, u"key 1"_s}, patch, ActOnExperiment{e, ExperimentAction::pause},
        ActOnExperiment{e, ExperimentAction::resume}, ActOnExperiment{e, ExperimentAction::stop},
        ActOnExperiment{e, ExperimentAction::cleanup}, ActOnExperiment{e, ExperimentAction::remove},
        ActOnExperiment{e, ExperimentAction::stop, true}, ActOnExperiment{e, ExperimentAction::cleanup, true},
        ActOnExperiment{e, ExperimentAction::remove, true}, RenewLease{e, u"NNI's manager"_s, 60, u"Call it back."_s},
        RenewLease{e, u"NNI's manager"_s, 0, {}}, SubmitTrials{e, {plain, form, bare}, u"key"_s},
        CancelTrials{ids, true, false}, CancelTrials{filter, false, true}, CancelTrials{ids, false, false, true},
        RetryTrials{ids, all, true}, RetryTrials{filter, {}, false}, PatchTrials{ids, all, false},
        MoveQueue{{u"t00000000000001"_s}, u"t00000000000002"_s}, MoveQueue{{u"t00000000000001"_s}, {}}, metrics,
        ReadTrialEvents{t, 3}, ReadFailures{e}, series, ListLogs{t}, ReadLog{t, u"stdout"_s, 5, 100},
        ReadLog{t, u"trial.log"_s, 0, 100, 10}, ReadLog{t, u"output/model/best one.bin"_s, 5, 100},
        ListFiles{t, u"model/a=20b"_s, 50}, HasCode{sha}, ReadPlatformKinds{}, ReadGpuUsage{1'750'000'000'000}};
}

void TestApiRoutes::commandsComeThrough_data()
{
    QTest::addColumn<api::Command>("command");
    int number = 0;
    for (const api::Command& command : samples())
        QTest::addRow("%d: %s", number++, client::httpRequestOf(command).target.constData()) << command;
}

/// Command → request → command → request: nothing is lost on the way, and it is the same kind of command.
void TestApiRoutes::commandsComeThrough()
{
    QFETCH(api::Command, command);
    const client::HttpRequest sent = client::httpRequestOf(command);
    const auto outcome = handle(sent.method, sent.target, sent.body, sent.headers);
    QVERIFY2(outcome, outcome ? "" : qPrintable(outcome.error().message));
    const auto* execute = std::get_if<Execute>(&*outcome);
    QVERIFY(execute);
    QCOMPARE(execute->command.index(), command.index());
    const client::HttpRequest again = client::httpRequestOf(execute->command);
    QCOMPARE(again.method, sent.method);
    QCOMPARE(again.target, sent.target);
    QCOMPARE(again.body, sent.body);
    QCOMPARE(again.headers, sent.headers);
    if (const auto* submit = std::get_if<api::SubmitTrials>(&command))
        QVERIFY(std::get<api::SubmitTrials>(execute->command).trials == submit->trials);
    if (const auto* create = std::get_if<api::CreateExperiment>(&command))
        QVERIFY(std::get<api::CreateExperiment>(execute->command).spec == create->spec);
}

void TestApiRoutes::refusals_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* method, const char* target, const char* body, Kind kind) {
        QTest::addRow("%s %s %s", method, target, body)
            << QByteArray(method) << QByteArray(target) << QByteArray(body) << int(kind);
    };
    row("GET", "/api/v1/trials?nonsense=1", "", Kind::invalid);
    row("GET", "/api/v1/trials?limit=0", "", Kind::invalid);
    row("GET", "/api/v1/trials?limit=10001", "", Kind::invalid);
    row("GET", "/api/v1/trials?status=DONE", "", Kind::invalid);
    row("GET", "/api/v1/trials?sort=nonsense", "", Kind::invalid);
    row("GET", "/api/v1/trials?fields=id,nonsense", "", Kind::invalid);
    row("GET", "/api/v1/trials?order=up", "", Kind::invalid);
    row("GET", "/api/v1/trials?after=zzz", "", Kind::invalid);
    row("GET", "/api/v1/machines?x=1", "", Kind::invalid);
    row("GET", "/api/v1/events?topics=weather", "", Kind::invalid);
    row("GET", "/api/v1/events?metrics=some", "", Kind::invalid);
    row("GET", "/api/v1/trials/nope", "", Kind::not_found);
    row("GET", "/api/v1/trials/nope/metrics", "", Kind::not_found);
    row("GET", "/api/v1/trials/t00000000000001/metrics?since=-1", "", Kind::invalid);
    row("GET", "/api/v1/trials/t00000000000001/logs/a%2Fb", "", Kind::invalid);
    row("GET", "/api/v1/trials/t00000000000001/logs/stdout?limit=99999999", "", Kind::invalid);
    row("GET", "/api/v1/trials/t00000000000001/files/a%2F..%2Fb", "", Kind::invalid);
    row("GET", "/api/v1/experiments/nope", "", Kind::not_found);
    row("POST", "/api/v1/experiments/nope/trials", "{}", Kind::not_found);
    row("POST", "/api/v1/experiments/e00000000000001/trials", "{", Kind::invalid);
    row("POST", "/api/v1/experiments/e00000000000001/pause", "{\"x\":1}", Kind::invalid);
    row("PUT", "/api/v1/experiments/e00000000000001/lease", "{\"seconds\":60}", Kind::invalid);
    row("PUT", "/api/v1/experiments/e00000000000001/lease", "{\"holder\":\" \",\"seconds\":60}", Kind::invalid);
    row("PUT", "/api/v1/experiments/e00000000000001/lease", "{\"holder\":\"x\"}", Kind::invalid);
    row("PUT", "/api/v1/experiments/e00000000000001/lease", "{\"holder\":\"x\",\"seconds\":-1}", Kind::invalid);
    row("PUT", "/api/v1/experiments/e00000000000001/lease", "{\"holder\":\"x\",\"seconds\":86401}", Kind::invalid);
    row("PUT", "/api/v1/experiments/nope/lease", "{\"holder\":\"x\",\"seconds\":60}", Kind::not_found);
    row("POST", "/api/v1/experiments", "{\"trialCommand\":\"x\",\"nonsense\":1}", Kind::invalid);
    row("GET", "/api/v1/platforms/nope", "", Kind::not_found);
    row("PUT", "/api/v1/platforms/a%20b", "{\"kind\":\"local\"}", Kind::invalid);
    row("PUT", "/api/v1/platforms/local", "{}", Kind::invalid);
    row("PUT", "/api/v1/platforms/local", "{\"kind\":\"local\",\"id\":\"other\"}", Kind::invalid);
    row("PUT", "/api/v1/platforms/local", "{\"kind\":\"local\",\"settings\":[]}", Kind::invalid);
    row("PUT", "/api/v1/machines/gpu-box-1/gpus/7/reservation", "{}", Kind::not_found);
    row("PUT", "/api/v1/machines/gpu-box-1/gpus/x/reservation", "{}", Kind::not_found);
    row("PUT", "/api/v1/machines/nope/gpus/0/reservation", "{}", Kind::not_found);
    row("POST", "/api/v1/machines/gpu-box-1/trust", "{}", Kind::invalid);
    row("POST", "/api/v1/prompts/nope", "{\"accept\":true}", Kind::not_found);
    row("POST", "/api/v1/queue/move", "{\"ids\":[]}", Kind::invalid);
    row("PATCH", "/api/v1/trials", "{\"ids\":[\"x\"]}", Kind::invalid);
    row("GET", "/api/v1/requests/nope", "", Kind::not_found);
    row("PUT", "/api/v1/code/abc", "", Kind::invalid);
    row("HEAD", "/api/v1/code/ABC", "", Kind::invalid);
}

void TestApiRoutes::refusals()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, body);
    QFETCH(int, kind);
    const auto outcome = handle(method, target, body);
    QVERIFY(!outcome);
    QVERIFY2(outcome.error().kind == Kind(kind), qPrintable(outcome.error().message));
}

void TestApiRoutes::notModified()
{
    const QByteArray tag = revisionTag(m_mirror);
    QCOMPARE(tag, QByteArray("\"epoch1.2\""));
    for (const char* target :
        {"/api/v1/trials", "/api/v1/machines", "/api/v1/platforms", "/api/v1/experiments", "/api/v1/prompts"}) {
        const Outcome fresh = *handle("GET", target);
        QCOMPARE(std::get<Answer>(fresh).status, 200);
        QVERIFY(std::get<Answer>(fresh).headers.contains(std::pair<QByteArray, QByteArray>("ETag", tag)));
        const Outcome same = *handle("GET", target, {}, {{"If-None-Match", tag}});
        QCOMPARE(std::get<Answer>(same).status, 304);
        const Outcome older = *handle("GET", target, {}, {{"If-None-Match", "\"epoch1.1\""}});
        QCOMPARE(std::get<Answer>(older).status, 200);
    }
}

void TestApiRoutes::ifMatchIsChecked()
{
    const QByteArray body = R"({"name":"x"})";
    QVERIFY(handle("PATCH", "/api/v1/experiments/e00000000000001", body, {{"If-Match", "\"1\""}}));
    QVERIFY(handle("PATCH", "/api/v1/experiments/e00000000000001", body, {{"If-Match", "*"}}));
    const auto late = handle("PATCH", "/api/v1/experiments/e00000000000001", body, {{"If-Match", "\"9\""}});
    QVERIFY(!late);
    QCOMPARE(requestProblem(late.error(), true).status, 412);
    QVERIFY(!handle("PUT", "/api/v1/platforms/new", R"({"kind":"local"})", {{"If-Match", "*"}}));
    const Outcome fresh = *handle("PUT", "/api/v1/platforms/new", R"({"kind":"local"})", {{"If-None-Match", "*"}});
    QCOMPARE(std::get<api::PutPlatform>(std::get<Execute>(fresh).command).ifMatch, std::optional<qint64>(0));
    QVERIFY(std::get<Execute>(fresh).ifMatch);
    QVERIFY(!handle("PUT", "/api/v1/platforms/new", R"({"kind":"local"})", {{"If-None-Match", "\"1\""}}));
    // The engine may still find that another change was faster.
    const Outcome put = *handle("PUT", "/api/v1/platforms/local", R"({"kind":"local"})", {{"If-Match", "\"1\""}});
    const Result<api::Reply> lost = fail(Kind::conflict, u"x"_s);
    QCOMPARE(answerOf(std::get<Execute>(put), lost, m_mirror).status, 412);
}

void TestApiRoutes::followEvents()
{
    const Outcome outcome =
        *handle("GET", "/api/v1/events?since=a.b.7&topics=trials,metrics&metrics=last&experimentId=e1");
    const auto& events = std::get<FollowEvents>(outcome);
    QVERIFY(events.since == (EventPlace{u"a.b"_s, 7}));
    QVERIFY(events.filter
        == (EventFilter{
            quint8(api::kindOf<Trial>().bit | EventFilter::metricsTopic), MetricsMode::last, ExperimentId(u"e1"_s)}));
    const Outcome broken = *handle("GET", "/api/v1/events?since=nonsense");
    QVERIFY(std::get<FollowEvents>(broken).since == EventPlace{}); // not kept: a reset
    QVERIFY(!std::get<FollowEvents>(*handle("GET", "/api/v1/events")).since);
}

void TestApiRoutes::prometheus()
{
    QCOMPARE(std::get<Answer>(*handle("GET", "/metrics")).body, QByteArray("text"));
}

QTEST_GUILESS_MAIN(TestApiRoutes)
#include "tst_api_routes.moc"
