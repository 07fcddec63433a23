// SPDX-License-Identifier: GPL-3.0-or-later
// One real engine with real trials, looked at in both ways at once: from within the process, as the window's own service is, and
// over HTTP, as an attached window does. Whatever either of them asks, both must come to show the same, and be refused alike.
#include "app/base/data_dir_lock.h"
#include "app/service/own_engine.h"
#include "app/service/service_runtime.h"
#include "services/api/mirror.h"
#include "services/client/http_engine_client.h"
#include "services/core/record_json.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace api;
using namespace client;

namespace {

/// A client, the changes it got, and their sum.
struct Side
{
    std::unique_ptr<EngineClient> client;
    Mirror mirror;
    QHash<TrialId, QList<Metric>> metrics;
    QStringList finals; ///< trials in the order in which their end was reported

    void follow()
    {
        QObject::connect(client.get(), &EngineClient::changed, client.get(), [this](const ChangePtr& change) {
            mirror.apply(*change);
            for (const MetricBatchPtr& batch : change->metrics)
                for (const Metric& metric : batch->metrics)
                    metrics[batch->trialId].append(metric);
            for (const TrialPtr& trial : change->trials) {
                if (isFinal(trial->status) && !finals.contains(trial->id.value))
                    finals += trial->id.value;
            }
        });
        client->start();
    }
    Result<Reply> execute(Command command) const
    {
        std::optional<Result<Reply>> answer;
        client->execute(std::move(command), [&](Result<Reply> reply) { answer = std::move(reply); });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, 30'000))
            return fail(Kind::timeout, u"no answer"_s);
        return *answer;
    }
    qint64 count(TrialStatus status) const { return mirror.counts()[size_t(status)]; }
};

template <typename List>
QString textOf(const List& list)
{
    QStringList lines;
    for (const auto& record : list)
        lines += QString::fromUtf8(dumpJson(toJson(*record)));
    return lines.join(u'\n');
}

/// Everything that a window shows of a service, as text.
QString shownBy(const Mirror& mirror)
{
    return QStringList{textOf(mirror.platforms().list()), textOf(mirror.machines().list()),
        textOf(mirror.experiments().list()), textOf(mirror.trials()), textOf(mirror.prompts().list()),
        textOf(mirror.requests().list())}
        .join(u"\n\n"_s);
}

} // namespace

class TestEngineClientsAgree : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aSearchRuns();
    void bothAreRefusedAlike();
    void cancelPauseAndDelete();
    void cleanupTestCase();

private:
    /// Both are at one revision and show the same; asked again while changes come.
    [[nodiscard]] bool agree();
    ExperimentId create(const Side& by, const std::function<void(ExperimentSpec&)>& modify = {});

    QTemporaryDir m_folder;
    app::DataDirLock m_lock;
    Side m_local;
    Side m_remote;
};

