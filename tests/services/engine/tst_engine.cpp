// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"

#include "services/api/trial_query.h"
#include "services/engine/engine_training_service.h"
#include "services/engine/state/operation_log.h"
#include "tests/fakes/fake_clock.h"

#include <QDir>

#include <csignal>
#include <sys/resource.h>

using namespace core;
using platforms::Stream;

static Machine machineWith(int gpus)
{
    Machine machine;
    machine.id = MachineId(u"local"_s);
    machine.platformId = PlatformId(u"local"_s);
    machine.address = u"this computer"_s;
    machine.state = MachineState::ready;
    for (int i = 0; i < gpus; ++i) {
        Gpu gpu;
        gpu.index = i;
        gpu.uuid = u"GPU-%1"_s.arg(i);
        machine.gpus.append(gpu);
    }
    return machine;
}

class TestEngine : public QObject
{
    Q_OBJECT

private slots:
    void whatStillRunsIsNotForgotten()
    {
        EngineFixture f;
        engine::OperationLog requests(f.engine->state());
        const OperationId slow = requests.begin(u"check"_s, u"lab1"_s);
        for (int i = 0; i < 150; ++i)
            requests.finish(requests.begin(u"check"_s, u"lab2"_s), {});
        QCOMPARE(f.engine->state().requests.size(), 100);
        requests.finish(slow, {});
        const OperationPtr ended = f.engine->state().requests.value(slow);
        QVERIFY(ended);
        QCOMPARE(ended->state.word(), u"succeeded"_s);
    }

