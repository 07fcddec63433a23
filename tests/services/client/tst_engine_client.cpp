// SPDX-License-Identifier: GPL-3.0-or-later
// One conformance test for both ways to an engine: in this process, and over HTTP through a real server.
#include "services/api/mirror.h"
#include "services/client/engine_client.h"
#include "services/client/http_engine_client.h"
#include "services/client/local_engine_client.h"
#include "services/core/record_json.h"
#include "services/http/api_server.h"
#include "tests/fakes/fake_engine_port.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace client;
using fakes::sampleMetrics;
using fakes::sampleTrial;
using fakes::shared;

/// A client, its engine and the changes it got.
class Bench
{
public:
    explicit Bench(bool overHttp)
        : m_overHttp(overHttp)
    {
        if (overHttp) {
            config.token = "token";
            config.uploadDir = folder.path();
            serve();
        }
        connectClient();
    }

    void serve()
    {
        server = std::make_unique<http::ApiServer>(config, port);
        url = server->start().value();
        config.port = quint16(url.port());
    }

    void connectClient()
    {
        if (m_overHttp)
            client =
                std::make_unique<HttpEngineClient>(HttpEngineClient::Config{{.url = url, .token = config.token}, 2000});
        else
            client = std::make_unique<LocalEngineClient>(port);
        QObject::connect(client.get(), &EngineClient::changed, client.get(), [this](const ChangePtr& change) {
            mirror.apply(*change);
            changes.append(change);
        });
        QObject::connect(client.get(), &EngineClient::linkChanged, client.get(),
            [this](EngineClient::LinkState state, const QString& message, qint64 lastContact) {
                states.append(state);
                messages.append(message);
                contacts.append(lastContact);
            });
    }

    Result<Reply> execute(Command command)
    {
        std::optional<Result<Reply>> answer;
        client->execute(std::move(command), [&](Result<Reply> reply) { answer = std::move(reply); });
        const bool atOnce = answer.has_value();
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, 10'000))
            return fail(Kind::timeout, u"no answer"_s);
        return atOnce ? fail(Kind::internal, u"the answer came from inside the call"_s) : *answer;
    }

    fakes::FakeEnginePort port;
    QTemporaryDir folder;
    http::ApiConfig config;
    std::unique_ptr<http::ApiServer> server;
    QUrl url;
    std::unique_ptr<EngineClient> client;
    Mirror mirror;
    QList<ChangePtr> changes;
    QList<EngineClient::LinkState> states;
    QStringList messages;
    QList<qint64> contacts;

private:
    bool m_overHttp;
};

class TestEngineClient : public QObject
{
    Q_OBJECT
private slots:
    void firstTheFullState_data() { ways(); }
    void firstTheFullState();
    void thenChanges_data() { ways(); }
    void thenChanges();
    void sameRecords();
    void executes_data() { ways(); }
    void executes();
    void refuses_data() { ways(); }
    void refuses();
    void readsBytes_data() { ways(); }
    void readsBytes();
    void followsLogs_data() { ways(); }
    void followsLogs();
    void storesCode_data() { ways(); }
    void storesCode();
    void thousandsOfTrials_data() { ways(); }
    void thousandsOfTrials();
    void newLife_data() { ways(); }
    void newLife();
    void goesAwayWithWorkUnderWay_data() { ways(); }
    void goesAwayWithWorkUnderWay();
    void isQuick_data() { ways(); }
    void isQuick();

    // Of the way over HTTP alone.
    void reconnects();
    void continuesWhereItWas();
    void noService();
    void wrongToken();
    void gapsComeThrough();

private:
    static void ways()
    {
        QTest::addColumn<bool>("overHttp");
        QTest::newRow("local") << false;
        QTest::newRow("http") << true;
    }
};

void TestEngineClient::firstTheFullState()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    bench.client->start();
    QTRY_VERIFY(!bench.changes.isEmpty());
    QVERIFY(bench.changes[0]->full);
    QCOMPARE(bench.mirror.epoch(), u"epoch1"_s);
    QCOMPARE(bench.mirror.revision(), 1);
    QCOMPARE(bench.mirror.platforms().list().size(), 1);
    QCOMPARE(bench.mirror.machines().list()[0]->gpus[0].model, u"H200"_s);
    QCOMPARE(bench.mirror.experiments().list()[0]->spec.trialCommand, u"python3 train.py"_s);
    QCOMPARE(bench.mirror.trials().size(), size_t(1));
    QCOMPARE(bench.mirror.prompts().list()[0]->fields[0].label, u"Key"_s);
    QCOMPARE(bench.mirror.requests().list()[0]->steps[0].state.word(), u"ok"_s);
    QCOMPARE(bench.states,
        (QList<EngineClient::LinkState>{EngineClient::LinkState::connecting, EngineClient::LinkState::connected}));
    QVERIFY(bench.contacts.back() > 0);
}