void TestEngineClientsAgree::initTestCase()
{
    commands::Surroundings around;
    around.environment = QProcessEnvironment::systemEnvironment();
    around.workingDirectory = m_folder.path();
    around.programFolder = QStringLiteral(TRIALDECK_BIN_DIR);
    app::CommandLine line;
    line.options[u"data-dir"_s] = {m_folder.path() + u"/data"_s};
    line.options[u"listen"_s] = {u"127.0.0.1:0"_s};
    const auto paths = app::resolvePaths(line.value(u"data-dir"_s), around.environment, around.workingDirectory);
    QVERIFY(paths);
    bool logged = false;
    const auto claimed = app::claimDataDir(line, around, *paths, m_lock, logged);
    QVERIFY2(claimed, claimed ? "" : qPrintable(claimed.error().message));
    m_local.client = std::make_unique<app::OwnEngine>(line, around, *paths);
    m_local.follow();
    QVERIFY(QTest::qWaitFor([this] { return m_local.mirror.isReady(); }, 30'000));

    QFile endpoint(paths->endpointFile());
    QVERIFY(endpoint.open(QIODevice::ReadOnly));
    const Json document = *parseJson(endpoint.readAll());
    QFile token(document["tokenFile"].get<QString>());
    QVERIFY(token.open(QIODevice::ReadOnly));
    m_remote.client = std::make_unique<HttpEngineClient>(
        HttpEngineClient::Config{{.url = QUrl(document["url"].get<QString>()), .token = token.readAll().trimmed()}});
    m_remote.follow();
    QVERIFY(QTest::qWaitFor([this] { return m_remote.mirror.isReady(); }, 30'000));
    QVERIFY(QTest::qWaitFor(
        [this] {
            return !m_local.mirror.machines().list().isEmpty()
                && m_local.mirror.machines().list()[0]->state == MachineState::ready;
        },
        30'000));
    QVERIFY(agree());
}

void TestEngineClientsAgree::cleanupTestCase()
{
    m_remote.client.reset();
    m_local.client.reset();
}

bool TestEngineClientsAgree::agree()
{
    const bool same = QTest::qWaitFor(
        [this] {
            return m_local.mirror.epoch() == m_remote.mirror.epoch()
                && m_local.mirror.revision() == m_remote.mirror.revision()
                && shownBy(m_local.mirror) == shownBy(m_remote.mirror);
        },
        30'000);
    if (!same) {
        const QStringList local = shownBy(m_local.mirror).split(u'\n');
        const QStringList remote = shownBy(m_remote.mirror).split(u'\n');
        for (qsizetype i = 0; i < std::max(local.size(), remote.size()); ++i)
            if (local.value(i) != remote.value(i))
                qWarning().noquote() << "\nin process:" << local.value(i) << "\nover HTTP: " << remote.value(i);
        qWarning() << "revisions" << m_local.mirror.revision() << m_remote.mirror.revision();
    }
    return same;
}

ExperimentId TestEngineClientsAgree::create(const Side& by, const std::function<void(ExperimentSpec&)>& modify)
{
    CreateExperiment command;
    command.spec.name = u"agree"_s;
    command.spec.platformId = PlatformId(u"local"_s);
    command.spec.trialConcurrency = 4;
    command.spec.trialCommand = u"true"_s;
    if (modify)
        modify(command.spec);
    const auto reply = by.execute(command);
    if (!reply) {
        qWarning().noquote() << reply.error().message;
        return {};
    }
    const auto document = documentOf(*reply);
    return ExperimentId(document->at("id").get<QString>());
}

void TestEngineClientsAgree::aSearchRuns()
{
    const ExperimentId experiment = create(m_local, [](ExperimentSpec& spec) {
        spec.trialCommand = u"for i in 1 2 3; do echo '{\"metric\": 0.'$i'}' >> $TRIALDECK_METRICS_FILE; done; "
                            "test {lr} != 3"_s;
    });
    QVERIFY(!experiment.isEmpty());
    SubmitTrials submit;
    submit.experiment = experiment;
    for (int i = 0; i < 12; ++i) {
        TrialSubmission request;
        request.parameters = "{\"lr\":" + QByteArray::number(i % 6) + '}';
        request.tags = {u"round %1"_s.arg(i)};
        submit.trials.append(request);
    }
    // Each of the two submits half of them.
    SubmitTrials second = submit;
    submit.trials.resize(6);
    second.trials.remove(0, 6);
    const auto byLocal = m_local.execute(submit);
    QVERIFY(byLocal && byLocal->created);
    const auto byRemote = m_remote.execute(second);
    QVERIFY(byRemote && byRemote->created);
    QVERIFY(QTest::qWaitFor(
        [this] { return m_remote.count(TrialStatus::succeeded) == 10 && m_remote.count(TrialStatus::failed) == 2; },
        60'000));
    QVERIFY(agree());
    QCOMPARE(m_local.count(TrialStatus::succeeded), 10);
    for (const TrialPtr& trial : m_local.mirror.trialsOf(experiment)) {
        const QList<Metric> metrics = m_local.metrics.value(trial->id);
        QCOMPARE(metrics.size(), 3);
        for (qsizetype i = 0; i < 3; ++i)
            QCOMPARE(metrics[i].sequence, qint64(i));
        QCOMPARE(m_remote.metrics.value(trial->id), metrics);
    }
}

void TestEngineClientsAgree::bothAreRefusedAlike()
{
    CreateExperiment nowhere;
    nowhere.spec.name = u"nowhere"_s;
    nowhere.spec.platformId = PlatformId(u"weather"_s);
    nowhere.spec.trialCommand = u"true"_s;
    SubmitTrials toNobody;
    toNobody.experiment = ExperimentId(u"e00000000000000"_s);
    toNobody.trials = {TrialSubmission{}};
    ReserveGpu noGpu;
    noGpu.machine = MachineId(u"local"_s);
    noGpu.index = 99;
    const QList<Command> refused = {nowhere, toNobody, noGpu, DeletePlatform{PlatformId(u"weather"_s)},
        PlatformChoices{u"local"_s, u"weather"_s, Json::object()}};
    for (const Command& command : refused) {
        const auto local = m_local.execute(command);
        const auto remote = m_remote.execute(command);
        QVERIFY(!local && !remote);
        QCOMPARE(remote.error().kind, local.error().kind);
        QVERIFY(!local.error().message.isEmpty()
            && !remote.error().message.isEmpty()); // HTTP may know it first, in other words
    }
}

void TestEngineClientsAgree::cancelPauseAndDelete()
{
    const ExperimentId experiment =
        create(m_remote, [](ExperimentSpec& spec) { spec.trialCommand = u"exec sleep 600"_s; });
    QVERIFY(!experiment.isEmpty());
    SubmitTrials submit;
    submit.experiment = experiment;
    submit.trials = QList<TrialSubmission>(8);
    QVERIFY(m_local.execute(submit));
    QVERIFY(QTest::qWaitFor([this] { return m_local.count(TrialStatus::running) == 4; }, 60'000));
    QVERIFY(m_remote.execute(ActOnExperiment{experiment, ExperimentAction::pause}));
    CancelTrials cancel;
    cancel.selection.byFilter = true;
    cancel.selection.experimentId = experiment;
    cancel.selection.statuses = {TrialStatus::running};
    QVERIFY(m_local.execute(cancel));
    QVERIFY(QTest::qWaitFor([this] { return m_remote.count(TrialStatus::user_canceled) == 4; }, 60'000));
    QVERIFY(agree());
    QCOMPARE(m_local.count(TrialStatus::waiting), 4); // paused
    QVERIFY(m_local.execute(ActOnExperiment{experiment, ExperimentAction::stop}));
    QVERIFY(QTest::qWaitFor(
        [&] {
            const ExperimentPtr record = m_remote.mirror.experiments().find(experiment);
            return record && record->state == ExperimentState::stopped;
        },
        60'000));
    QVERIFY(m_remote.execute(ActOnExperiment{experiment, ExperimentAction::remove}));
    QVERIFY(QTest::qWaitFor([&] { return !m_local.mirror.experiments().find(experiment); }, 30'000));
    QVERIFY(agree());
    QCOMPARE(m_local.mirror.trials().size(), size_t(12));
    QCOMPARE(QSet<QString>(m_remote.finals.begin(), m_remote.finals.end()),
        QSet<QString>(m_local.finals.begin(), m_local.finals.end()));
    QCOMPARE(m_remote.finals.size(), 20);
}

QTEST_GUILESS_MAIN(TestEngineClientsAgree)
#include "tst_engine_clients_agree.moc"
