// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/api/out_of_reach.h"
#include "tests/services/engine/engine_fixture.h"

using namespace core;
using api::ActOnExperiment;
using api::ExperimentAction;

namespace {

const MachineId there(u"box"_s);

QList<Machine> machineIn(MachineState state, const QString& message = {})
{
    Machine machine;
    machine.id = there;
    machine.platformId = PlatformId(u"local"_s);
    machine.address = u"box.lab"_s;
    machine.state = state;
    machine.message = message;
    return {machine};
}

/// An engine with an experiment whose trials run on one machine, which falls silent.
class Lab : public EngineFixture
{
public:
    Lab()
    {
        configure = [this](fakes::FakePlatform& platform) {
            if (!isSilent)
                return;
            platform.cancelError = platform.removeError = gone;
            platform.forgetsFacts = true;
        };
        fake->setMachines(machineIn(MachineState::ready));
        id = create();
        trials = submit(id, 2);
    }
    [[nodiscard]] bool isRunning() const
    {
        return trials.size() == 2 && status(trials[0]) == TrialStatus::running
            && status(trials[1]) == TrialStatus::running;
    }
    void silence()
    {
        isSilent = true;
        fake->cancelError = fake->removeError = gone;
        fake->lose(there);
        fake->setMachines(machineIn(MachineState::silent, u"It is silent."_s));
    }
    void wake()
    {
        isSilent = false;
        fake->cancelError.reset();
        fake->removeError.reset();
        fake->forgetsFacts = false;
        fake->setMachines(machineIn(MachineState::ready));
    }
    [[nodiscard]] Result<api::Reply> act(ExperimentAction action, bool force)
    {
        return ask(ActOnExperiment{id, action, force});
    }
    [[nodiscard]] OperationPtr cleanUp(bool force)
    {
        const auto reply = act(ExperimentAction::cleanup, force);
        if (!reply)
            return nullptr;
        const OperationId request(reply->document["requestId"].get<QString>());
        const auto state = [&] { return engine->state().requests.value(request)->state; };
        (void)QTest::qWaitFor([&] { return state() != OperationState::running; });
        return engine->state().requests.value(request);
    }
    [[nodiscard]] QString message() const
    {
        const MachinePtr machine = engine->state().machines.value(there);
        return machine ? machine->message.text() : u"no machine"_s;
    }
    [[nodiscard]] qsizetype called(const QString& call) const { return fake->calls.count(call); }

    const Error gone{Kind::network, u"box.lab does not answer."_s, {}};
    bool isSilent = false;
    ExperimentId id;
    QList<TrialId> trials;
};

} // namespace

class TestLeftBehind : public QObject
{
    Q_OBJECT
private slots:
    void nothingIsGivenUpUnasked()
    {
        Lab lab;
        QTRY_VERIFY(lab.isRunning());
        lab.silence();
        QCOMPARE(lab.status(lab.trials[0]), TrialStatus::unknown);
        Json ids = Json::array();
        for (const TrialId& trial : lab.trials)
            ids.push_back(trial.value);
        const Json expected = Json::array({{{"machineId", there.value}, {"trialIds", ids}}});
        for (const ExperimentAction action :
            {ExperimentAction::stop, ExperimentAction::cleanup, ExperimentAction::remove}) {
            const auto refused = lab.act(action, false);
            QVERIFY(!refused);
            QCOMPARE(refused.error().kind, Kind::conflict);
            QVERIFY2(refused.error().message.contains(lab.trials[1].value), qPrintable(refused.error().message));
            const Json list = api::outOfReachOf(refused.error());
            QVERIFY2(list == expected, list.dump().c_str());
        }
        QCOMPARE(lab.experiment(lab.id)->state, ExperimentState::running);
        QVERIFY(!lab.trial(lab.trials[0])->cancelIntent);
        QCOMPARE(lab.message(), u"It is silent."_s);
    }