void TestEngineClient::thenChanges()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    bench.client->start();
    QTRY_VERIFY(bench.mirror.isReady());
    Trial trial = sampleTrial(2);
    bench.port.publish(Change{.trials = {shared(trial)}, .metrics = {sampleMetrics(trial.id, 0, 3)}});
    QTRY_COMPARE(bench.mirror.revision(), 2);
    const ChangePtr change = bench.changes.back();
    QVERIFY(!change->full);
    QCOMPARE(change->metrics.size(), 1);
    QVERIFY(*change->metrics[0] == *sampleMetrics(trial.id, 0, 3));
    trial.status = TrialStatus::succeeded;
    trial.finalMetric = MetricSummary{2, 2, parseMetricValue("{\"default\": 0.5}"), 7};
    bench.port.publish(Change{.trials = {shared(trial)}});
    QTRY_COMPARE(bench.mirror.trial(trial.id)->status, TrialStatus::succeeded);
    QCOMPARE(bench.mirror.trial(trial.id)->finalMetric->value.number, 0.5);
    Change removal;
    removal.removed.experiments = {ExperimentId(u"e00000000000001"_s)};
    removal.removed.prompts = {PromptId(u"p00000000000001"_s)};
    bench.port.publish(removal);
    QTRY_VERIFY(bench.mirror.experiments().list().isEmpty());
    QVERIFY(bench.mirror.trials().empty());
    QVERIFY(bench.mirror.prompts().list().isEmpty());
}

/// What comes over HTTP is what is there.
void TestEngineClient::sameRecords()
{
    Bench local(false);
    Bench remote(true);
    for (Bench* bench : {&local, &remote}) {
        bench->client->start();
        QTRY_VERIFY(bench->mirror.isReady());
    }
    QCOMPARE(*remote.mirror.platforms().list()[0], *local.mirror.platforms().list()[0]);
    QCOMPARE(*remote.mirror.machines().list()[0], *local.mirror.machines().list()[0]);
    QCOMPARE(*remote.mirror.prompts().list()[0], *local.mirror.prompts().list()[0]);
    QCOMPARE(*remote.mirror.requests().list()[0], *local.mirror.requests().list()[0]);
    QCOMPARE(remote.mirror.trials()[0]->parameterCfg, local.mirror.trials()[0]->parameterCfg);
    QCOMPARE(remote.mirror.trials()[0]->reason, local.mirror.trials()[0]->reason);
    QCOMPARE(remote.mirror.experiments().list()[0]->spec, local.mirror.experiments().list()[0]->spec);
}

void TestEngineClient::executes()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    const ExperimentId experiment(u"e00000000000001"_s);
    TrialSubmission request;
    request.clientId = u"abc"_s;
    request.parameters = "{\"lr\": 1e-4}";
    // Before start() as well.
    const auto submitted = bench.execute(SubmitTrials{experiment, {request}, {}});
    QVERIFY2(submitted, submitted ? "" : qPrintable(submitted.error().message));
    QVERIFY(submitted->created);
    const TrialId id((*documentOf(*submitted))["trials"][0]["id"].get<QString>());
    bench.client->start();
    QTRY_VERIFY(bench.mirror.isReady());
    QTRY_VERIFY(bench.mirror.trial(id) != nullptr);
    QCOMPARE(bench.mirror.trial(id)->clientId, u"abc"_s);

    // A mirror at the reply's revision shows the effect.
    TrialSelection selection;
    selection.ids = {id.value};
    const auto cancelled = bench.execute(CancelTrials{selection, false, false});
    QVERIFY(cancelled);
    QCOMPARE((*documentOf(*cancelled))["count"].get<int>(), 1);
    QTRY_VERIFY(bench.mirror.revision() >= cancelled->revision);
    QCOMPARE(bench.mirror.trial(id)->status, TrialStatus::user_canceled);

    const auto check = bench.execute(CheckPlatform{PlatformId(u"local"_s), {}, {}, false});
    QVERIFY(check && check->accepted);
    QVERIFY((*documentOf(*check))["requestId"].is_string());
    const auto metrics = bench.execute(ReadMetrics{{{id, 5}}, 10});
    QVERIFY(metrics);
    QCOMPARE((*documentOf(*metrics))["metrics"].size(), size_t(3));
    QCOMPARE((*documentOf(*metrics))["next"].get<int>(), 8);
    QVERIFY(bench.execute(SetMetadata{PlatformId(u"local"_s), u"trial_config"_s, Json{{"command", "x"}}}));
    const auto metadata = bench.execute(GetMetadata{PlatformId(u"local"_s), u"trial_config"_s});
    QVERIFY(metadata);
    QVERIFY(*documentOf(*metadata) == (Json{{"command", "x"}}));
    QVERIFY(bench.execute(HasCode{QString(64, u'a')}));
    QVERIFY((*documentOf(*bench.execute(ReadPlatformKinds{})))["kinds"].is_array());
}