    void aTrialRunsAndReports()
    {
        EngineFixture f;
        f.world->machines = {machineWith(0)};
        f.fake->setMachines(f.world->machines);
        const ExperimentId e = f.create();
        const QList<TrialId> ids = f.submit(e, 1);
        QCOMPARE(ids.size(), 1);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        f.fake->write(ids[0], Stream::file,
            "{\"metric\": 0.5}\n{\"metric\": 0.75, \"step\": 7}\n{\"metric\": 0.6, \"type\": \"FINAL\"}\n");
        f.fake->finish(ids[0]);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::succeeded);
        const auto metrics = f.metrics(ids[0]);
        QCOMPARE(metrics.size(), size_t(3));
        QCOMPARE(metrics[1]["value"].get<double>(), 0.75);
        QCOMPARE(metrics[1]["step"].get<int>(), 7);
        QCOMPARE(metrics[2]["type"].get<QString>(), u"FINAL"_s);
        QCOMPARE(f.trial(ids[0])->finalMetric->value.number, 0.6);
        QCOMPARE(f.trial(ids[0])->bestMetric, std::optional(0.6)); // the final value, though 0.75 was reported before
        QCOMPARE(f.experiment(e)->best->value, 0.6);
        QCOMPARE(f.experiment(e)->count(TrialStatus::succeeded), 1);
        // The mirror saw the same, and metrics never after the final status.
        QCOMPARE(*f.mirror->trial(ids[0]), *f.trial(ids[0]));
        bool final = false;
        for (const api::ChangePtr& change : std::as_const(f.changes)) {
            if (!change->metrics.isEmpty())
                QVERIFY(!final);
            for (const TrialPtr& trial : change->trials)
                final = final || isFinal(trial->status);
        }
    }

    void aTrialThatHasAFinalValueIsJudgedByIt()
    {
        const auto sdk = [](const char* type, const char* value) {
            const QByteArray text = QByteArray("{\"parameter_id\": 0, \"trial_job_id\": \"t\", \"type\": \"") + type
                + "\", \"sequence\": 0, \"value\": \"" + value + "\"}\n";
            return "ME" + QByteArray::number(text.size()).rightJustified(6, '0') + text;
        };
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        const QList<TrialId> ids = f.submit(e, 4);
        QTRY_COMPARE(f.experiment(e)->count(TrialStatus::running), 4);
        f.fake->write(ids[0], Stream::nni, sdk("PERIODICAL", "0.5"));
        QTRY_VERIFY(f.experiment(e)->best);
        f.fake->write(ids[1], Stream::nni, sdk("PERIODICAL", "Infinity"));
        QTRY_COMPARE(f.experiment(e)->best->trialId, ids[1]);
        // NaN is no value, and what came before it is none that a tuner goes by: the best is another trial's again.
        f.fake->write(ids[1], Stream::nni, sdk("FINAL", "NaN"));
        QTRY_COMPARE(f.experiment(e)->best->trialId, ids[0]);
        QCOMPARE(f.experiment(e)->best->value, 0.5);
        QCOMPARE(f.trial(ids[1])->bestMetric, std::optional<double>());
        // A value that comes late, after the final one, changes nothing; nor does one of another process of the same trial.
        f.fake->write(ids[1], Stream::nni, sdk("PERIODICAL", "7"));
        QTRY_COMPARE(f.trial(ids[1])->metricCount, 3);
        QCOMPARE(f.trial(ids[1])->bestMetric, std::optional<double>());
        f.fake->write(ids[2], Stream::nni, sdk("PERIODICAL", "0.9") + sdk("FINAL", "0.2"));
        QTRY_COMPARE(f.trial(ids[2])->bestMetric, std::optional(0.2));
        QCOMPARE(f.experiment(e)->best->trialId, ids[0]);
        f.fake->write(ids[0], Stream::nni, sdk("FINAL", "0.1"));
        QTRY_COMPARE(f.experiment(e)->best->trialId, ids[2]);
        QCOMPARE(f.experiment(e)->best->value, 0.2);
        // The last of several final values counts.
        f.fake->write(ids[2], Stream::nni, sdk("FINAL", "NaN"));
        QTRY_COMPARE(f.experiment(e)->best->trialId, ids[0]);
        f.fake->write(ids[0], Stream::nni, sdk("FINAL", "NaN"));
        QTRY_VERIFY(!f.experiment(e)->best);
    }

    void concurrencyIsKeptAndEveryWaitingTrialSaysWhy()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        const QList<TrialId> ids = f.submit(e, 10);
        QTRY_COMPARE(f.experiment(e)->count(TrialStatus::running), 4);
        QCOMPARE(f.experiment(e)->count(TrialStatus::waiting), 6);
        for (const TrialId& id : ids)
            if (f.status(id) == TrialStatus::waiting)
                QTRY_VERIFY2(f.trial(id)->reason.contains(u"4"), qPrintable(f.trial(id)->reason));
        f.fake->finish(ids[0]);
        QTRY_COMPARE(f.status(ids[4]), TrialStatus::running);
        QCOMPARE(f.experiment(e)->count(TrialStatus::running), 4);
    }

    void gpusAreReservedAndGivenBack()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(2)});
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.gpuNumber = 1; });
        const QList<TrialId> ids = f.submit(e, 3);
        QTRY_COMPARE(f.experiment(e)->count(TrialStatus::running), 2);
        QSet<int> held;
        for (const Gpu& gpu : f.engine->state().machines.value(MachineId(u"local"_s))->gpus) {
            QCOMPARE(gpu.reservations.size(), 1);
            held.insert(gpu.index);
        }
        QCOMPARE(held.size(), 2);
        f.fake->finish(ids[0]);
        QTRY_COMPARE(f.status(ids[2]), TrialStatus::running);
        QCOMPARE(f.trial(ids[2])->gpuIndices, f.trial(ids[0])->gpuIndices);
        api::ReserveGpu reserve{MachineId(u"local"_s), f.trial(ids[0])->gpuIndices[0], u"mine"_s, false};
        QVERIFY(f.ask(reserve).has_value());
        f.fake->finish(ids[2]);
        const QList<TrialId> more = f.submit(e, 1);
        QTRY_VERIFY2(f.trial(more[0])->reason.contains(u"mine"), qPrintable(f.trial(more[0])->reason));
        reserve.release = true;
        QVERIFY(f.ask(reserve).has_value());
        QTRY_COMPARE(f.status(more[0]), TrialStatus::running);
    }

    /// An alias and an address of one computer: its one GPU takes one trial, under whichever name.
    void aComputerOfTwoNamesSharesItsGpus()
    {
        EngineFixture f;
        Machine alias = machineWith(1);
        alias.id = MachineId(u"alias"_s);
        alias.gpus[0].index = 1; // the other account sees another order
        f.fake->setMachines({machineWith(1), alias});
        const auto held = [&](const char* id) {
            return f.engine->state().machines.value(MachineId(QString::fromLatin1(id)))->gpus[0].reservations;
        };
        f.fake->sink()->computer(MachineId(u"local"_s), u"boot-1"_s);
        f.fake->sink()->computer(alias.id, u"boot-1"_s);
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.gpuNumber = 1; });
        const QList<TrialId> ids = f.submit(e, 2);
        QTRY_VERIFY2(f.trial(ids[1])->reason.contains(u"0 free"), qPrintable(f.trial(ids[1])->reason));
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        QCOMPARE(f.status(ids[1]), TrialStatus::waiting);
        QCOMPARE(held("local").size(), 1);
        QCOMPARE(held("alias"), held("local"));
        f.fake->finish(ids[0]);
        QTRY_COMPARE(f.status(ids[1]), TrialStatus::running);
        f.fake->finish(ids[1]);
        QTRY_VERIFY(held("alias").isEmpty() && held("local").isEmpty());
        // A person takes it under one name, and gives it back under the other.
        QVERIFY(f.ask(api::ReserveGpu{alias.id, 1, u"mine"_s, false}).has_value());
        const QList<TrialId> more = f.submit(e, 2);
        QTRY_VERIFY2(f.trial(more[0])->reason.contains(u"mine"), qPrintable(f.trial(more[0])->reason));
        QVERIFY(f.ask(api::ReserveGpu{MachineId(u"local"_s), 0, {}, true}).has_value());
        QTRY_COMPARE(f.status(more[0]), TrialStatus::running);
        QCOMPARE(f.status(more[1]), TrialStatus::waiting);
        // After a restart of one of them they are two computers.
        f.fake->sink()->computer(alias.id, u"boot-2"_s);
        QTRY_COMPARE(f.status(more[1]), TrialStatus::running);
        QCOMPARE(held("alias").size(), 1);
        QVERIFY(held("alias") != held("local"));
    }

    /// Facts that a machine, or another platform, tells about trials that were not placed on it.
    void onlyItsOwnMachineSpeaksForATrial()
    {
        EngineFixture f;
        Machine hostile = machineWith(0);
        hostile.id = MachineId(u"hostile"_s);
        f.fake->setMachines({machineWith(1), hostile});
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.gpuNumber = 1; });
        const TrialId trial = f.submit(e, 1)[0];
        QTRY_COMPARE(f.status(trial), TrialStatus::running);
        QCOMPARE(f.trial(trial)->machineId, MachineId(u"local"_s));
        platforms::Sink& sink = *f.fake->sink();
        platforms::Observation forged;
        forged.trial = trial;
        forged.status = TrialStatus::succeeded;
        forged.exitCode = 0;
        forged.machine = hostile.id;
        sink.observed(forged);
        const QByteArray record = "{\"metric\": 0.99}\n";
        sink.records(platforms::RecordBytes{trial, platforms::Stream::file, 0, record, 1, hostile.id});
        f.fake->write(trial, platforms::Stream::file, "{\"metric\": 0.5}\n");
        QTRY_COMPARE(f.trial(trial)->metricCount, 1);
        QCOMPARE(f.trial(trial)->latestMetric->value.number, 0.5);
        QCOMPARE(f.status(trial), TrialStatus::running);
        forged.machine = MachineId(u"local"_s);
        sink.observed(forged);
        QTRY_COMPARE(f.status(trial), TrialStatus::succeeded);
    }

    void aClientIdIsOneTrial()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        api::TrialSubmission request;
        request.clientId = u"mine ' \n é"_s;
        request.parameters = "{\"x\": 1}";
        const QList<TrialId> first = f.submit(e, {request});
        const QList<TrialId> second = f.submit(e, {request});
        QCOMPARE(first, second);
        request.parameters = "{\"x\": 2}";
        api::SubmitTrials other{e, {request}, {}};
        QCOMPARE(f.ask(other).error().kind, Kind::conflict);
        request.parameters = "{\"x\": 1}";
        QTRY_COMPARE(f.status(first[0]), TrialStatus::running);
        f.fake->finish(first[0], 3);
        QTRY_COMPARE(f.status(first[0]), TrialStatus::failed);
        QVERIFY2(f.trial(first[0])->reason.contains(u"3"), qPrintable(f.trial(first[0])->reason));
        request.rerun = true;
        const QList<TrialId> again = f.submit(e, {request});
        QVERIFY(again[0] != first[0]);
        QCOMPARE(f.trial(again[0])->attempt, 2);
        QCOMPARE(f.trial(again[0])->retryOf, first[0]);
        QCOMPARE(f.trial(again[0])->clientId, request.clientId);
    }

    void anIdempotencyKeyIsAnsweredTwiceAcrossARestart()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        api::SubmitTrials submit{e, QList<api::TrialSubmission>(3), u"key-1"_s};
        const auto ids = [](const Result<api::Reply>& reply) {
            const Json document = reply->bytes.isEmpty() ? reply->document : *parseJson(reply->bytes);
            return document["trials"].dump();
        };
        const auto first = f.ask(submit);
        QVERIFY(first.has_value());
        QCOMPARE(ids(f.ask(submit)), ids(first));
        f.restart();
        QCOMPARE(ids(f.ask(submit)), ids(first));
        QCOMPARE(f.engine->state().trialsOf(e).size(), size_t(3));
        submit.trials.append(api::TrialSubmission());
        QCOMPARE(f.ask(submit).error().kind, Kind::conflict);
    }

    void aRestartAdoptsWhatRunsAndStartsNothingTwice()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        const QList<TrialId> ids = f.submit(e, 8);
        QTRY_COMPARE(f.experiment(e)->count(TrialStatus::running), 4);
        f.fake->write(ids[0], Stream::file, "{\"metric\": 1}\n{\"met");
        QTRY_COMPARE(f.trial(ids[0])->metricCount, 1);
        f.stop();
        // Meanwhile, without us:
        f.world->trials[ids[0]].streams[size_t(Stream::file)] += "ric\": 2}\n";
        f.start();
        f.fake->setMachines({machineWith(0)});
        QTRY_COMPARE(f.trial(ids[0])->metricCount, 2);
        QCOMPARE(f.experiment(e)->count(TrialStatus::running), 4);
        for (int i = 0; i < 4; ++i)
            f.fake->finish(ids[i]);
        QTRY_COMPARE(f.experiment(e)->count(TrialStatus::succeeded), 4);
        QTRY_COMPARE(f.experiment(e)->count(TrialStatus::running), 4);
        for (int i = 4; i < 8; ++i)
            f.fake->finish(ids[i]);
        QTRY_COMPARE(f.experiment(e)->count(TrialStatus::succeeded), 8);
        for (const auto& [id, trial] : f.world->trials)
            QCOMPARE(trial.starts, 1);
        QCOMPARE(f.metrics(ids[0]).size(), size_t(2));
    }

    void cancelOfEachKind()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.trialConcurrency = 1; });
        const QList<TrialId> ids = f.submit(e, 3);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        api::CancelTrials waiting;
        waiting.selection.ids = {ids[2].value};
        QVERIFY(f.ask(waiting).has_value());
        QCOMPARE(f.status(ids[2]), TrialStatus::user_canceled);
        api::CancelTrials early;
        early.selection.ids = {ids[0].value};
        early.isEarlyStopped = true;
        QVERIFY(f.ask(early).has_value());
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::early_stopped);
        QTRY_COMPARE(f.status(ids[1]), TrialStatus::running);
        api::CancelTrials all;
        all.selection.byFilter = true;
        all.selection.experimentId = e;
        all.dryRun = true;
        QCOMPARE(f.ask(all)->document["count"].get<int>(), 1);
        QCOMPARE(f.status(ids[1]), TrialStatus::running);
        all.dryRun = false;
        QVERIFY(f.ask(all).has_value());
        QTRY_COMPARE(f.status(ids[1]), TrialStatus::user_canceled);
    }

    void silenceIsUnknownAndContactBringsItBack()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        const QList<TrialId> ids = f.submit(e, 1);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        f.fake->lose(MachineId(u"local"_s));
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::unknown);
        QVERIFY(f.trial(ids[0])->reason.contains(u"this computer"));
        f.fake->back();
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        Q_UNUSED(e)
    }

    void aDayOfSilenceChangesNothing_data()
    {
        QTest::addColumn<bool>("restarted"); ///< the service, in the middle of the day
        QTest::newRow("one life") << false;
        QTest::newRow("two lives") << true;
    }

    void aDayOfSilenceChangesNothing()
    {
        QFETCH(bool, restarted);
        fakes::FakeClock clock;
        EngineFixture f(clock);
        ExperimentId e;
        const auto pass = [&](int hours) {
            for (int minute = 0; minute < hours * 60; ++minute) {
                clock.advance(60'000);
                QCoreApplication::processEvents();
            }
        };
        // What waits for a timer of the engine waits for this clock.
        const auto reaches = [&](int trial, TrialStatus status) {
            return QTest::qWaitFor([&] {
                clock.advance(10);
                return f.engine->state().trialsOf(e)[size_t(trial)]->trial->status == status;
            });
        };
        const auto values = [&](const TrialId& id) {
            QList<int> out;
            for (const Json& metric : f.metrics(id))
                out.append(metric["value"].get<int>());
            return out;
        };
        f.fake->setMachines({machineWith(0)});
        e = f.create([](ExperimentSpec& spec) { spec.trialConcurrency = 3; });
        const QList<TrialId> ids = f.submit(e, 4);
        for (int i = 0; i < 3; ++i)
            QVERIFY(reaches(i, TrialStatus::running));
        QCOMPARE(f.status(ids[3]), TrialStatus::waiting);
        QList<int> all;
        const auto report = [&](int from, int to) {
            for (int value = from; value < to; ++value) {
                f.fake->write(ids[0], Stream::file, "{\"metric\": " + QByteArray::number(value) + "}\n");
                all.append(value);
            }
        };
        report(0, 10);
        QTRY_COMPARE(values(ids[0]), all);
        f.fake->lose(MachineId(u"local"_s));
        for (int i = 0; i < 3; ++i)
            QVERIFY(reaches(i, TrialStatus::unknown));
        report(10, 20);
        f.fake->finish(ids[1]);
        f.fake->finish(ids[2], 3);
        pass(12);
        if (restarted) {
            f.configure = [](fakes::FakePlatform& platform) { platform.forgetsFacts = true; };
            f.restart();
            f.configure = {};
            f.fake->setMachines({machineWith(0)});
            f.fake->lose(MachineId(u"local"_s));
        }
        report(20, 30);
        pass(12);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(f.status(ids[i]), TrialStatus::unknown);
        QCOMPARE(f.status(ids[3]), TrialStatus::waiting); // the places of the three are theirs
        QCOMPARE(f.experiment(e)->state, ExperimentState::running);

        f.fake->back();
        QVERIFY(reaches(0, TrialStatus::running));
        QTRY_COMPARE(values(ids[0]), all);
        QVERIFY(reaches(1, TrialStatus::succeeded));
        QVERIFY(reaches(2, TrialStatus::failed));
        QVERIFY2(reaches(3, TrialStatus::running), qPrintable(f.trial(ids[3])->reason));
        report(30, 40);
        f.fake->finish(ids[0]);
        f.fake->finish(ids[3]);
        QVERIFY(reaches(3, TrialStatus::succeeded));
        QTRY_COMPARE(values(ids[0]), all);
        for (const TrialId& id : ids)
            QCOMPARE(f.world->trials[id].starts, 1);
    }

    void aRandomSearchRunsToItsEndAndIsRepeatable()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        f.fake->onRun = [&](const TrialId& id) { f.fake->finish(id); };
        const auto space = parseJson("{\"lr\": {\"_type\": \"loguniform\", \"_value\": [0.0001, 0.1]}}");
        const auto modify = [&](ExperimentSpec& spec) {
            spec.searchSpace = *space;
            spec.tunerName = u"Random"_s;
            spec.tunerArgs["seed"] = 7;
            spec.maxTrialNumber = 50;
        };
        const ExperimentId one = f.create(modify);
        QTRY_COMPARE(f.experiment(one)->state, ExperimentState::done);
        QCOMPARE(f.experiment(one)->count(TrialStatus::succeeded), 50);
        const ExperimentId two = f.create(modify);
        QTRY_COMPARE(f.experiment(two)->state, ExperimentState::done);
        for (size_t i = 0; i < 50; ++i)
            QCOMPARE(f.engine->state().trialsOf(one)[i]->trial->parameters,
                f.engine->state().trialsOf(two)[i]->trial->parameters);
    }

    void aGridEndsByItselfAndGoesOnAfterARestart()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create([](ExperimentSpec& spec) {
            spec.searchSpace = *parseJson("{\"a\": {\"_type\": \"choice\", \"_value\": [1, 2, 3, 4, 5]}, "
                                          "\"b\": {\"_type\": \"choice\", \"_value\": [1, 2, 3, 4, 5]}}");
            spec.tunerName = u"GridSearch"_s;
        });
        QTRY_COMPARE(f.experiment(e)->count(TrialStatus::running), 4);
        f.configure = [](fakes::FakePlatform& platform) {
            platform.onRun = [&platform](const TrialId& id) { platform.finish(id); };
        };
        f.restart();
        f.fake->setMachines({machineWith(0)});
        const QList<TrialId> known = f.world->trials.empty() ? QList<TrialId>() : [&] {
            QList<TrialId> ids;
            for (const auto& [id, trial] : f.world->trials)
                ids.append(id);
            return ids;
        }();
        for (const TrialId& id : known)
            if (f.world->trials[id].status == TrialStatus::running)
                f.fake->finish(id);
        QTRY_COMPARE(f.experiment(e)->state, ExperimentState::done);
        QSet<QByteArray> points;
        for (const engine::TrialEntry* entry : f.engine->state().trialsOf(e))
            points.insert(entry->trial->parameters);
        QCOMPARE(points.size(), 25);
        QCOMPARE(f.engine->state().trialsOf(e).size(), size_t(25));
    }

    /// A stop that is asked for while a submission is being committed.
    void aSubmissionThatMeetsAStopLeavesNothingWaiting()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        QTRY_COMPARE(f.experiment(e)->state, ExperimentState::running);
        std::optional<Result<api::Reply>> submitted;
        std::optional<Result<api::Reply>> stopped;
        f.engine->execute(api::SubmitTrials{e, QList<api::TrialSubmission>(2), {}},
            [&](Result<api::Reply> reply) { submitted = std::move(reply); });
        f.engine->execute(api::ActOnExperiment{e, api::ExperimentAction::stop},
            [&](Result<api::Reply> reply) { stopped = std::move(reply); });
        QTRY_VERIFY(submitted && stopped);
        QVERIFY(submitted->has_value() && stopped->has_value());
        const std::vector<engine::TrialEntry*>& trials = f.engine->state().trialsOf(e);
        QCOMPARE(trials.size(), size_t(2));
        for (const engine::TrialEntry* entry : trials) {
            QTRY_COMPARE(entry->trial->status, TrialStatus::sys_canceled);
            QCOMPARE(entry->trial->reason, u"The experiment was stopped before this trial started."_s);
        }
        QTRY_COMPARE(f.experiment(e)->state, ExperimentState::stopped);
        QVERIFY(f.world->trials.empty());
        QCOMPARE(f.ask(api::SubmitTrials{e, QList<api::TrialSubmission>(1), {}}).error().kind, Kind::conflict);
    }

    /// The commit of a submission and the failure of the preparation come in either order.
    void aSubmissionThatMeetsAFailureLeavesNothingWaiting()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        QFile inTheWay(f.folder.filePath(u"code"_s)); // where the copy of the code would be made
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        QTemporaryDir code;
        int refused = 0;
        for (int round = 0; round < 20; ++round) {
            const ExperimentId e = f.create([&](ExperimentSpec& spec) { spec.codeDir = code.path(); });
            const auto reply = f.ask(api::SubmitTrials{e, QList<api::TrialSubmission>(3), {}});
            QTRY_COMPARE(f.experiment(e)->state, ExperimentState::error);
            refused += reply ? 0 : 1;
            const std::vector<engine::TrialEntry*>& trials = f.engine->state().trialsOf(e);
            QCOMPARE(trials.size(), size_t(reply ? 3 : 0));
            for (const engine::TrialEntry* entry : trials) {
                QTRY_COMPARE(entry->trial->status, TrialStatus::sys_canceled);
                QVERIFY(!entry->trial->reason.isEmpty());
            }
        }
        qInfo() << refused << "of 20 came after the failure";
        QVERIFY(f.world->trials.empty());
    }

    /// An experiment goes, with its code, while another one is made of the same folder.
    void codeStaysForWhoeverTakesIt()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        QTemporaryDir code;
        for (int i = 0; i < 300; ++i) { // so that taking it takes a while
            QFile script(code.filePath(u"train-%1.sh"_s.arg(i)));
            QVERIFY(script.open(QIODevice::WriteOnly) && script.write("true\n") > 0);
        }
        const auto make = [&] { return f.create([&](ExperimentSpec& spec) { spec.codeDir = code.path(); }); };
        const auto scriptOf = [&](const ExperimentId& id) {
            return f.folder.filePath(u"code/"_s + f.experiment(id)->spec.codeHash + u"/train-299.sh"_s);
        };
        const auto remove = [&](const ExperimentId& id) {
            auto done = std::make_shared<bool>(false);
            f.engine->execute(api::ActOnExperiment{id, api::ExperimentAction::remove},
                [done](const Result<api::Reply>& reply) { *done = reply.has_value(); });
            return done;
        };
        ExperimentId before = make();
        for (int round = 0; round < 6; ++round) {
            QTRY_COMPARE(f.experiment(before)->state, ExperimentState::running);
            QVERIFY(QFile::exists(scriptOf(before)));
            QVERIFY(f.ask(api::ActOnExperiment{before, api::ExperimentAction::stop}).has_value());
            std::shared_ptr<bool> removed;
            if (round % 2 == 1)
                removed = remove(before);
            const ExperimentId next = make();
            if (!removed) {
                QCOMPARE(f.experiment(next)->state, ExperimentState::preparing);
                removed = remove(before);
            }
            QTRY_VERIFY(*removed);
            QTRY_COMPARE(f.experiment(next)->state, ExperimentState::running);
            QVERIFY2(QFile::exists(scriptOf(next)), qPrintable(u"round %1"_s.arg(round)));
            before = next;
        }
        // The last one takes it along.
        const QString last = scriptOf(before);
        QVERIFY(f.ask(api::ActOnExperiment{before, api::ExperimentAction::stop}).has_value());
        const std::shared_ptr<bool> removed = remove(before);
        QTRY_VERIFY(*removed);
        QVERIFY(!QFile::exists(last));
    }

    /// The code of an ended experiment was cleaned up, or somebody deleted it: it is taken again before a trial runs.
    void codeThatIsGoneIsTakenAgain()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        QTemporaryDir code;
        QFile script(code.filePath(u"train.sh"_s));
        QVERIFY(script.open(QIODevice::WriteOnly) && script.write("true\n") > 0);
        script.close();
        const ExperimentId e = f.create([&](ExperimentSpec& spec) {
            spec.codeDir = code.path();
            spec.maxTrialNumber = 1;
        });
        QList<TrialId> ids = f.submit(e, 1);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        const QString folder = f.folder.filePath(u"code/"_s + f.experiment(e)->spec.codeHash);
        f.fake->finish(ids[0], 1);
        QTRY_COMPARE(f.experiment(e)->state, ExperimentState::done);
        QVERIFY(f.ask(api::ActOnExperiment{e, api::ExperimentAction::cleanup}).has_value());
        QTRY_VERIFY(!QDir(folder).exists());
        bool wasThere = false;
        f.fake->onRun = [&](const TrialId&) { wasThere = QFile::exists(folder + u"/train.sh"_s); };
        QVERIFY(f.ask(api::RetryTrials{.selection = {.ids = {ids[0].value}}, .overrides = {}}).has_value());
        QTRY_COMPARE(f.experiment(e)->count(TrialStatus::running), 1);
        QVERIFY(wasThere);

        const ExperimentId open = f.create([&](ExperimentSpec& spec) { spec.codeDir = code.path(); });
        ids = f.submit(open, 1);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        QVERIFY(QDir(folder).removeRecursively());
        f.fake->end(ids[0], TrialStatus::failed, u"The code folder cannot be read."_s, FailureClass::startFailed);
        QTRY_VERIFY(QFile::exists(folder + u"/train.sh"_s));
        QTRY_COMPARE(f.experiment(open)->state, ExperimentState::running);
    }

    /// Trials that the store did not take are no trials of the experiment.
    void aRefusedSubmissionDoesNotFillTheExperiment()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.maxTrialNumber = 2; });
        QTRY_COMPARE(f.experiment(e)->state, ExperimentState::running);
        rlimit usual{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &usual), 0);
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit none{0, usual.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &none), 0);
        const auto refused = f.ask(api::SubmitTrials{e, QList<api::TrialSubmission>(2), {}});
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &usual), 0);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!refused.has_value());
        QList<TrialId> ids;
        QTRY_VERIFY(ids.size() == 1 || !(ids = f.submit(e, 1)).isEmpty());
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        f.fake->finish(ids[0]);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::succeeded);
        QCOMPARE(f.experiment(e)->state, ExperimentState::running);
        ids = f.submit(e, 1);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        f.fake->finish(ids[0]);
        QTRY_COMPARE(f.experiment(e)->state, ExperimentState::done);
    }

    /// As a store may hold it that an earlier version has written.
    void whatIsStoredOfAnExperimentIsCorrectedByItsTrials()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const auto serial = [](ExperimentSpec& spec) {
            spec.trialConcurrency = 1;
            spec.maxTrialNumber = 2;
        };
        const ExperimentId ended = f.create(serial);
        const QList<TrialId> open = f.submit(ended, 2);
        const ExperimentId done = f.create(serial);
        const QList<TrialId> rest = f.submit(done, 2);
        QTRY_COMPARE(f.status(open[0]), TrialStatus::running);
        QTRY_COMPARE(f.status(rest[0]), TrialStatus::running);
        f.stop();
        {
            store::Store store(f.folder.path());
            const auto loaded = QCoro::waitFor(store.open());
            QVERIFY(loaded.has_value());
            store::Batch batch;
            for (const ExperimentPtr& experiment : loaded->experiments) {
                auto wrong = std::make_shared<Experiment>(*experiment);
                wrong->state = wrong->id == done ? ExperimentState::done : ExperimentState::stopped;
                wrong->counts = {};
                wrong->nextSequenceId = 1;
                batch.experiments.append(wrong);
            }
            QVERIFY(QCoro::waitFor(store.committed(batch, store::Durability::full)).has_value());
            QCoro::waitFor(store.close());
        }
        f.start();
        QTRY_COMPARE(f.status(open[0]), TrialStatus::sys_canceled); // was running
        QTRY_COMPARE(f.status(open[1]), TrialStatus::sys_canceled);
        QCOMPARE(f.experiment(ended)->state, ExperimentState::stopped);
        QCOMPARE(f.experiment(ended)->count(TrialStatus::sys_canceled), 2);
        QCOMPARE(f.experiment(ended)->nextSequenceId, 2);
        QTRY_COMPARE(f.experiment(done)->state, ExperimentState::running);
        f.fake->finish(rest[0]);
        QTRY_COMPARE(f.status(rest[1]), TrialStatus::running);
        QCOMPARE(f.experiment(done)->state, ExperimentState::running);
        f.fake->finish(rest[1]);
        QTRY_COMPARE(f.experiment(done)->state, ExperimentState::done);
        QCOMPARE(f.experiment(done)->count(TrialStatus::succeeded), 2);
    }

    void pauseStopAndCleanup()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        QTRY_COMPARE(f.experiment(e)->state, ExperimentState::running);
        QVERIFY(f.ask(api::ActOnExperiment{e, api::ExperimentAction::pause}).has_value());
        const QList<TrialId> ids = f.submit(e, 2);
        QTRY_VERIFY2(f.trial(ids[0])->reason.contains(u"paused"), qPrintable(f.trial(ids[0])->reason));
        f.restart();
        QCOMPARE(f.experiment(e)->state, ExperimentState::paused);
        f.fake->setMachines({machineWith(0)});
        QVERIFY(f.ask(api::ActOnExperiment{e, api::ExperimentAction::resume}).has_value());
        QTRY_COMPARE(f.status(ids[1]), TrialStatus::running);
        const auto cleanup = f.ask(api::ActOnExperiment{e, api::ExperimentAction::cleanup});
        QVERIFY(cleanup.has_value());
        QTRY_COMPARE(f.experiment(e)->state, ExperimentState::stopped);
        QTRY_COMPARE(
            f.engine->state().requests.value(OperationId(cleanup->document["requestId"].get<QString>()))->state,
            OperationState::succeeded);
        QVERIFY(f.world->trials.empty());
        api::SubmitTrials late{e, QList<api::TrialSubmission>(1), {}};
        QCOMPARE(f.ask(late).error().kind, Kind::conflict);
        QVERIFY(f.ask(api::ActOnExperiment{e, api::ExperimentAction::remove}).has_value());
        QVERIFY(!f.experiment(e));
        f.restart();
        QVERIFY(!f.experiment(e));
    }

    void theQueueCanBeReordered()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.trialConcurrency = 1; });
        const QList<TrialId> ids = f.submit(e, 5);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        QVERIFY(f.ask(api::MoveQueue{{ids[4].value, ids[3].value}, ids[1].value}).has_value());
        QVERIFY(f.trial(ids[4])->queueOrder < f.trial(ids[3])->queueOrder);
        QVERIFY(f.trial(ids[3])->queueOrder < f.trial(ids[1])->queueOrder);
        f.fake->finish(ids[0]);
        QTRY_COMPARE(f.status(ids[4]), TrialStatus::running);
        f.fake->finish(ids[4]);
        QTRY_COMPARE(f.status(ids[3]), TrialStatus::running);
        f.fake->finish(ids[3]);
        QTRY_COMPARE(f.status(ids[1]), TrialStatus::running);
    }

    void notesOutliveTheService()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.trialConcurrency = 1; });
        const QList<TrialId> ids = f.submit(e, 2);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        f.fake->finish(ids[0]);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::succeeded);
        api::PatchTrials write;
        write.selection.ids = {ids[0].value, ids[1].value}; // one that has ended, one that has not
        write.set.note = u" größer\nonce more \n"_s;
        QVERIFY(f.ask(write).has_value());
        for (const TrialId& id : ids)
            QCOMPARE(f.trial(id)->note, u"größer\nonce more"_s);
        f.restart();
        f.fake->setMachines({machineWith(0)});
        QCOMPARE(f.mirror->trial(ids[0])->note, u"größer\nonce more"_s);
        // What is said of a run is not said of the next one.
        api::RetryTrials retry;
        retry.selection.ids = {ids[0].value};
        const auto retried = f.ask(retry);
        QVERIFY(retried.has_value());
        QCOMPARE(f.trial(TrialId(retried->document["trials"][0]["id"].get<QString>()))->note, QString());
        write.set.note = QString(core::maxNoteLength + 1, u'x');
        const auto tooLong = f.ask(write);
        QVERIFY(!tooLong && tooLong.error().message.contains(u"up to 2000 characters"_s));
        QCOMPARE(f.trial(ids[0])->note, u"größer\nonce more"_s);
        write.set.note = QString();
        QVERIFY(f.ask(write).has_value());
        f.restart();
        QCOMPARE(f.trial(ids[0])->note, QString());
    }

    void theQueueIsSeenAsItIsServed()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.trialConcurrency = 1; });
        const QList<TrialId> ids = f.submit(e, 6);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        api::PatchTrials urgent;
        urgent.selection.ids = {ids[5].value};
        urgent.set.priority = 2;
        QVERIFY(f.ask(urgent).has_value());
        QVERIFY(f.ask(api::MoveQueue{{ids[4].value}, ids[5].value}).has_value());
        QVERIFY(f.ask(api::MoveQueue{{ids[5].value}, {}}).has_value());
        QVERIFY(f.ask(api::MoveQueue{{ids[3].value}, ids[0].value}).has_value()); // which runs already
        // What a client sees, from its own copy of the records, is the order in which they are started.
        const auto queue = [&] {
            api::TrialQuery query;
            query.sort = u"queue"_s;
            query.statuses = {TrialStatus::waiting};
            QList<TrialId> order;
            const auto page = api::queryTrials(*f.mirror, query);
            for (const TrialPtr& trial : page->trials)
                order.append(trial->id);
            return order;
        };
        const QList<TrialId> wanted{ids[4], ids[3], ids[1], ids[2], ids[5]};
        QTRY_COMPARE(queue(), wanted);
        f.restart();
        f.fake->setMachines({machineWith(0)});
        QTRY_COMPARE(queue(), wanted);
        QTRY_VERIFY(f.fake->calls.contains(u"adopt "_s + ids[0].value));
        QList<TrialId> served;
        f.fake->onRun = [&](const TrialId& id) { served.append(id); };
        f.fake->finish(ids[0]);
        for (const TrialId& id : wanted) {
            QTRY_COMPARE(f.status(id), TrialStatus::running);
            f.fake->finish(id);
        }
        QCOMPARE(served, wanted);
        f.fake->onRun = {};
    }

    void cancellingTheHeadTouchesNoOther()
    {
        EngineFixture f;
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.trialConcurrency = 1; });
        const QList<TrialId> ids = f.submit(e, 500); // without a machine all wait
        QTRY_VERIFY_WITH_TIMEOUT(f.mirror->trial(ids.last())->reason.contains(u"no machine"_s), 30'000);
        f.changes.clear();
        api::CancelTrials cancel;
        cancel.selection.ids = {ids.first().value};
        QVERIFY(f.ask(cancel).has_value());
        QTRY_COMPARE(f.mirror->trial(ids.first())->status, TrialStatus::user_canceled);
        for (const api::ChangePtr& change : std::as_const(f.changes))
            for (const TrialPtr& trial : change->trials)
                QCOMPARE(trial->id, ids.first());
    }

    void badExperimentsAreRefusedWithASentence_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("says");
        QTest::newRow("platform") << u"platform"_s << u"nowhere"_s;
        QTest::newRow("command") << u"command"_s << u"trialCommand"_s;
        QTest::newRow("code") << u"code"_s << u"/does/not/exist"_s;
        QTest::newRow("code of its own") << u"own"_s << u"belongs to Trialdeck itself"_s;
        QTest::newRow("space") << u"space"_s << u"lr"_s;
        QTest::newRow("tuner") << u"tuner"_s << u"TPE"_s;
        QTest::newRow("pattern") << u"pattern"_s << u"value"_s;
        QTest::newRow("environment") << u"environment"_s << u"A B"_s;
    }
    void badExperimentsAreRefusedWithASentence()
    {
        QFETCH(QString, what);
        QFETCH(QString, says);
        EngineFixture f;
        api::CreateExperiment create;
        create.spec.trialCommand = u"true"_s;
        create.spec.platformId = PlatformId(u"local"_s);
        if (what == u"platform")
            create.spec.platformId = PlatformId(u"nowhere"_s);
        else if (what == u"command")
            create.spec.trialCommand = u"  "_s;
        else if (what == u"code")
            create.spec.codeDir = u"/does/not/exist"_s;
        else if (what == u"own")
            create.spec.codeDir = f.folder.path();
        else if (what == u"space")
            create.spec.searchSpace = *parseJson("{\"lr\": {\"_type\": \"uniform\", \"_value\": [2, 1]}}");
        else if (what == u"tuner")
            create.spec.searchSpace = *parseJson("{\"lr\": {\"_type\": \"uniform\", \"_value\": [1, 2]}}"),
            create.spec.tunerName = u"TPE"_s;
        else if (what == u"pattern")
            create.spec.metricPattern = u"acc ([0-9]+)"_s;
        else
            create.spec.environment.insert(u"A B"_s, u"1"_s);
        const auto reply = f.ask(create);
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, Kind::invalid);
        QVERIFY2(reply.error().message.contains(says), qPrintable(reply.error().message));
    }

    void theTwelveFunctions()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        engine::EngineTrainingService service(*f.engine, e);
        QVERIFY(service.isMultiPhaseJobSupported());
        QVERIFY(QCoro::waitFor(service.setClusterMetadata(u"nni_manager_ip"_s, "{\"nniManagerIp\": \"10.0.0.1\"}"))
                    .has_value());
        QVERIFY(QCoro::waitFor(service.getClusterMetadata(u"nni_manager_ip"_s))->contains("10.0.0.1"));
        QList<services::TrialJobMetric> told;
        const int listener =
            service.addTrialJobMetricListener([&](const services::TrialJobMetric& metric) { told.append(metric); });
        const services::TrialJobForm form{
            5, "{\"parameter_id\": 5, \"parameters\": {\"x\": 1e-4}, \"parameter_index\": 0}", 0, u"aB3xY"_s};
        const auto submitted = QCoro::waitFor(service.submitTrialJob(form));
        QVERIFY(submitted.has_value());
        QCOMPARE((*submitted)->status, TrialStatus::waiting);
        QCOMPARE((*submitted)->parameterCfg, form.value);
        const TrialId id = (*submitted)->id;
        QTRY_COMPARE(f.status(id), TrialStatus::running);
        QCOMPARE(f.world->trials[id].spec.jobId, u"aB3xY"_s);
        QCOMPARE(f.world->trials[id].spec.parameterCfg, form.value);
        f.fake->write(id, Stream::file, "{\"metric\": NaN}\n");
        QTRY_COMPARE(told.size(), 1);
        QCOMPARE(told[0].id, u"aB3xY"_s);
        QCOMPARE((*parseJson(told[0].data))["value"].get<QString>(), u"NaN"_s);
        service.removeTrialJobMetricListener(listener);
        const services::TrialJobForm next{
            5, "{\"parameter_id\": 6, \"parameters\": {\"x\": 2}, \"parameter_index\": 1}", 1, {}};
        QVERIFY(QCoro::waitFor(service.updateTrialJob(u"aB3xY"_s, next)).has_value());
        QCOMPARE(f.world->trials[id].parameters.value(1), next.value);
        QCOMPARE(QCoro::waitFor(service.getTrialJob(u"none"_s)).error().kind, Kind::not_found);
        QVERIFY(QCoro::waitFor(service.cancelTrialJob(u"aB3xY"_s, true)).has_value());
        QTRY_COMPARE(f.status(id), TrialStatus::early_stopped);
        QCOMPARE(QCoro::waitFor(service.listTrialJobs())->size(), 1);
        QVERIFY(QCoro::waitFor(service.cleanUp()).has_value());
        QVERIFY(QCoro::waitFor(service.run()).has_value());
        QVERIFY(f.world->trials.empty());
    }

    void whatIsAskedIsNotAheadOfWhatWasTold()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create();
        engine::EngineTrainingService service(*f.engine, e);
        const QList<TrialId> ids = f.submit(e, 1);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        QTRY_COMPARE(f.mirror->trial(ids[0])->status, TrialStatus::running);
        f.fake->finish(ids[0]);
        QCOMPARE(f.mirror->trial(ids[0])->status,
            TrialStatus::running); // changes are delivered in the next turn of the event loop
        const auto got = QCoro::waitFor(service.getTrialJob(ids[0].value));
        QVERIFY(got);
        QCOMPARE(f.mirror->trial(ids[0])->status, (*got)->status);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::succeeded);
        const auto list = QCoro::waitFor(service.listTrialJobs());
        QVERIFY(list);
        QCOMPARE(list->value(0)->status, TrialStatus::succeeded);
        QCOMPARE(f.mirror->trial(ids[0])->status, TrialStatus::succeeded);
    }

    void printedLinesBecomeMetricsByThePattern()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.metricPattern = u"acc (?<value>[0-9.]+)"_s; });
        const QList<TrialId> ids = f.submit(e, 1);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        f.fake->write(ids[0], Stream::stdout_lines, "epoch 1 acc 0.5\nepoch 2 acc 0.25\n");
        f.fake->finish(ids[0]);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::succeeded);
        QCOMPARE(f.trial(ids[0])->metricCount, 2);
        QCOMPARE(f.trial(ids[0])->finalMetric->value.number, 0.25);
    }

    void whatIsPrintedBeforeACancelCounts()
    {
        EngineFixture f;
        f.fake->setMachines({machineWith(0)});
        f.fake->autoCancel = false;
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.metricPattern = u"acc (?<value>[0-9.]+)"_s; });
        const QList<TrialId> ids = f.submit(e, 1);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::running);
        api::CancelTrials cancel;
        cancel.selection.ids = {ids[0].value};
        QVERIFY(f.ask(cancel).has_value());
        constexpr int lines = 1'000; // more than the worker reads before it hears of the end
        for (int i = 0; i < lines; ++i)
            f.fake->write(ids[0], Stream::stdout_lines, "acc 0.5\n");
        f.fake->end(ids[0], TrialStatus::user_canceled);
        QTRY_COMPARE(f.status(ids[0]), TrialStatus::user_canceled);
        QCOMPARE(f.trial(ids[0])->metricCount, lines);
    }
};

QTEST_GUILESS_MAIN(TestEngine)
#include "tst_engine.moc"
