// SPDX-License-Identifier: GPL-3.0-or-later
// resources/api/openapi.yaml is the contract: every operation in it is routed and answers as documented, and no route is missing there.
#include "raw_client.h"

#include "services/http/api_routes.h"
#include "tests/contract/openapi_document.h"

#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

class TestOpenApi : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void everyRouteIsDocumented();
    void operations_data();
    void operations();
    void eventsAreDocumented();
    void theTestCanFail();

private:
    contract::OpenApiDocument m_document;
};

void TestOpenApi::initTestCase()
{
    QCOMPARE(m_document.root()["openapi"].get<QString>(), u"3.1.0"_s);
}

void TestOpenApi::everyRouteIsDocumented()
{
    for (const http::Route& route : http::routes()) {
        const std::string pattern = QByteArray(route.pattern).replace("...}", "}").toStdString();
        QVERIFY2(m_document.paths().contains(pattern), pattern.c_str());
        const std::string method = http::methodName(route.method).toLower().toStdString();
        QVERIFY2(m_document.paths()[pattern].contains(method), (method + " " + pattern).c_str());
        const Json& operation = m_document.paths()[pattern][method];
        // Only health is open.
        QCOMPARE(operation.contains("security"), !route.needsToken());
    }
}

void TestOpenApi::operations_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("method");
    int tested = 0;
    for (const auto& [path, item] : m_document.paths().items()) {
        for (const QString& method : contract::OpenApiDocument::methods) {
            if (!item.contains(method.toStdString()) || item[method.toStdString()].contains("x-trialdeck-since"))
                continue;
            if (path == "/api/v1/events")
                continue; // a stream, below
            QTest::addRow("%s %s", qPrintable(method), path.c_str()) << QString::fromStdString(path) << method;
            ++tested;
        }
    }
    QCOMPARE(tested, int(http::routes().size()) - 1);
}