void TestEngineClient::refuses()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    const auto unknown =
        bench.execute(SubmitTrials{ExperimentId(u"nope"_s), {TrialSubmission{.parameters = "{}"}}, {}});
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().kind, Kind::not_found);
    QVERIFY(unknown.error().message.contains(u"nope"_s));
    for (const Kind kind : {Kind::cancelled, Kind::timeout, Kind::network, Kind::auth, Kind::not_found, Kind::conflict,
             Kind::invalid, Kind::resource, Kind::platform, Kind::internal}) {
        bench.port.setHandler([kind](const Command&, const auto& done) {
            done(fail(kind, u"A sentence."_s));
            return true;
        });
        const auto refused = bench.execute(ReadFailures{ExperimentId(u"e00000000000001"_s)});
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, kind);
        QCOMPARE(refused.error().message, u"A sentence."_s);
    }
    const auto code = bench.execute(StoreCode{QString(64, u'a'), u"/nowhere/at/all"_s});
    QVERIFY(!code);
}

void TestEngineClient::readsBytes()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    const TrialId trial(u"t00000000000001"_s);
    auto read = bench.execute(ReadLog{trial, u"stdout"_s, 6, 4});
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    QCOMPARE(read->bytes, QByteArray("line"));
    QCOMPARE(read->offset, 6);
    QCOMPARE(read->size, 23);
    QVERIFY(!read->end);
    read = bench.execute(ReadLog{trial, u"stdout"_s, 0, 100, 5});
    QCOMPARE(read->bytes, QByteArray("line\n"));
    QVERIFY(read->end);
    read = bench.execute(ReadLog{trial, u"output/model/best one.bin"_s, 0, 5});
    QCOMPARE(read->bytes, QByteArray("first"));
    QVERIFY(std::get<ReadLog>(bench.port.commands().back()).name == u"output/model/best one.bin"_s);
}

void TestEngineClient::followsLogs()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    QMutex mutex;
    fakes::FakeEnginePort::Done held;
    bench.port.setHandler([&](const Command& command, const auto& done) {
        const auto& read = std::get<ReadLog>(command);
        const QMutexLocker lock(&mutex);
        if (read.offset == 0)
            held = done;
        else
            done(Reply{.offset = read.offset, .size = read.offset, .end = true});
        return true;
    });
    std::optional<Result<Reply>> answer;
    bench.client->execute(ReadLog{TrialId(u"t00000000000001"_s), u"stdout"_s, 0, 100, {}, true},
        [&](Result<Reply> reply) { answer = std::move(reply); });
    QTRY_VERIFY([&] {
        const QMutexLocker lock(&mutex);
        return held != nullptr;
    }());
    QVERIFY(!answer); // it waits for a byte
    held(Reply{.bytes = "hello\n", .offset = 0, .size = 6});
    QTRY_VERIFY(answer.has_value());
    QVERIFY(*answer);
    QCOMPARE((*answer)->bytes, QByteArray("hello\n"));
    QCOMPARE((*answer)->offset, 0);
    const auto last = bench.execute(ReadLog{TrialId(u"t00000000000001"_s), u"stdout"_s, 6, 100, {}, true});
    QVERIFY(last);
    QVERIFY(last->bytes.isEmpty());
    QVERIFY(last->end);
}

