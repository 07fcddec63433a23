// SPDX-License-Identifier: GPL-3.0-or-later
// The service as people run it, held against resources/api/openapi.yaml: every operation is called with real trials on a computer
// that shows four GPUs, and what comes back, refusals and the stream of changes included, is as documented.
#include "service_fixture.h"

#include "tests/contract/openapi_document.h"

#include <QCryptographicHash>
#include <QFile>

using namespace Qt::StringLiterals;
using core::Json;

class TestServiceContract : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void everyOperationAnswersAsDocumented();
    void cleanupTestCase();

private:
    /// Calls an operation by its documented path; `{…}` are replaced in order by `values`. Fails the test by an empty answer.
    Json call(const char* method, const std::string& path, const QStringList& values, int status,
        const QByteArray& body = {}, const QString& query = {});
    Json call(const char* method, const std::string& path, const QStringList& values, int status, const Json& body)
    {
        return call(method, path, values, status, core::dumpJson(body));
    }
    /// The state in which a request ends; empty when it does not within half a minute.
    QString endOfRequest(const QString& request);
    void follow();
    void readEvents();

    contract::OpenApiDocument m_document;
    ServiceFixture m_service;
    QSet<QString> m_called;
    QStringList m_problems;
    QNetworkAccessManager m_network;
    std::unique_ptr<QNetworkReply> m_events;
    QByteArray m_eventBytes;
    QSet<QString> m_seen; ///< members of events that were not empty
    int m_messages = 0;
};

void TestServiceContract::initTestCase()
{
    // A tool of the vendor's, in front of whatever this computer has.
    const QString tools = m_service.folder() + u"/tools"_s;
    QVERIFY(QDir().mkpath(tools));
    QFile tool(tools + u"/nvidia-smi"_s);
    QVERIFY(tool.open(QIODevice::WriteOnly));
    tool.write("#!/bin/sh\nexec cat '" TRIALDECK_SOURCE_DIR "/tests/fixtures/nvidia-smi/four.xml'\n");
    tool.setPermissions(tool.permissions() | QFile::ExeOwner);
    tool.close();
    m_service.setEnvironment(u"PATH"_s, tools + u':' + qEnvironmentVariable("PATH"));
    QVERIFY2(m_service.start(), m_service.output());
    follow();
}

void TestServiceContract::cleanupTestCase()
{
    m_events.reset();
    QVERIFY2(m_service.terminate(), m_service.output());
}