/// Asked with the document's own examples, over a fake engine.
void TestOpenApi::operations()
{
    QFETCH(QString, path);
    QFETCH(QString, method);
    const Json& item = m_document.paths()[path.toStdString()];
    const Json& operation = item[method.toStdString()];

    QByteArray target = path.toUtf8();
    QByteArray query;
    for (const Json* list : {&item, &operation}) {
        for (const Json& reference : list->value("parameters", Json::array())) {
            const Json& parameter = m_document.resolved(reference);
            const QByteArray name = QByteArray::fromStdString(parameter["name"].get<std::string>());
            if (!parameter.contains("example")) {
                QVERIFY2(parameter["in"] != "path", name.constData());
                continue;
            }
            const Json& example = parameter["example"];
            const QByteArray value =
                example.is_string() ? QByteArray::fromStdString(example.get<std::string>()) : dumpJson(example);
            if (parameter["in"] == "path")
                target.replace('{' + name + '}', value);
            else if (parameter["in"] == "query")
                query += (query.isEmpty() ? '?' : '&') + name + '=' + value;
        }
    }
    QVERIFY2(!target.contains('{'), target.constData());

    QByteArray body;
    if (operation.contains("requestBody")) {
        const Json& content = operation["requestBody"]["content"];
        const Json& media = *content.begin();
        const bool isJson = content.begin().key() == "application/json";
        if (media.contains("example")) {
            body = isJson ? dumpJson(media["example"]) : QByteArray::fromStdString(media["example"].get<std::string>());
            if (isJson)
                QCOMPARE(m_document.problem(media["schema"], media["example"], u"example"_s), QString());
        }
        QVERIFY2(!body.isEmpty() || operation["requestBody"]["required"] != true, "an example is needed");
        if (!isJson) // an upload is named by its content
            QCOMPARE(QCryptographicHash::hash(body, QCryptographicHash::Sha256).toHex(), target.right(64));
    }

    QTemporaryDir folder;
    http::ApiConfig config;
    config.uploadDir = folder.path();
    config.platformKinds = {u"local"_s};
    config.moreTokens = {{u"dashboard"_s, http::Scope::read, http::tokenHash("d"), 1, {}}};
    config.saveTokens = [](const QByteArray&, const QList<http::TokenRecord>&) { return Result<>(); };
    ServerFixture server(config);
    if (path == u"/api/v1/platforms/{id}/metadata/{key}" && method == u"get")
        QCOMPARE(server.exchange(request("PUT", target, "{}")).status, 200);

    const RawResponse response =
        server.exchange(request(method.toUpper().toUtf8(), target + query, body), method == u"head");
    const std::string status = std::to_string(response.status);
    const Json& responses = operation["responses"];
    QVERIFY2(responses.contains(status), (status + " " + response.body.toStdString()).c_str());
    QVERIFY2(response.status >= 200 && response.status < 300, response.body.constData());
    const Json& documented = m_document.resolved(responses[status]);
    if (documented.contains("headers")) {
        for (const auto& [name, header] : documented["headers"].items()) {
            const QByteArray lower = QByteArray::fromStdString(name).toLower();
            if (lower == "x-end" || lower == "x-next-offset")
                continue; // not with every answer
            QVERIFY2(response.headers.contains(lower), name.c_str());
        }
    }
    if (!documented.contains("content"))
        return;
    const auto content = documented["content"].begin();
    const QByteArray type = response.headers["content-type"];
    QVERIFY2(type.startsWith(QByteArray::fromStdString(content.key())), type.constData());
    if (content.key() == "application/json") {
        const QString wrong = m_document.problem((*content)["schema"], response.json(), u"reply"_s);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    // Without a token: 401 as a documented problem, but for what is open.
    const RawResponse refused = server.exchange(
        method.toUpper().toUtf8() + ' ' + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n", method == u"head");
    QCOMPARE(refused.status, operation.contains("security") ? 200 : 401);
    if (refused.status == 401 && method != u"head")
        QCOMPARE(m_document.problem(Json{{"$ref", "#/components/schemas/Problem"}}, refused.json(), u"problem"_s),
            QString());
}

void TestOpenApi::eventsAreDocumented()
{
    ServerFixture server;
    RawClient client(server.port());
    client.send(request("GET", "/api/v1/events", {}, "Accept: application/x-ndjson\r\n"));
    QCOMPARE(client.head().status, 200);
    const Json& schema =
        m_document.paths()["/api/v1/events"]["get"]["responses"]["200"]["content"]["application/x-ndjson"]["schema"];
    QCOMPARE(m_document.problem(schema, *parseJson(client.chunk()), u"first"_s), QString());
    api::Change change;
    change.trials = {fakes::shared(fakes::sampleTrial(2))};
    change.metrics = {fakes::sampleMetrics(fakes::sampleTrial(2).id, 0, 3)};
    change.gaps = {{fakes::sampleTrial(2).id, 0, 4}};
    change.removed.prompts = {PromptId(u"p00000000000001"_s)};
    server.engine.publish(change);
    const Json message = *parseJson(client.chunk());
    QCOMPARE(message["metrics"].size(), size_t(3));
    QCOMPARE(m_document.problem(schema, message, u"event"_s), QString());
}

void TestOpenApi::theTestCanFail()
{
    const Json reference = {{"$ref", "#/components/schemas/Problem"}};
    QVERIFY(!m_document.problem(reference, Json{{"type", "x"}}, u"x"_s).isEmpty());
    QVERIFY(!m_document.problem(reference, Json::array(), u"x"_s).isEmpty());
    Json good = {{"type", "x"}, {"title", "x"}, {"status", 400}, {"detail", "x"}, {"kind", "invalid"}};
    QVERIFY(m_document.problem(reference, good, u"x"_s).isEmpty());
    good["kind"] = "weather";
    QVERIFY(!m_document.problem(reference, good, u"x"_s).isEmpty());
    good["kind"] = "invalid";
    good["more"] = 1;
    QVERIFY(!m_document.problem(reference, good, u"x"_s).isEmpty());
}

QTEST_GUILESS_MAIN(TestOpenApi)
#include "tst_openapi.moc"