void TestEngineClient::storesCode()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    const QString file = bench.folder.filePath(u"code.tar.gz"_s);
    const QByteArray content(3'000'000, 'c');
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(content);
    out.close();
    const QString sha = QString::fromLatin1(QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex());
    QByteArray received;
    bench.port.setHandler([&](const Command& command, const auto&) {
        QFile stored(std::get<StoreCode>(command).file);
        if (stored.open(QIODevice::ReadOnly))
            received = stored.readAll();
        return false;
    });
    qint64 sent = 0;
    connect(bench.client.get(), &EngineClient::uploading, this, [&](const QString& name, qint64 bytes) {
        if (name == file)
            sent = std::max(sent, bytes);
    });
    const auto stored = bench.execute(StoreCode{sha, file});
    QVERIFY2(stored, stored ? "" : qPrintable(stored.error().message));
    QVERIFY(stored->created);
    QCOMPARE((*documentOf(*stored))["codeHash"].get<QString>(), sha);
    QVERIFY(received == content);
    QCOMPARE(sent, overHttp ? content.size() : 0);
}

void TestEngineClient::thousandsOfTrials()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    QList<TrialSubmission> requests;
    for (int i = 0; i < 10'000; ++i) {
        TrialSubmission request;
        request.parameters = "{\"lr\": " + QByteArray::number(i) + "e-4}";
        requests.append(request);
    }
    QVERIFY(bench.execute(SubmitTrials{ExperimentId(u"e00000000000001"_s), requests, {}}));
    bench.client->start(); // one trial more than a page of the list holds
    QTRY_VERIFY_WITH_TIMEOUT(bench.mirror.isReady(), 60'000);
    QCOMPARE(bench.mirror.trials().size(), size_t(10'001));
    QCOMPARE(bench.mirror.trials()[10'000]->parameters.simplified(),
        QByteArray(overHttp ? "{\"lr\":0.9999}" : "{\"lr\": 9999e-4}"));
}

void TestEngineClient::newLife()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    bench.client->start();
    QTRY_VERIFY(bench.mirror.isReady());
    bench.port.publish(Change{.trials = {shared(sampleTrial(2))}});
    QTRY_COMPARE(bench.mirror.trials().size(), size_t(2));
    bench.changes.clear();
    bench.port.restart(u"epoch2"_s);
    QTRY_COMPARE(bench.mirror.epoch(), u"epoch2"_s);
    QVERIFY(bench.changes.back()->full);
    bench.port.publish(Change{.trials = {shared(sampleTrial(3))}});
    QTRY_COMPARE(bench.mirror.trials().size(), size_t(3));
    QCOMPARE(bench.mirror.revision(), 1);
}

void TestEngineClient::goesAwayWithWorkUnderWay()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    bench.client->start();
    std::vector<fakes::FakeEnginePort::Done> held;
    bench.port.setHandler([&](const Command&, const auto& done) {
        held.push_back(done);
        return true;
    });
    bool called = false;
    bench.client->execute(ListLogs{TrialId(u"t00000000000001"_s)}, [&](const Result<Reply>&) { called = true; });
    QTRY_COMPARE(bench.port.commands().size(), 1);
    bench.client.reset();
    bench.port.publish(Change{.trials = {shared(sampleTrial(2))}});
    bench.port.setHandler({});
    held.at(0)(Reply{});
    bench.port.settle();
    QCoreApplication::processEvents();
    QVERIFY(!called);
}

/// From a change to the signal. The aim is 5 ms; the bound is for a busy machine with sanitizers.
void TestEngineClient::isQuick()
{
    QFETCH(bool, overHttp);
    Bench bench(overHttp);
    bench.client->start();
    QTRY_VERIFY(bench.mirror.isReady());
    std::vector<qint64> times;
    for (int i = 0; i < 50; ++i) {
        QTest::qWait(8);
        const qint64 revision = bench.mirror.revision();
        QElapsedTimer timer;
        timer.start();
        bench.port.publish(Change{.trials = {shared(sampleTrial(1))}});
        while (bench.mirror.revision() == revision && timer.elapsed() < 5000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
        times.push_back(timer.nsecsElapsed() / 1000);
    }
    std::sort(times.begin(), times.end());
    qInfo("change to signal, p50 %lld us, max %lld us", times[25], times.back());
    QVERIFY2(times[25] < 500'000, qPrintable(QString::number(times[25]))); // no poll; the figure is tests/bench's
}

void TestEngineClient::reconnects()
{
    Bench bench(true);
    bench.client->start();
    QTRY_VERIFY(bench.mirror.isReady());
    bench.server.reset();
    QTRY_COMPARE(bench.states.back(), EngineClient::LinkState::lost);
    QVERIFY(!bench.messages.back().isEmpty());
    QVERIFY(bench.contacts.back() > 0);
    const auto refused = bench.execute(ListLogs{TrialId(u"t00000000000001"_s)});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::network);
    bench.port.publish(Change{.trials = {shared(sampleTrial(2))}});
    bench.serve();
    QTRY_COMPARE_WITH_TIMEOUT(bench.states.back(), EngineClient::LinkState::connected, 10'000);
    QTRY_COMPARE(bench.mirror.trials().size(), size_t(2));
}

void TestEngineClient::continuesWhereItWas()
{
    Bench bench(true);
    bench.config.limits.stallMs = 300;
    bench.client->start();
    QTRY_VERIFY(bench.mirror.isReady());
    // A service that sends nothing for too long counts as lost; it still knows our place, so nothing is listed again.
    bench.client.reset();
    bench.changes.clear();
    bench.client = std::make_unique<HttpEngineClient>(
        HttpEngineClient::Config{{.url = bench.url, .token = bench.config.token}, 400});
    QObject::connect(bench.client.get(), &EngineClient::changed, bench.client.get(), [&](const ChangePtr& change) {
        bench.mirror.apply(*change);
        bench.changes.append(change);
    });
    int lost = 0;
    QObject::connect(
        bench.client.get(), &EngineClient::linkChanged, bench.client.get(), [&](EngineClient::LinkState state) {
            lost += state == EngineClient::LinkState::lost;
            if (state == EngineClient::LinkState::lost)
                bench.port.publish(Change{.metrics = {sampleMetrics(sampleTrial(1).id, lost, 1)}});
        });
    bench.client->start();
    QTRY_VERIFY_WITH_TIMEOUT(lost >= 2, 10'000);
    int full = 0;
    const auto metrics = [&] {
        QList<qint64> out;
        full = 0;
        for (const ChangePtr& change : std::as_const(bench.changes)) {
            full += change->full;
            for (const MetricBatchPtr& batch : change->metrics)
                for (const Metric& metric : batch->metrics)
                    out.append(metric.sequence);
        }
        return out.mid(0, 2);
    };
    QTRY_COMPARE(metrics(), (QList<qint64>{1, 2}));
    QCOMPARE(full, 1);
}

void TestEngineClient::noService()
{
    HttpEngineClient client({{.url = QUrl(u"http://127.0.0.1:1"_s), .token = "token"}, 1000});
    EngineClient::LinkState state = EngineClient::LinkState::connecting;
    QString text;
    int losses = 0;
    connect(&client, &EngineClient::linkChanged, this,
        [&](EngineClient::LinkState s, const QString& message, qint64 contact) {
            state = s;
            text = message;
            losses += s == EngineClient::LinkState::lost;
            QCOMPARE(contact, 0);
        });
    client.start();
    QTRY_VERIFY(losses >= 3); // it tries on
    QCOMPARE(state, EngineClient::LinkState::lost);
    QVERIFY2(text.contains(u"127.0.0.1:1"_s), qPrintable(text));
}

void TestEngineClient::wrongToken()
{
    Bench bench(true);
    bench.config.token = "other";
    bench.connectClient();
    const auto refused = bench.execute(ListLogs{TrialId(u"t00000000000001"_s)});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::auth);
    bench.client->start();
    QTRY_VERIFY(!bench.states.isEmpty() && bench.states.back() == EngineClient::LinkState::lost);
    QVERIFY2(bench.messages.back().contains(u"token"_s), qPrintable(bench.messages.back()));
}

void TestEngineClient::gapsComeThrough()
{
    Bench bench(true);
    bench.client->start();
    QTRY_VERIFY(bench.mirror.isReady());
    bench.port.publish(Change{.gaps = {{sampleTrial(1).id, 3, 9}}});
    QTRY_COMPARE(bench.mirror.revision(), 2);
    QVERIFY(bench.changes.back()->gaps == (QList<Gap>{{sampleTrial(1).id, 3, 9}}));
}

QTEST_GUILESS_MAIN(TestEngineClient)
#include "tst_engine_client.moc"