    /// Twice, and with the machine back in between.
    void aForcedStopEndsThemHereAndLaterThere()
    {
        Lab lab;
        QTRY_VERIFY(lab.isRunning());
        lab.silence();
        for (int i = 0; i < 2; ++i) {
            QVERIFY(lab.act(ExperimentAction::stop, true));
            QCOMPARE(lab.experiment(lab.id)->state, ExperimentState::stopped);
            for (const TrialId& trial : std::as_const(lab.trials)) {
                QCOMPARE(lab.status(trial), TrialStatus::user_canceled);
                QVERIFY2(
                    lab.trial(trial)->reason.contains(u"box does not answer"), qPrintable(lab.trial(trial)->reason));
            }
            QVERIFY2(lab.message().startsWith(u"It is silent. 2 trials "), qPrintable(lab.message()));
        }
        lab.wake();
        QTRY_COMPARE(lab.world->trials.at(lab.trials[0]).status, TrialStatus::user_canceled);
        QTRY_COMPARE(lab.world->trials.at(lab.trials[1]).status, TrialStatus::user_canceled);
        QTRY_COMPARE(lab.message(), QString());
        QCOMPARE(lab.called(u"remove "_s + lab.trials[0].value), 0); // its output is kept until somebody cleans up
        const qsizetype calls = lab.fake->calls.size();
        lab.restart();
        lab.fake->setMachines(machineIn(MachineState::ready));
        QVERIFY(calls > 0);
        QCOMPARE(lab.called(u"cancel %1 user"_s.arg(lab.trials[0].value)), 0); // it is settled
        const OperationPtr cleaned = lab.cleanUp(false);
        QVERIFY(cleaned);
        QCOMPARE(cleaned->state, OperationState::succeeded);
        QVERIFY(lab.world->trials.empty());
    }

    /// The word came before the silence was noticed, or the experiment waited already.
    void theSilenceComesLater_data()
    {
        QTest::addColumn<bool>("forcedBefore");
        QTest::newRow("by force, then silence") << true;
        QTest::newRow("stopped, silence, then force") << false;
    }
    void theSilenceComesLater()
    {
        QFETCH(bool, forcedBefore);
        Lab lab;
        QTRY_VERIFY(lab.isRunning());
        lab.fake->autoCancel = false; // it hangs
        QVERIFY(lab.act(ExperimentAction::stop, forcedBefore));
        QCOMPARE(lab.experiment(lab.id)->state, ExperimentState::stopping);
        QCOMPARE(lab.status(lab.trials[0]), TrialStatus::running);
        lab.silence();
        if (!forcedBefore) {
            QCOMPARE(lab.experiment(lab.id)->state, ExperimentState::stopping);
            QVERIFY2(
                lab.experiment(lab.id)->message.contains(there.value), qPrintable(lab.experiment(lab.id)->message));
            QVERIFY(!lab.act(ExperimentAction::stop, false));
            QVERIFY(lab.act(ExperimentAction::stop, true));
        }
        QTRY_COMPARE(lab.experiment(lab.id)->state, ExperimentState::stopped);
        QVERIFY(lab.experiment(lab.id)->message.isEmpty());
        QCOMPARE(lab.status(lab.trials[1]), TrialStatus::user_canceled);
    }

    /// A cleanup that waits is carried out once somebody gives the trials up.
    void aCleanupThatWaits()
    {
        Lab lab;
        QTRY_VERIFY(lab.isRunning());
        lab.fake->autoCancel = false;
        const auto waiting = lab.act(ExperimentAction::cleanup, false);
        QVERIFY(waiting);
        lab.silence();
        const OperationPtr forced = lab.cleanUp(true);
        QVERIFY(forced);
        QCOMPARE(forced->state, OperationState::succeeded);
        QCOMPARE(forced->steps.size(), 1);
        QCOMPARE(forced->steps[0].state.value(), CheckState::warn);
        QVERIFY2(forced->steps[0].detail.contains(u"2 trial folders stay"), qPrintable(forced->steps[0].detail));
        // The other one did not ask for force: it says that it could not remove them.
        const OperationId first(waiting->document["requestId"].get<QString>());
        QTRY_COMPARE(lab.engine->state().requests.value(first)->state, OperationState::failed);
    }

