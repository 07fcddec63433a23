// SPDX-License-Identifier: GPL-3.0-or-later
// Trials on a platform with a scheduler of its own: it shows no machines, refuses for a while, loses what it was asked, starts trials
// again, and has one log for both outputs.
#include "tests/fakes/fake_clock.h"
#include "tests/services/engine/engine_fixture.h"

using namespace core;
using platforms::Stream;
using platforms::SubmitOutcome;

class TestClusterTrials : public QObject
{
    Q_OBJECT

private slots:
    void init() { m = std::make_unique<Bench>(); }
    void cleanup() { m.reset(); }
    void aRefusalThatMayPassIsNoFailure();
    void aSubmitOfUnknownOutcomeIsResolved();
    void aCancelIsSentUntilTheEnd();
    void aCancelFollowsASubmitOfUnknownOutcome();
    void whatIsRequeuedWaitsAndStartsAnew();
    void withoutTheCapabilityAnOldFactChangesNothing();
    void aLimitHoldsOverARestart();
    void whatWasNeverStartedSaysSo();
    void noMetricIsLostOrDoubledOverARequeue_data();
    void noMetricIsLostOrDoubledOverARequeue();
    void thePlatformsCursorWaitsForWholeRecords();
    void oneLogExplainsAFailure();
    void cleanupRemovesWhatIsNotKnownHere();
    void itsMachinesAreNotOursToGive();
    void theResultIsShownOnce_data();
    void theResultIsShownOnce();

private:
    struct Bench
    {
        Bench()
        {
            f.stop();
            f.configure = [this](fakes::FakePlatform& fake) {
                fake.capabilities = {true, false, false, false, true, canRequeue};
                fake.autoRun = autoRun;
            };
            f.start();
        }

        bool canRequeue = true;
        bool autoRun = true;
        fakes::FakeClock clock;
        EngineFixture f{clock};
    };