void TestServiceContract::follow()
{
    QNetworkRequest request(QUrl(m_service.url() + u"/api/v1/events"_s));
    request.setRawHeader("Authorization", "Bearer " + m_service.token());
    request.setRawHeader("Accept", "application/x-ndjson");
    m_events.reset(m_network.get(request));
    connect(m_events.get(), &QNetworkReply::readyRead, this, &TestServiceContract::readEvents);
    QVERIFY(QTest::qWaitFor([this] { return m_messages > 0; }, 30'000));
}

void TestServiceContract::readEvents()
{
    const Json& schema =
        m_document.paths()["/api/v1/events"]["get"]["responses"]["200"]["content"]["application/x-ndjson"]["schema"];
    m_eventBytes += m_events->readAll();
    for (qsizetype end = 0; (end = m_eventBytes.indexOf('\n')) >= 0; m_eventBytes.remove(0, end + 1)) {
        const auto message = core::parseJson(m_eventBytes.left(end));
        if (!message) {
            m_problems += u"an event is no JSON: "_s + QString::fromUtf8(m_eventBytes.left(end));
            continue;
        }
        ++m_messages;
        const QString wrong = m_document.problem(schema, *message, u"event"_s);
        if (!wrong.isEmpty())
            m_problems += wrong;
        for (const auto& [name, value] : message->items()) {
            // `removed` is an object of lists.
            const bool isFilled = value.is_object()
                ? std::any_of(value.begin(), value.end(), [](const Json& list) { return !list.empty(); })
                : value.is_array() && !value.empty();
            if (isFilled)
                m_seen += QString::fromStdString(name);
        }
    }
}

Json TestServiceContract::call(const char* method, const std::string& path, const QStringList& values, int status,
    const QByteArray& body, const QString& query)
{
    QString target = QString::fromStdString(path);
    for (const QString& value : values) {
        const qsizetype begin = target.indexOf(u'{');
        target.replace(begin, target.indexOf(u'}') - begin + 1, value);
    }
    const QString operation = QString::fromLatin1(method) + u' ' + QString::fromStdString(path);
    const ServiceFixture::Answer answer = m_service.request(method, target + query, body);
    QByteArray type;
    for (const auto& [name, value] : answer.headers) {
        if (name.compare("content-type", Qt::CaseInsensitive) == 0)
            type = value;
    }
    // A HEAD has no body: its status is the whole answer.
    if (qstrcmp(method, "HEAD") != 0)
        m_problems +=
            m_document.replyProblem(path, QByteArray(method).toLower().toStdString(), answer.status, type, answer.body);
    m_problems.removeAll(QString());
    if (answer.status != status)
        m_problems += operation + u": %1 instead of %2: "_s.arg(answer.status).arg(status)
            + QString::fromUtf8(answer.body.left(300));
    else if (status < 300)
        m_called += operation;
    return answer.json();
}

QString TestServiceContract::endOfRequest(const QString& request)
{
    QString state;
    const auto hasEnded = [&] {
        const Json answer = call("GET", "/api/v1/requests/{id}", {request}, 200);
        state = answer.is_object() ? answer.value("state", QString()) : QString();
        return state == u"succeeded" || state == u"failed";
    };
    return QTest::qWaitFor(hasEnded, 30'000) ? state : QString();
}

void TestServiceContract::everyOperationAnswersAsDocumented()
{
    const auto id = [](const Json& document, const char* name = "id") {
        return document.is_object() && document.contains(name) ? document[name].get<QString>() : QString();
    };
    const QString nobody = u"x00000000000000"_s;

    call("GET", "/api/v1/health", {}, 200);
    call("GET", "/api/v1/version", {}, 200);
    call("GET", "/api/v1/openapi.yaml", {}, 200);
    call("GET", "/metrics", {}, 200);

    // Platforms and machines.
    call("GET", "/api/v1/platform-kinds", {}, 200);
    call("POST", "/api/v1/platform-kinds/{kind}/choices", {u"local"_s}, 200,
        Json{{"field", "gpuIndices"}, {"settings", Json::object()}});
    call("POST", "/api/v1/platform-kinds/{kind}/choices", {u"remote"_s}, 200,
        Json{{"field", "machineList.host"}, {"settings", Json::object()}});
    call("POST", "/api/v1/platform-kinds/{kind}/choices", {nobody}, 404,
        Json{{"field", "gpuIndices"}, {"settings", Json::object()}});
    call("GET", "/api/v1/gpu-usage", {}, 200);
    call("GET", "/api/v1/platforms", {}, 200);
    call("GET", "/api/v1/platforms/{id}", {u"local"_s}, 200);
    call("GET", "/api/v1/platforms/{id}", {nobody}, 404);
    call("PUT", "/api/v1/platforms/{id}", {u"local"_s}, 422,
        Json{{"kind", "local"}, {"settings", Json{{"maxTrialNumberPerGpu", 0}}}});
    call("PUT", "/api/v1/platforms/{id}", {u"local"_s}, 422,
        Json{{"kind", "local"}, {"settings", Json{{"placement", "scatter"}}}});
    call("PUT", "/api/v1/platforms/{id}", {u"local"_s}, 422, Json{{"kind", "weather"}, {"settings", Json::object()}});
    call("PUT", "/api/v1/platforms/{id}", {u"second"_s}, 201,
        Json{{"kind", "local"},
            {"settings",
                Json{{"maxTrialNumberPerGpu", 2}, {"placement", "spread"},
                    {"scratchDir", m_service.folder() + u"/scratch"_s}}}});
    call("POST", "/api/v1/platforms:check", {}, 202, Json{{"kind", "local"}, {"settings", Json::object()}});
    call("POST", "/api/v1/platforms/{id}/retry", {nobody}, 404);
    call("POST", "/api/v1/platforms/{id}/retry", {u"local"_s}, 409); // it is open
    call("PUT", "/api/v1/platforms/{id}", {u"cluster"_s}, 201,
        Json{{"kind", "slurm"}, {"settings", {{"workingDirectory", "/proc/nowhere"}}}});
    QVERIFY(QTest::qWaitFor(
        [&] { return call("GET", "/api/v1/platforms/{id}", {u"cluster"_s}, 200).value("state", "") == "FAILED"; },
        30'000));
    call("POST", "/api/v1/platforms/{id}/retry", {u"cluster"_s}, 200);
    call("DELETE", "/api/v1/platforms/{id}", {u"cluster"_s}, 200);
    const QString check = id(call("POST", "/api/v1/platforms/{id}/check", {u"local"_s}, 202), "requestId");
    QCOMPARE(endOfRequest(check), u"succeeded"_s);
    const Json firstPage = call("GET", "/api/v1/requests", {}, 200, {}, u"?limit=1"_s);
    QCOMPARE(firstPage["requests"].size(), size_t(1));
    QCOMPARE(firstPage["total"].get<int>(), 2);
    const Json secondPage =
        call("GET", "/api/v1/requests", {}, 200, {}, u"?after="_s + firstPage["next"].get<QString>());
    QCOMPARE(id(secondPage["requests"][0]), check);
    QVERIFY(secondPage["next"].is_null());
    call("GET", "/api/v1/requests/{id}", {nobody}, 404);
    call("PUT", "/api/v1/platforms/{id}/metadata/{key}", {u"second"_s, u"trial_config"_s}, 200,
        Json{{"command", "python3 train.py"}, {"codeDir", "/tmp"}, {"gpuNum", 0}});
    call("GET", "/api/v1/platforms/{id}/metadata/{key}", {u"second"_s, u"trial_config"_s}, 200);
    call("GET", "/api/v1/platforms/{id}/metadata/{key}", {u"second"_s, u"weather"_s}, 404);
    QVERIFY(QTest::qWaitFor(
        [&] {
            const Json machine = call("GET", "/api/v1/machines/{id}", {u"local"_s}, 200);
            return machine.is_object() && machine.contains("gpus") && machine["gpus"].size() == 4;
        },
        30'000));
    call("GET", "/api/v1/machines", {}, 200);
    call("GET", "/api/v1/machines/{id}", {nobody}, 404);
    const std::string reservation = "/api/v1/machines/{id}/gpus/{index}/reservation";
    call("PUT", reservation, {u"local"_s, u"1"_s}, 200, Json{{"note", "debugging until four"}});
    call("PUT", reservation, {u"local"_s, u"7"_s}, 404, Json{{"note", "no such GPU"}});
    call("DELETE", reservation, {u"local"_s, u"1"_s}, 200);
    call("POST", "/api/v1/machines/{id}/trust", {u"local"_s}, 409, Json{{"fingerprint", "SHA256:abc"}});
    call("POST", "/api/v1/machines/{id}/drain", {u"second"_s}, 200);
    call("POST", "/api/v1/machines/{id}/undrain", {u"second"_s}, 200);
    call("DELETE", "/api/v1/machines/{id}", {u"second"_s}, 409); // it is its platform
    call("POST", "/api/v1/machines/{id}/check", {u"local"_s}, 202);
    call("GET", "/api/v1/prompts", {}, 200);
    call("POST", "/api/v1/prompts/{id}", {nobody}, 404, Json{{"accept", true}});

    // Code.
    const QByteArray upload = "bar";
    const QString sha = QString::fromLatin1(QCryptographicHash::hash(upload, QCryptographicHash::Sha256).toHex());
    call("HEAD", "/api/v1/code/{sha256}", {sha}, 404);
    call("PUT", "/api/v1/code/{sha256}", {sha}, 201, upload);
    call("HEAD", "/api/v1/code/{sha256}", {sha}, 200);

    // An experiment whose parameter is the behaviour of its trials.
    const Json wanted = {{"name", "contract"}, {"platformId", "local"}, {"trialConcurrency", 4},
        {"trialCommand",
            "for i in 1 2 3; do echo \"{\\\"metric\\\": 0.$i, \\\"step\\\": $i}\" >> $TRIALDECK_METRICS_FILE; done; "
            "echo hello > $TRIALDECK_OUTPUT_DIR/result.txt; eval {run}"},
        {"objective", Json{{"metric", "default"}, {"direction", "maximize"}}}, {"tags", Json::array({"test"})}};
    Json unknownField = wanted;
    unknownField["colour"] = "blue";
    call("POST", "/api/v1/experiments", {}, 400, unknownField);
    Json noPlatform = wanted;
    noPlatform["platformId"] = "weather";
    call("POST", "/api/v1/experiments", {}, 422, noPlatform);
    const QString experiment = id(call("POST", "/api/v1/experiments", {}, 201, wanted));
    QVERIFY2(!experiment.isEmpty(), qPrintable(m_problems.join(u'\n')));
    call("GET", "/api/v1/experiments", {}, 200);
    call("GET", "/api/v1/experiments/{id}", {experiment}, 200);
    call("PATCH", "/api/v1/experiments/{id}", {experiment}, 200,
        Json{{"trialConcurrency", 6}, {"maxTrialNumber", nullptr}});

    // Trials.
    const std::string trials = "/api/v1/experiments/{id}/trials";
    const auto running = [](const char* what) { return Json{{"parameters", Json{{"run", what}}}}; };
    Json first = running("");
    first["clientId"] = "abcde";
    const Json submitted = call("POST", trials, {experiment}, 201,
        Json{{"trials",
            Json::array({first, running("exit 3"), running("sleep 600"),
                Json{{"form",
                    Json{{"sequenceId", 7},
                        {"hyperParameters",
                            Json{{"value", "{\"parameters\": {\"run\": \"sleep 600\"}}"}, {"index", 0}}}}}}})}});
    QVERIFY2(submitted.contains("trials") && submitted["trials"].size() == 4, qPrintable(m_problems.join(u'\n')));
    QStringList ids;
    for (const Json& trial : submitted["trials"])
        ids += id(trial);
    call("POST", trials, {experiment}, 200, first);
    Json other = running("exit 1");
    other["clientId"] = "abcde";
    call("POST", trials, {experiment}, 409, other);
    call("POST", trials, {nobody}, 404, first);
    QVERIFY(m_service.waitForStatus(ids[0], "SUCCEEDED"));
    QVERIFY(m_service.waitForStatus(ids[1], "FAILED"));
    QVERIFY(m_service.waitForStatus(ids[2], "RUNNING"));
    call("GET", "/api/v1/trials", {}, 200, {}, u"?experimentId="_s + experiment + u"&sort=metrics.default&limit=2"_s);
    call("GET", "/api/v1/trials", {}, 200, {}, u"?fields=id,status"_s);
    call("GET", "/api/v1/trials", {}, 400, {}, u"?limit=100000"_s);
    const QString workingDirectory = id(call("GET", "/api/v1/trials/{id}", {ids[0]}, 200), "workingDirectory");
    QVERIFY2(QFileInfo::exists(workingDirectory), qPrintable(workingDirectory));
    call("GET", "/api/v1/trials/{id}", {nobody}, 404);
    call("GET", "/api/v1/trials/{id}/events", {ids[1]}, 200);
    call("GET", "/api/v1/trials/{id}/metrics", {ids[0]}, 200);
    call("POST", "/api/v1/metrics/read", {}, 200,
        Json{{"cursors", Json::array({Json{{"trialId", ids[0]}, {"since", 1}}})}, {"limit", 100}});
    call("POST", "/api/v1/series", {}, 200,
        Json{{"trialIds", Json::array({ids[0]})}, {"metric", "default"}, {"x", "step"}, {"columns", 100}});
    call("GET", "/api/v1/trials/{id}/logs", {ids[0]}, 200);
    call("GET", "/api/v1/trials/{id}/logs/{name}", {ids[0], u"stdout"_s}, 200);
    call("GET", "/api/v1/trials/{id}/logs/{name}", {ids[0], u"weather"_s}, 404);
    call("GET", "/api/v1/trials/{id}/files", {ids[0]}, 200);
    call("GET", "/api/v1/trials/{id}/files/{path}", {ids[0], u"result.txt"_s}, 200);
    call("GET", "/api/v1/experiments/{id}/failures", {experiment}, 200);
    call("PATCH", "/api/v1/trials/{id}", {ids[0]}, 200,
        Json{{"tags", Json::array({"good"})}, {"note", "the learning rate is too high"}});
    QVERIFY(call("GET", "/api/v1/trials/{id}", {ids[0]}, 200)["note"] == "the learning rate is too high");
    call("PATCH", "/api/v1/trials/{id}", {ids[0]}, 400, Json{{"note", std::string(2'001, 'x')}});
    call("PATCH", "/api/v1/trials", {}, 200,
        Json{{"filter", Json{{"experimentId", experiment}, {"status", Json::array({"RUNNING"})}}},
            {"set", Json{{"priority", 5}}}});
    call("POST", "/api/v1/trials/{id}/retry", {ids[1]}, 201, Json{{"gpuNumber", 0}});
    call("POST", "/api/v1/trials/retry", {}, 201, Json{{"ids", Json::array({ids[1]})}});
    call("POST", "/api/v1/trials/{id}/retry", {ids[2]}, 409);
    call("PUT", "/api/v1/experiments/{id}/lease", {experiment}, 200, Json{{"holder", "a tuner"}, {"seconds", 60}});
    call("PUT", "/api/v1/experiments/{id}/lease", {experiment}, 200, Json{{"holder", "a tuner"}, {"seconds", 0}});
    call("POST", "/api/v1/experiments/{id}/pause", {experiment}, 200);
    Json held = running("");
    held["hold"] = true;
    const Json waiting = call("POST", trials, {experiment}, 201, Json{{"trials", Json::array({held, held})}});
    call("POST", "/api/v1/queue/move", {}, 200,
        Json{{"ids", Json::array({waiting["trials"][1]["id"]})}, {"before", waiting["trials"][0]["id"]}});
    call("POST", "/api/v1/queue/move", {}, 409, Json{{"ids", Json::array({ids[2].toStdString()})}}); // it runs
    call("POST", "/api/v1/experiments/{id}/resume", {experiment}, 200);
    call("POST", "/api/v1/trials/{id}/cancel", {ids[2]}, 200, Json{{"isEarlyStopped", true}});
    QVERIFY(m_service.waitForStatus(ids[2], "EARLY_STOPPED"));
    call("POST", "/api/v1/trials/cancel", {}, 200,
        Json{{"filter", Json{{"experimentId", experiment}}}, {"dryRun", true}});
    call("POST", "/api/v1/trials/cancel", {}, 200, Json{{"ids", Json::array({ids[3]})}});
    call("DELETE", "/api/v1/experiments/{id}", {experiment}, 409);
    call("POST", "/api/v1/experiments/{id}/stop", {experiment}, 200);
    QVERIFY(QTest::qWaitFor(
        [&] { return call("GET", "/api/v1/experiments/{id}", {experiment}, 200).value("state", "") == "STOPPED"; },
        30'000));
    const QString cleanup = id(call("POST", "/api/v1/experiments/{id}/cleanup", {experiment}, 202), "requestId");
    QCOMPARE(endOfRequest(cleanup), u"succeeded"_s);
    QVERIFY2(!QFileInfo::exists(workingDirectory), qPrintable(workingDirectory));
    call("DELETE", "/api/v1/experiments/{id}", {experiment}, 200);
    call("GET", "/api/v1/experiments/{id}", {experiment}, 404);
    call("DELETE", "/api/v1/platforms/{id}", {u"second"_s}, 200);

    const Json token{{"name", "dashboard"}, {"scope", "read"}, {"expiresInDays", 1}};
    call("POST", "/api/v1/tokens", {}, 201, token);
    call("POST", "/api/v1/tokens", {}, 409, token);
    call("GET", "/api/v1/tokens", {}, 200);
    call("DELETE", "/api/v1/tokens/{name}", {u"dashboard"_s}, 200);
    call("DELETE", "/api/v1/tokens/{name}", {u"dashboard"_s}, 404);
    call("DELETE", "/api/v1/tokens/{name}", {u"owner"_s}, 409);

    // The stream had all of it; another token ends it.
    for (const char* member : {"platforms", "machines", "experiments", "trials", "metrics", "requests", "removed"})
        QVERIFY2(QTest::qWaitFor([&] { return m_seen.contains(QString::fromLatin1(member)); }, 30'000), member);
    call("POST", "/api/v1/tokens:rotate", {}, 200);
    QTRY_VERIFY_WITH_TIMEOUT(m_events->isFinished(), 30'000);
    QVERIFY2(m_problems.isEmpty(), qPrintable(m_problems.join(u'\n')));

    // What the document promises was asked for; only a service with a question open has a prompt to answer, and only one with
    // several machines over SSH lets one be removed (tst_service_reconfigure).
    QStringList left;
    for (const auto& [path, item] : m_document.paths().items()) {
        for (const QString& method : contract::OpenApiDocument::methods) {
            if (item.contains(method.toStdString()) && !item[method.toStdString()].contains("x-trialdeck-since"))
                left += method.toUpper() + u' ' + QString::fromStdString(path);
        }
    }
    left.removeIf([this](const QString& operation) { return m_called.contains(operation); });
    QCOMPARE(left,
        (QStringList{u"DELETE /api/v1/machines/{id}"_s, u"POST /api/v1/machines/{id}/trust"_s,
            u"POST /api/v1/prompts/{id}"_s, u"GET /api/v1/events"_s}));
}

QTEST_GUILESS_MAIN(TestServiceContract)
#include "tst_service_contract.moc"