    void deletedWhileTheMachineIsAway_data()
    {
        QTest::addColumn<bool>("restarted");
        QTest::newRow("one life") << false;
        QTest::newRow("the next life") << true;
    }
    void deletedWhileTheMachineIsAway()
    {
        QFETCH(bool, restarted);
        Lab lab;
        QTRY_VERIFY(lab.isRunning());
        lab.silence();
        const auto removed = lab.act(ExperimentAction::remove, true);
        QVERIFY2(removed.has_value(), removed ? "" : qPrintable(removed.error().message));
        QCOMPARE(int(removed->document["outOfReach"][0]["trialIds"].size()), 2);
        QVERIFY(!lab.experiment(lab.id));
        QVERIFY2(lab.message().contains(u"2 trials "), qPrintable(lab.message()));
        if (restarted) {
            lab.restart();
            lab.fake->setMachines(machineIn(MachineState::silent));
            QVERIFY2(lab.message().contains(u"2 trials "), qPrintable(lab.message()));
        }
        QCOMPARE(lab.called(u"remove "_s + lab.trials[0].value), 0);
        QCOMPARE(lab.world->trials.size(), size_t(2));
        lab.wake();
        // They run when it is seen again, so the first removal is refused; it is asked for again.
        QTRY_VERIFY_WITH_TIMEOUT(lab.world->trials.empty(), 10'000);
        QTRY_COMPARE(lab.message(), QString());
        lab.restart();
        lab.fake->setMachines(machineIn(MachineState::ready));
        QCOMPARE(lab.message(), QString());
        QCOMPARE(lab.called(u"remove "_s + lab.trials[0].value), 0);
    }

    /// A machine that comes back for a moment, and one whose removal fails.
    void aMachineThatComesAndGoes()
    {
        Lab lab;
        QTRY_VERIFY(lab.isRunning());
        lab.silence();
        QVERIFY(lab.act(ExperimentAction::remove, true));
        lab.fake->setMachines(machineIn(MachineState::ready)); // and does not answer after all
        lab.fake->setMachines(machineIn(MachineState::silent, u"It is silent."_s));
        QVERIFY2(lab.message().contains(u"2 trials "), qPrintable(lab.message()));
        lab.wake();
        lab.fake->removeError = Error{Kind::conflict, u"A file is in use."_s, {}};
        QTRY_COMPARE(lab.world->trials.at(lab.trials[0]).status, TrialStatus::user_canceled);
        QVERIFY2(lab.message().contains(u"2 trials "), qPrintable(lab.message()));
        lab.fake->removeError.reset();
        QTRY_VERIFY_WITH_TIMEOUT(lab.world->trials.empty(), 10'000);
        QTRY_COMPARE(lab.message(), QString());
    }

    /// A trial that was given up alone is told of, too.
    void oneTrialIsGivenUp()
    {
        Lab lab;
        QTRY_VERIFY(lab.isRunning());
        lab.silence();
        api::CancelTrials cancel;
        cancel.selection.ids = {lab.trials[1].value};
        for (const bool dryRun : {true, false}) {
            cancel.dryRun = dryRun;
            const auto waits = lab.ask(cancel);
            QVERIFY(waits);
            const Json expected = Json::array({{{"machineId", there.value}, {"trialIds", {lab.trials[1].value}}}});
            QVERIFY2(waits->document["outOfReach"] == expected, waits->document.dump().c_str());
        }
        QCOMPARE(lab.status(lab.trials[1]), TrialStatus::unknown);
        cancel.force = true;
        const auto given = lab.ask(cancel);
        QVERIFY(given && !given->document.contains("outOfReach"));
        QCOMPARE(lab.status(lab.trials[1]), TrialStatus::user_canceled);
        QCOMPARE(lab.status(lab.trials[0]), TrialStatus::unknown);
        QVERIFY2(lab.message().contains(u"1 trial "), qPrintable(lab.message()));
        lab.wake();
        lab.fake->back();
        QTRY_COMPARE(lab.world->trials.at(lab.trials[1]).status, TrialStatus::user_canceled);
        QTRY_COMPARE(lab.message(), QString());
        QTRY_COMPARE(lab.status(lab.trials[0]), TrialStatus::running);
        QCOMPARE(lab.world->trials.at(lab.trials[0]).status, TrialStatus::running);
    }
};

QTEST_GUILESS_MAIN(TestLeftBehind)
#include "tst_left_behind.moc"
