// SPDX-License-Identifier: GPL-3.0-or-later
// What trials post themselves: each value once, whatever is repeated, left out, or killed in between.
#include "tests/services/engine/engine_fixture.h"

#include "services/core/record_json.h"
#include "services/trial/ingest_token.h"

#include <QDir>

using namespace core;
using enum api::PostReply::Verdict;

namespace {

std::vector<trial::PostedMetric> values(qint64 first, qint64 count)
{
    std::vector<trial::PostedMetric> out;
    for (qint64 i = first; i < first + count; ++i) {
        trial::PostedMetric posted;
        posted.offset = i;
        posted.metric.data = QByteArray::number(i);
        posted.metric.value.kind = MetricValue::Kind::number;
        posted.metric.value.number = double(i);
        out.push_back(std::move(posted));
    }
    return out;
}

class Life : public EngineFixture
{
public:
    Life()
    {
        stop();
        ingest = {u"http://gateway:8650"_s, "key"};
        configure = [this](fakes::FakePlatform& platform) { platform.capabilities.requeue = canRequeue; };
        Machine machine;
        machine.id = MachineId(u"local"_s);
        machine.platformId = PlatformId(u"local"_s);
        machine.address = u"this computer"_s;
        machine.state = MachineState::ready;
        world->machines = {machine};
        start();
    }

    Result<api::PostReply> post(api::PostMetrics metrics)
    {
        std::optional<Result<api::PostReply>> reply;
        engine->post(std::move(metrics), [&](Result<api::PostReply> r) { reply = std::move(r); });
        if (!QTest::qWaitFor([&] { return reply.has_value(); }, 10'000))
            return fail(Kind::timeout, u"no answer"_s);
        return *std::move(reply);
    }
    Result<api::PostReply> post(const TrialId& id, qint64 first, qint64 count, qint64 run = 0)
    {
        return post(
            {id, {}, run, true, std::make_shared<const std::vector<trial::PostedMetric>>(values(first, count))});
    }
    TrialId running()
    {
        const TrialId id = submit(create(), 1).value(0);
        [[maybe_unused]] const bool runs = QTest::qWaitFor([&] { return status(id) == TrialStatus::running; });
        return id;
    }
    /// The texts of all records, in order.
    QStringList texts(const TrialId& id)
    {
        QStringList out;
        qint64 sequence = 0;
        for (const Json& metric : metrics(id)) {
            if (metric["sequence"] != sequence++)
                out.append(u"?"_s);
            out.append(metric["data"].get<QString>());
        }
        return out;
    }

    bool canRequeue = true;
};

QStringList upTo(int count)
{
    QStringList out;
    for (int i = 0; i < count; ++i)
        out.append(QString::number(i));
    return out;
}

} // namespace

class TestPosts : public QObject
{
    Q_OBJECT
private slots:
    void eachValueOnce()
    {
        Life life;
        const TrialId id = life.running();
        auto reply = life.post(id, 0, 3);
        QVERIFY(reply.has_value());
        QCOMPARE(reply->verdict, taken);
        QCOMPARE(reply->offset, 3);
        // A repeat, one that reaches further, one with a hole before it, nothing.
        QCOMPARE(life.post(id, 0, 3)->offset, 3);
        QCOMPARE(life.post(id, 1, 4)->offset, 5);
        reply = life.post(id, 6, 2);
        QCOMPARE(reply->verdict, gap);
        QCOMPARE(reply->offset, 5);
        QCOMPARE(life.post(id, 0, 0)->verdict, taken);
        QCOMPARE(life.post(id, 0, 0)->offset, 5);
        // A hole inside: what stands before it counts.
        std::vector<trial::PostedMetric> torn = values(5, 2);
        for (const trial::PostedMetric& posted : values(8, 2))
            torn.push_back(posted);
        reply = life.post({id, {}, 0, true, std::make_shared<const std::vector<trial::PostedMetric>>(torn)});
        QCOMPARE(reply->verdict, gap);
        QCOMPARE(reply->offset, 7);
        QCOMPARE(life.texts(id), upTo(7));
        QCOMPARE(life.trial(id)->metricCount, 7);
        QCOMPARE(life.trial(id)->latestMetric->value.number, 6.0);
        // Beside what the platform brings.
        life.fake->write(id, platforms::Stream::file, "{\"metric\": 0.5}\n");
        QTRY_COMPARE(life.trial(id)->metricCount, 8);
        QCOMPARE(life.post(id, 7, 1)->offset, 8);
        QCOMPARE(life.texts(id), upTo(7) + QStringList({u"0.5"_s, u"7"_s}));
    }

    void whatWasAnsweredIsStored()
    {
        QTemporaryDir copy;
        TrialId id;
        {
            Life life;
            id = life.running();
            QCOMPARE(life.post(id, 0, 4)->offset, 4);
            // As a kill right behind the answer leaves it.
            for (const QFileInfo& file : QDir(life.folder.filePath(u"store"_s)).entryInfoList(QDir::Files))
                QVERIFY(QFile::copy(file.filePath(), copy.filePath(file.fileName())));
            fakes::FakePlatform::World world = *life.world;
            life.stop();
            QDir store(life.folder.filePath(u"store"_s));
            for (const QString& name : store.entryList(QDir::Files))
                QVERIFY(store.remove(name));
            for (const QFileInfo& file : QDir(copy.path()).entryInfoList(QDir::Files))
                QVERIFY(QFile::copy(file.filePath(), store.filePath(file.fileName())));
            *life.world = world;
            life.start();
            QCOMPARE(life.texts(id), upTo(4));
            QCOMPARE(life.post(id, 2, 4)->offset, 6);
            QCOMPARE(life.post(id, 9, 1)->verdict, gap);
            QCOMPARE(life.texts(id), upTo(6));
            life.restart();
            QCOMPARE(life.post(id, 0, 6)->offset, 6);
            QCOMPARE(life.texts(id), upTo(6));
        }
    }