    /// The store and the event loop take real time; the engine's clock goes on with them.
    bool comes(const std::function<bool()>& condition, qint64 stepMs = 20)
    {
        return QTest::qWaitFor(
            [&] {
                if (condition())
                    return true;
                m->clock.advance(stepMs);
                return condition();
            },
            30'000);
    }
    void pass(qint64 ms, qint64 stepMs = 1'000)
    {
        for (const qint64 end = m->clock.steadyMs() + ms; m->clock.steadyMs() < end;) {
            m->clock.advance(std::min(stepMs, end - m->clock.steadyMs()));
            QCoreApplication::processEvents();
        }
    }
    Result<api::Reply> ask(api::Command command)
    {
        std::optional<Result<api::Reply>> reply;
        m->f.engine->execute(std::move(command), [&](Result<api::Reply> r) { reply = std::move(r); });
        if (!comes([&] { return reply.has_value(); }))
            return fail(Kind::timeout, u"no answer"_s);
        return std::move(*reply);
    }
    QList<TrialId> begin(int trials, const std::function<void(ExperimentSpec&)>& modify = {})
    {
        api::CreateExperiment create;
        create.spec.name = u"cluster"_s;
        create.spec.platformId = PlatformId(u"local"_s);
        create.spec.trialCommand = u"true"_s;
        create.spec.trialConcurrency = 4;
        if (modify)
            modify(create.spec);
        const auto created = ask(create);
        if (!created)
            return {};
        api::SubmitTrials submit;
        submit.experiment = ExperimentId(created->document["id"].get<QString>());
        for (int i = 0; i < trials; ++i)
            submit.trials.append(api::TrialSubmission{.parameters = "{}"});
        const auto submitted = ask(submit);
        QList<TrialId> ids;
        if (submitted)
            for (const Json& trial : submitted->document["trials"])
                ids.append(TrialId(trial["id"].get<QString>()));
        return ids;
    }
    [[nodiscard]] TrialStatus status(const TrialId& id) const { return m->f.status(id); }
    [[nodiscard]] const store::TrialPrivate& state(const TrialId& id) const
    {
        return m->f.engine->state().trial(id)->state;
    }
    [[nodiscard]] bool saysInJournal(const TrialId& id, const QString& words)
    {
        const auto reply = ask(api::ReadTrialEvents{id, 0});
        if (!reply)
            return false;
        const Json document = reply->bytes.isEmpty() ? reply->document : *parseJson(reply->bytes);
        return std::any_of(document["events"].begin(), document["events"].end(),
            [&](const Json& event) { return event["text"].get<QString>().contains(words); });
    }
    [[nodiscard]] QList<int> values(const TrialId& id)
    {
        api::ReadMetrics read;
        read.cursors = {{id, 0}};
        read.limit = 1'000;
        const auto reply = ask(read);
        QList<int> list;
        if (!reply)
            return {-1};
        const Json document = *parseJson(reply->bytes);
        for (const Json& metric : document["metrics"]) {
            if (metric["sequence"].get<int>() != list.size())
                return {-2};
            list.append(metric["value"].get<int>());
        }
        return list;
    }
    /// Sets a trial's state as the platform reports it.
    void observe(const TrialId& id, TrialStatus status, const QString& reason = {},
        const OpenWord<FailureClass>& failureClass = {}, int attempt = 0)
    {
        trial::Observation seen;
        seen.trial = id;
        seen.status = status;
        seen.time = m->clock.nowMs();
        seen.reason = reason;
        seen.failureClass = failureClass;
        seen.attempt = attempt;
        m->f.fake->sink()->observed(seen);
    }
    static QByteArray line(int value) { return "{\"metric\": " + QByteArray::number(value) + "}\n"; }

    std::unique_ptr<Bench> m;
};

/// 401, 403 and 503 concern the platform: the trial waits with the reason, and the platform is left alone as long as it asks.
void TestClusterTrials::aRefusalThatMayPassIsNoFailure()
{
    const QString why = u"The cluster refuses the token."_s;
    QList<qint64> tries;
    bool refuses = true;
    m->f.fake->onSubmit = [&](const platforms::TrialSpec& spec) -> std::optional<SubmitOutcome> {
        tries.append(m->clock.steadyMs());
        if (!refuses)
            return std::nullopt;
        SubmitOutcome outcome{spec.id, {}, {}, false};
        outcome.later = trial::SubmitLater{why, 60'000};
        return outcome;
    };
    const QList<TrialId> ids = begin(3);
    QCOMPARE(ids.size(), 3);
    QVERIFY(comes([&] { return tries.size() == 3; }));
    for (const TrialId& id : ids)
        QVERIFY(comes([&] { return status(id) == TrialStatus::waiting && m->f.trial(id)->reason.contains(why); }));
    QVERIFY(saysInJournal(ids[0], why));
    pass(50'000);
    QCOMPARE(tries.size(), 3);
    QCOMPARE(m->f.trial(ids[0])->reason, u"the platform local is given no trials for now: "_s + why);
    QVERIFY(comes([&] { return tries.size() == 6; }, 1'000));
    QVERIFY(tries[3] - tries[2] >= 60'000);
    // A cancel needs no answer of the platform.
    api::CancelTrials cancel;
    cancel.selection.ids = {ids[2].value};
    QVERIFY(ask(cancel));
    QVERIFY(comes([&] { return status(ids[2]) == TrialStatus::user_canceled; }));
    refuses = false;
    for (const TrialId& id : {ids[0], ids[1]}) {
        QVERIFY(comes([&] { return status(id) == TrialStatus::running; }, 1'000));
        QCOMPARE(m->f.fake->trial(id)->starts, 1);
    }
}

void TestClusterTrials::aSubmitOfUnknownOutcomeIsResolved()
{
    m->f.fake->autoRun = false;
    int submits = 0;
    m->f.fake->onSubmit = [&](const platforms::TrialSpec& spec) -> std::optional<SubmitOutcome> {
        if (++submits > 2)
            return std::nullopt;
        return SubmitOutcome{spec.id, {}, Error{Kind::network, u"The connection broke."_s, {}}, true};
    };
    const QList<TrialId> ids = begin(2);
    for (const TrialId& id : ids)
        QVERIFY(comes([&] { return status(id) == TrialStatus::unknown; }));
    pass(300'000, 10'000);
    QCOMPARE(submits, 2);
    QVERIFY(state(ids[0]).submitted);
    // One is there and waits in the cluster's queue; the other never arrived.
    observe(ids[0], TrialStatus::waiting, u"Pending: Priority"_s);
    QVERIFY(comes([&] { return status(ids[0]) == TrialStatus::waiting; }));
    QCOMPARE(m->f.trial(ids[0])->reason, u"Pending: Priority"_s);
    observe(ids[1], TrialStatus::failed, u"The cluster has no such job."_s, FailureClass::neverStarted);
    QVERIFY(comes([&] { return submits == 3; }));
    QVERIFY(saysInJournal(ids[1], u"The cluster has no such job."_s));
    m->f.fake->run(ids[0]);
    QVERIFY(comes([&] { return status(ids[0]) == TrialStatus::running; }));
    QVERIFY(comes([&] { return m->f.fake->trial(ids[1]) != nullptr; }));
    m->f.fake->run(ids[1]);
    QVERIFY(comes([&] { return status(ids[1]) == TrialStatus::running; }));
}

void TestClusterTrials::aCancelIsSentUntilTheEnd()
{
    const QList<TrialId> ids = begin(2);
    for (const TrialId& id : ids)
        QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    m->f.fake->autoCancel = false;
    m->f.fake->cancelError = Error{Kind::network, u"The cluster does not answer."_s, {}};
    const auto sent = [this] { return m->f.fake->calls.filter(u"cancel "_s).size(); };
    api::CancelTrials cancel;
    cancel.selection.ids = {ids[0].value, ids[1].value};
    QVERIFY(ask(cancel));
    pass(4'000);
    QCOMPARE(m->f.fake->failedCancels, 1);
    pass(2'000);
    QCOMPARE(m->f.fake->failedCancels, 2); // both in one call
    pass(10'000);
    QCOMPARE(m->f.fake->failedCancels, 3);
    m->f.fake->cancelError.reset();
    pass(20'000);
    QCOMPARE(sent(), 2);
    // It was taken, and nothing came of it.
    pass(25'000);
    QCOMPARE(sent(), 2);
    QVERIFY(comes([&] { return sent() == 4; }, 1'000));
    // Over a restart, too.
    m->f.stop();
    m->f.start();
    m->f.fake->autoCancel = false;
    QVERIFY(comes([&] { return sent() == 2; }));
    m->f.fake->end(ids[0], TrialStatus::failed);
    QVERIFY(comes([&] { return status(ids[0]) == TrialStatus::user_canceled; }));
    QVERIFY(comes([&] { return sent() == 3; }, 1'000));
    QVERIFY(m->f.fake->calls.last().contains(ids[1].value));
    m->f.fake->end(ids[1], TrialStatus::failed);
    QVERIFY(comes([&] { return status(ids[1]) == TrialStatus::user_canceled; }));
    pass(1'000'000, 10'000);
    QCOMPARE(sent(), 3);
}

void TestClusterTrials::aCancelFollowsASubmitOfUnknownOutcome()
{
    m->f.fake->autoRun = false;
    m->f.fake->onSubmit = [&](const platforms::TrialSpec& spec) -> std::optional<SubmitOutcome> {
        return SubmitOutcome{spec.id, {}, Error{Kind::network, u"The connection broke."_s, {}}, true};
    };
    const QList<TrialId> ids = begin(1);
    QVERIFY(comes([&] { return status(ids[0]) == TrialStatus::unknown; }));
    api::CancelTrials cancel;
    cancel.selection.ids = {ids[0].value};
    QVERIFY(ask(cancel));
    observe(ids[0], TrialStatus::waiting, u"Pending"_s);
    QVERIFY(comes([&] { return status(ids[0]) == TrialStatus::user_canceled; }));
    QVERIFY(m->f.fake->calls.contains(u"cancel %1 user"_s.arg(ids[0].value)));
}

void TestClusterTrials::whatIsRequeuedWaitsAndStartsAnew()
{
    const QList<TrialId> ids = begin(1, [](ExperimentSpec& spec) { spec.maxTrialDurationSeconds = 3'600; });
    const TrialId id = ids.value(0);
    QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    const qint64 firstStart = *m->f.trial(id)->startTime;
    pass(3'000'000, 10'000);
    m->f.fake->requeue(id, u"preempted by a job of higher priority"_s);
    QVERIFY(comes([&] { return status(id) == TrialStatus::waiting; }));
    QVERIFY(!m->f.trial(id)->startTime);
    QVERIFY(m->f.trial(id)->reason.contains(u"preempted by a job of higher priority"));
    QVERIFY(saysInJournal(id, u"took it back to its queue: preempted by a job of higher priority"_s));
    QCOMPARE(state(id).attempt, 2);
    QVERIFY(state(id).submitted);
    // Another node has it now; the platform alone speaks for its trials.
    trial::Observation elsewhere = m->f.fake->trial(id)->last;
    elsewhere.machine = MachineId(u"local.node2"_s);
    m->f.fake->sink()->observed(elsewhere);
    QVERIFY(comes([&] { return m->f.trial(id)->machineId.value == u"local.node2"; }));
    // What the old run still says is late.
    observe(id, TrialStatus::failed, u"killed"_s, FailureClass::signal, 1);
    // The limit neither runs while it waits nor counts the time before.
    pass(3'000'000, 10'000);
    m->f.fake->run(id);
    QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    QVERIFY(*m->f.trial(id)->startTime >= firstStart + 6'000'000);
    pass(3'500'000, 10'000);
    QCOMPARE(status(id), TrialStatus::running);
    // A run that began unseen: the requeue itself was missed.
    m->f.fake->forgetsFacts = true;
    m->f.fake->requeue(id);
    m->f.fake->run(id);
    m->f.fake->forgetsFacts = false;
    observe(id, TrialStatus::running, {}, {}, 3);
    QVERIFY(comes([&] { return state(id).attempt == 3; }));
    QCOMPARE(status(id), TrialStatus::running);
    pass(3'500'000, 10'000);
    QCOMPARE(status(id), TrialStatus::running);
    QVERIFY(comes([&] { return status(id) == TrialStatus::early_stopped; }, 10'000));
}

void TestClusterTrials::withoutTheCapabilityAnOldFactChangesNothing()
{
    m->canRequeue = false;
    m->f.restart();
    const TrialId id = begin(1).value(0);
    QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    observe(id, TrialStatus::waiting, u"late"_s, {}, 1);
    pass(1'000);
    QCOMPARE(status(id), TrialStatus::running);
    QCOMPARE(state(id).attempt, 0);
}

/// A platform that shows no machines reports no silence before it reports the trial running again.
void TestClusterTrials::aLimitHoldsOverARestart()
{
    const TrialId id = begin(1, [](ExperimentSpec& spec) { spec.maxTrialDurationSeconds = 3'600; }).value(0);
    QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    pass(1'800'000, 10'000);
    m->f.restart();
    QVERIFY(comes([&] { return !m->f.fake->adopted.isEmpty(); }));
    pass(1'700'000, 10'000);
    QCOMPARE(status(id), TrialStatus::running);
    pass(200'000, 10'000);
    QVERIFY(comes([&] { return status(id) == TrialStatus::early_stopped; }));
}

void TestClusterTrials::whatWasNeverStartedSaysSo()
{
    m->f.fake->autoRun = false;
    const TrialId id = begin(1).value(0);
    QVERIFY(comes([&] { return m->f.engine->state().trial(id)->state.started; }));
    observe(id, TrialStatus::failed, {}, FailureClass::neverStarted);
    QVERIFY(comes([&] { return status(id) == TrialStatus::failed; }));
    QCOMPARE(m->f.trial(id)->failureClass.word(), u"neverStarted"_s);
    QCOMPARE(m->f.trial(id)->reason, u"its platform ended it before it was started"_s);
}

void TestClusterTrials::noMetricIsLostOrDoubledOverARequeue_data()
{
    QTest::addColumn<bool>("restarts");
    QTest::addColumn<QString>("pattern");
    QTest::newRow("one life") << false << QString();
    QTest::newRow("a life for each run") << true << QString();
    QTest::newRow("by a pattern") << false << u"value=(?<value>[0-9]+)"_s;
    QTest::newRow("by a pattern, a life for each run") << true << u"value=(?<value>[0-9]+)"_s;
}

void TestClusterTrials::noMetricIsLostOrDoubledOverARequeue()
{
    QFETCH(bool, restarts);
    QFETCH(QString, pattern);
    const Stream stream = pattern.isEmpty() ? Stream::file : Stream::stdout_lines;
    const auto text = [&](int value) {
        return pattern.isEmpty() ? line(value) : "value=" + QByteArray::number(value) + '\n';
    };
    m->autoRun = false;
    m->f.restart();
    const TrialId id = begin(1, [&](ExperimentSpec& spec) { spec.metricPattern = pattern; }).value(0);
    const auto nextLife = [&] {
        if (!restarts)
            return;
        m->f.stop();
        m->f.start();
        QVERIFY(comes([&] { return m->f.fake->calls.contains(u"adopt "_s + id.value); }));
    };
    QVERIFY(comes([&] { return m->f.fake->trial(id) != nullptr && state(id).started; }));
    m->f.fake->run(id);
    QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    m->f.fake->write(id, stream, text(1) + text(2) + text(3).chopped(3)); // the third is never finished
    QVERIFY(comes([&] { return values(id) == QList<int>({1, 2}); }));
    nextLife();
    m->f.fake->requeue(id);
    QVERIFY(comes([&] { return status(id) == TrialStatus::waiting; }));
    nextLife();
    m->f.fake->run(id);
    QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    m->f.fake->write(id, stream, text(4));
    QVERIFY(comes([&] { return values(id) == QList<int>({1, 2, 4}); }));
    nextLife();
    if (restarts) {
        QCOMPARE(m->f.fake->adopted.last().cursors.attempt, 2);
        const platforms::Cursors& cursors = m->f.fake->adopted.last().cursors;
        QCOMPARE(pattern.isEmpty() ? cursors.file : cursors.stdoutLines, qint64(text(4).size()));
    }
    m->f.fake->write(id, stream, text(5));
    // Bytes of the first run that come late do not count.
    platforms::RecordBytes late{id, stream, 0, text(9), m->clock.nowMs()};
    late.attempt = 1;
    m->f.fake->sink()->records(late);
    QVERIFY(comes([&] { return values(id) == QList<int>({1, 2, 4, 5}); }));
    m->f.fake->finish(id);
    QVERIFY(comes([&] { return status(id) == TrialStatus::succeeded; }));
    QCOMPARE(values(id), QList<int>({1, 2, 4, 5}));
    QCOMPARE(m->f.trial(id)->metricCount, 4);
}

void TestClusterTrials::thePlatformsCursorWaitsForWholeRecords()
{
    const TrialId id = begin(1).value(0);
    QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    m->f.fake->write(id, Stream::file, line(1), "log:20");
    QVERIFY(comes([&] { return state(id).platformCursor == "log:20"; }));
    // With half a record in hand the platform must continue before it.
    m->f.fake->write(id, Stream::file, line(2).chopped(4), "log:30");
    pass(1'000);
    QCOMPARE(state(id).platformCursor, QByteArray("log:20"));
    m->f.fake->write(id, Stream::file, line(2).right(4), "log:34");
    QVERIFY(comes([&] { return state(id).platformCursor == "log:34"; }));
    m->f.fake->write(id, Stream::file, line(3), QByteArray(platforms::maxPlatformCursor + 1, 'x'));
    QVERIFY(comes([&] { return values(id).size() == 3; }));
    QCOMPARE(state(id).platformCursor, QByteArray("log:34"));
    trial::Observation seen = m->f.fake->trial(id)->last;
    seen.platformCursor = QByteArray(platforms::maxPlatformCursor, 'y');
    m->f.fake->sink()->observed(seen);
    QVERIFY(comes([&] { return state(id).platformCursor.startsWith('y'); }));
    m->f.restart();
    QVERIFY(comes([&] { return !m->f.fake->adopted.isEmpty(); }));
    QCOMPARE(m->f.fake->adopted.last().cursors.platform, QByteArray(platforms::maxPlatformCursor, 'y'));
}

void TestClusterTrials::oneLogExplainsAFailure()
{
    m->f.fake->mergedLog = true;
    const TrialId id = begin(1).value(0);
    QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    m->f.fake->appendLog(id, u"stdout"_s, "step 1\nRuntimeError: CUDA out of memory\n");
    m->f.fake->finish(id, 1);
    QVERIFY(comes([&] { return m->f.trial(id)->reason.contains(u"RuntimeError: CUDA out of memory"); }));
}

void TestClusterTrials::cleanupRemovesWhatIsNotKnownHere()
{
    const QList<TrialId> ids = begin(2);
    for (const TrialId& id : ids) {
        QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
        m->f.fake->finish(id);
        QVERIFY(comes([&] { return status(id) == TrialStatus::succeeded; }));
    }
    m->f.fake->strays = 3;
    const ExperimentId experiment = m->f.trial(ids[0])->experimentId;
    QVERIFY(ask(api::ActOnExperiment{experiment, api::ExperimentAction::stop}));
    QVERIFY(ask(api::ActOnExperiment{experiment, api::ExperimentAction::cleanup}));
    QVERIFY(comes([&] { return m->f.fake->calls.contains(u"removeUnknown 2"_s); }));
    QVERIFY(comes([&] { return m->f.world->trials.empty(); }));
}

/// A scheduler elsewhere decides about its nodes: nothing is offered that would have no effect.
void TestClusterTrials::itsMachinesAreNotOursToGive()
{
    Machine node;
    node.id = MachineId(u"local.node1"_s);
    node.platformId = PlatformId(u"local"_s);
    node.address = u"node1"_s;
    node.state = MachineState::ready;
    node.gpus.resize(1);
    m->f.fake->setMachines({node});
    QVERIFY(comes([&] { return m->f.engine->state().machines.contains(node.id); }));
    for (const api::Command& command : {api::Command(api::ReserveGpu{node.id, 0, u"mine"_s, false}),
             api::Command(api::ActOnMachine{node.id, api::MachineAction::drain, {}})}) {
        const auto reply = ask(command);
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, Kind::conflict);
        QVERIFY2(reply.error().message.contains(u"local"), qPrintable(reply.error().message));
    }
}

void TestClusterTrials::theResultIsShownOnce_data()
{
    QTest::addColumn<QString>("metric");
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("value");
    QTest::addColumn<qint64>("step");
    const QString plain = u"default"_s;
    QTest::newRow("final") << plain << R"({"metric": 0.25})"_ba + '\n' + R"({"metric": 0.5, "type": "FINAL"})" + '\n'
                           << 1 << 0.5 << qint64(1);
    QTest::newRow("only on the way") << plain << R"({"metric": 0.25, "step": 7})"_ba + '\n' << 1 << 0.25 << qint64(7);
    QTest::newRow("an object") << u"acc"_s << R"({"metric": {"acc": 0.75, "default": 1}, "type": "FINAL"})"_ba + '\n'
                               << 1 << 0.75 << qint64(0);
    QTest::newRow("not of the objective") << u"acc"_s << R"({"metric": 0.5, "type": "FINAL"})"_ba + '\n'
                                          << 0 << 0.0 << qint64(0);
    QTest::newRow("no number") << plain << R"({"metric": "NaN", "type": "FINAL"})"_ba + '\n' << 0 << 0.0 << qint64(0);
    QTest::newRow("nothing") << plain << QByteArray() << 0 << 0.0 << qint64(0);
    QTest::newRow("a platform without pages") << plain << R"({"metric": 0.25})"_ba + '\n' << 0 << 0.0 << qint64(0);
}

/// What a platform's own page of a trial shows is the objective's value.
void TestClusterTrials::theResultIsShownOnce()
{
    QFETCH(QString, metric);
    QFETCH(QByteArray, lines);
    QFETCH(int, count);
    const TrialId id = begin(1, [&](ExperimentSpec& spec) { spec.objective.metric = metric; }).value(0);
    m->f.fake->hasPages = QByteArrayView(QTest::currentDataTag()) != "a platform without pages";
    QVERIFY(comes([&] { return status(id) == TrialStatus::running; }));
    m->f.fake->write(id, Stream::file, lines);
    m->f.fake->finish(id);
    QVERIFY(comes([&] { return status(id) == TrialStatus::succeeded; }));
    m->f.fake->finish(id); // said twice
    pass(5'000);
    const QList<platforms::TrialResult>& results = m->f.fake->results;
    QCOMPARE(results.size(), count);
    if (count == 0)
        return;
    QCOMPARE(results[0].trial.trial, id);
    QCOMPARE(results[0].metric, metric);
    QTEST(results[0].value, "value");
    QTEST(results[0].step, "step");
    QVERIFY(results[0].time > 0);
}

QTEST_GUILESS_MAIN(TestClusterTrials)
#include "tst_cluster_trials.moc"
