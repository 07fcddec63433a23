// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/api/mirror.h"
#include "services/client/archive_client.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace client;

namespace {

Archive archive()
{
    Archive archive;
    Platform platform;
    platform.id = PlatformId(u"nni"_s);
    archive.platform = std::make_shared<const Platform>(platform);
    Experiment experiment;
    experiment.id = ExperimentId(u"e1"_s);
    archive.experiment = std::make_shared<const Experiment>(experiment);
    for (int i = 0; i < 3; ++i) {
        Trial trial;
        trial.id = TrialId(u"t%1"_s.arg(i));
        trial.experimentId = experiment.id;
        trial.status = i == 2 ? TrialStatus::failed : TrialStatus::succeeded;
        trial.reason = i == 2 ? u"It broke."_s : QString();
        trial.startTime = 1'000;
        trial.metricCount = 10;
        for (int k = 0; k < 10; ++k) {
            Metric metric;
            metric.sequence = k;
            metric.step = k;
            metric.data = QByteArray::number(i + k);
            metric.value.kind = MetricValue::Kind::number;
            metric.value.number = i + k;
            metric.time = 2'000 + k;
            archive.metrics[trial.id].push_back(metric);
        }
        archive.trials.append(std::make_shared<const Trial>(trial));
    }
    return archive;
}

} // namespace

class TestArchiveClient : public QObject
{
    Q_OBJECT
private slots:
    void init() { m_client = std::make_unique<ArchiveClient>(archive(), u"Not here."_s); }
    void cleanup() { m_client.reset(); }

    void showsEverythingAtOnce()
    {
        Mirror mirror;
        QObject::connect(m_client.get(), &EngineClient::changed, m_client.get(),
            [&](const ChangePtr& change) { mirror.apply(*change); });
        QSignalSpy link(m_client.get(), &EngineClient::linkChanged);
        m_client->start();
        QTRY_VERIFY(mirror.isReady());
        QCOMPARE(link.size(), 1);
        QCOMPARE(mirror.trials().size(), size_t(3));
        QCOMPARE(mirror.trial(TrialId(u"t2"_s))->status, TrialStatus::failed);
    }

    void metricsInPages()
    {
        const Json first = ask(ReadMetrics{{{TrialId(u"t1"_s), 0}}, 4});
        QCOMPARE(first["metrics"].size(), size_t(4));
        QCOMPARE(first["next"].get<int>(), 4);
        const Json rest = ask(ReadMetrics{{{TrialId(u"t1"_s), 4}}, 100});
        QCOMPARE(rest["metrics"].size(), size_t(6));
        QCOMPARE(rest["metrics"][5]["value"].get<double>(), 10.0);
        const Json two = ask(ReadMetrics{{{TrialId(u"t0"_s), 0}, {TrialId(u"t1"_s), 0}}, 12});
        QCOMPARE(two["metrics"].size(), size_t(12));
        QCOMPARE(two["next"][1]["since"].get<int>(), 2);
    }

    void curves()
    {
        ReadSeries command;
        command.trials = {TrialId(u"t0"_s), TrialId(u"t1"_s)};
        command.columns = 4;
        const Json reply = ask(command);
        QCOMPARE(reply["series"].size(), size_t(2));
        QCOMPARE(reply["series"][1]["total"].get<int>(), 10);
        const Json& columns = reply["series"][1]["columns"];
        QCOMPARE(columns.front()["first"].get<double>(), 1.0);
        QCOMPARE(columns.back()["max"].get<double>(), 10.0);
        command.trials = {TrialId(u"other"_s)};
        QCOMPARE(refused(command).kind, Kind::not_found);
    }

    void failuresAndWhatIsNotKept()
    {
        const Json groups = ask(ReadFailures{ExperimentId(u"e1"_s)})["groups"];
        QCOMPARE(groups.size(), size_t(1));
        QVERIFY(groups[0]["trialIds"] == Json::array({"t2"}));
        QCOMPARE(ask(ListLogs{TrialId(u"t0"_s)})["logs"].size(), size_t(0));
        QCOMPARE(ask(ReadTrialEvents{TrialId(u"t0"_s), 0})["events"].size(), size_t(0));
    }

    void nothingChanges()
    {
        QCOMPARE(refused(CancelTrials{}).message, u"Not here."_s);
        QCOMPARE(refused(CreateExperiment{}).kind, Kind::conflict);
        QCOMPARE(refused(PutPlatform{}).message, u"Not here."_s);
    }

private:
    Result<Reply> execute(Command command)
    {
        std::optional<Result<Reply>> answer;
        m_client->execute(std::move(command), [&](const Result<Reply>& reply) { answer = reply; });
        [&] { QVERIFY(!answer); }(); // later, never at once
        (void)QTest::qWaitFor([&] { return answer.has_value(); }, 30'000);
        return answer.value_or(fail(Kind::timeout, u"no answer"_s));
    }
    Json ask(Command command)
    {
        const Result<Reply> reply = execute(std::move(command));
        return reply ? documentOf(*reply).value_or(Json()) : Json();
    }
    Error refused(Command command)
    {
        const Result<Reply> reply = execute(std::move(command));
        return reply ? Error() : reply.error();
    }

    std::unique_ptr<ArchiveClient> m_client;
};

QTEST_GUILESS_MAIN(TestArchiveClient)
#include "tst_archive_client.moc"