    void onlyWhileItIsUnderWay()
    {
        Life life;
        life.fake->autoRun = false;
        const ExperimentId experiment = life.create([](ExperimentSpec& spec) { spec.trialConcurrency = 1; });
        const QList<TrialId> ids = life.submit(experiment, 2);
        QTRY_COMPARE(life.world->trials.size(), size_t(1));
        // The second waits here. The first is with its platform, and may run before anybody has said so.
        QCOMPARE(life.post(ids[1], 0, 1)->verdict, notStarted);
        QCOMPARE(life.status(ids[0]), TrialStatus::waiting);
        QCOMPARE(life.post(ids[0], 0, 1)->verdict, taken);
        life.fake->run(ids[0]);
        life.fake->finish(ids[0]);
        QTRY_COMPARE(life.status(ids[0]), TrialStatus::succeeded);
        const auto late = life.post(ids[0], 0, 3);
        QCOMPARE(late->verdict, ended);
        QCOMPARE(late->offset, 1); // what it had posted was kept
        QCOMPARE(life.texts(ids[0]), upTo(1));
        QCOMPARE(life.trial(ids[0])->finalMetric->value.number, 0.0);
        const auto unknown = life.post(TrialId(u"t0"_s), 0, 1);
        QVERIFY(!unknown.has_value());
        QCOMPARE(unknown.error().kind, Kind::not_found);
    }

    void runs()
    {
        Life life;
        const TrialId id = life.running();
        QCOMPARE(life.post(id, 0, 2)->offset, 2);
        // A platform that starts it again does not change the count: the trial says when it begins anew.
        life.fake->requeue(id);
        life.fake->run(id);
        QTRY_COMPARE(life.status(id), TrialStatus::running);
        QCOMPARE(life.post(id, 0, 0)->offset, 2);
        QCOMPARE(life.post(id, 0, 0, 1)->offset, 0);
        QCOMPARE(life.post(id, 0, 1, 1)->offset, 1);
        QCOMPARE(life.post(id, 2, 1, 0)->verdict, earlierRun);
        life.restart();
        QCOMPARE(life.post(id, 0, 2, 1)->offset, 2);
        QCOMPARE(life.texts(id), QStringList({u"0"_s, u"1"_s, u"0"_s, u"1"_s}));
    }

    void withoutOffsets()
    {
        Life life;
        const TrialId id = life.running();
        QCOMPARE(life.post(id, 0, 2)->offset, 2);
        const auto metrics = std::make_shared<const std::vector<trial::PostedMetric>>(values(0, 1));
        QVERIFY(life.post({id, id.value, 0, false, metrics}).has_value());
        QVERIFY(life.post({id, life.trial(id)->jobId(), 0, false, metrics}).has_value());
        QCOMPARE(life.post({id, u"another"_s, 0, false, metrics}).error().kind, Kind::not_found);
        QCOMPARE(life.texts(id), QStringList({u"0"_s, u"1"_s, u"0"_s, u"0"_s}));
        QCOMPARE(life.post(id, 2, 1)->offset, 3); // its count is another one
    }

    void whatATrialIsTold()
    {
        Life life;
        const TrialId id = life.running();
        const QMap<QString, QString> environment = life.world->trials[id].spec.environment;
        QCOMPARE(environment.value(u"TRIALDECK_INGEST_URL"_s), u"http://gateway:8650/ingest/v1/"_s + id.value);
        const QString token = environment.value(u"TRIALDECK_INGEST_TOKEN"_s);
        QVERIFY(trial::isIngestToken("key", id, token.toLatin1()));
        // Nobody else is: neither the API's records nor the journal.
        QVERIFY(life.post(id, 0, 1).has_value());
        const auto events = life.ask(api::ReadTrialEvents{id, 0});
        QVERIFY(events.has_value());
        QByteArray shown = dumpJson(events->document) + events->bytes + dumpJson(toJson(*life.trial(id)));
        for (const api::ChangePtr& change : life.changes) {
            for (const TrialPtr& record : change->trials)
                shown += dumpJson(toJson(*record));
            for (const ExperimentPtr& record : change->experiments)
                shown += dumpJson(toJson(*record));
        }
        QVERIFY(shown.contains(id.value.toLatin1()));
        QVERIFY(!shown.contains(token.toLatin1()));
        // Off: no word of it.
        life.stop();
        life.ingest = {};
        life.start();
        const TrialId other = life.running();
        for (const QString& name : life.world->trials[other].spec.environment.keys())
            QVERIFY2(!name.contains(u"INGEST"_s), qPrintable(name));
    }
};

QTEST_GUILESS_MAIN(TestPosts)
#include "tst_posts.moc"
