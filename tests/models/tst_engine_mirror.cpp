// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/engine_mirror.h"

#include "tests/fakes/fake_engine_client.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using api::Change;
using api::ChangePtr;

namespace {

TrialPtr trialOf(const QString& id, TrialStatus status)
{
    Trial trial;
    trial.id = TrialId(id);
    trial.status = status;
    return std::make_shared<const Trial>(trial);
}

MachinePtr machineOf(const QString& id, MachineState state)
{
    Machine machine;
    machine.id = MachineId(id);
    machine.state = state;
    return std::make_shared<const Machine>(machine);
}

ChangePtr shared(Change change)
{
    return std::make_shared<const Change>(std::move(change));
}

} // namespace

class TestEngineMirror : public QObject
{
    Q_OBJECT
private slots:
    void countsValuesByTheTrialsRecords()
    {
        fakes::FakeEngineClient client;
        models::EngineMirror mirror(client);
        const auto at = [](qint64 count) {
            auto trial = std::make_shared<Trial>(*trialOf(u"t1"_s, TrialStatus::running));
            trial->metricCount = count;
            return TrialPtr(trial);
        };
        // What a trial had before is not of this second; records without metrics count, and each value once.
        emit client.changed(shared(Change{.revision = 1, .full = true, .trials = {at(1'000)}}));
        emit client.changed(shared(Change{.revision = 2, .trials = {at(1'003)}}));
        emit client.changed(shared(Change{.revision = 3, .trials = {at(1'003)}}));
        emit client.changed(shared(Change{.revision = 4, .trials = {at(1'008)}}));
        QTRY_COMPARE(mirror.valuesPerSecond(), 8 / 4.0);
    }

    void mergesInOrder()
    {
        const TrialPtr first = trialOf(u"t1"_s, TrialStatus::waiting);
        const TrialPtr later = trialOf(u"t1"_s, TrialStatus::running);
        const TrialPtr other = trialOf(u"t2"_s, TrialStatus::waiting);
        Change a{.revision = 1, .trials = {first, other}};
        Change b{.revision = 2, .trials = {later}};
        const ChangePtr one = models::merged({shared(a), shared(b)});
        QCOMPARE(one->revision, 2);
        QCOMPARE(one->trials, (QList<TrialPtr>{later, other}));
    }

    void aMergedChangeHasTheEffectOfItsParts()
    {
        // A machine that goes and comes back, one that comes and goes, and one that only goes.
        Change start{.epoch = u"e"_s, .revision = 1, .full = true};
        start.machines = {machineOf(u"a"_s, MachineState::ready), machineOf(u"b"_s, MachineState::ready)};
        QList<ChangePtr> steps;
        Change gone{.epoch = u"e"_s, .revision = 2};
        gone.removed.machines = {MachineId(u"a"_s), MachineId(u"b"_s)};
        Change back{.epoch = u"e"_s, .revision = 3};
        back.machines = {machineOf(u"a"_s, MachineState::silent), machineOf(u"c"_s, MachineState::ready)};
        Change last{.epoch = u"e"_s, .revision = 4};
        last.removed.machines = {MachineId(u"c"_s)};
        steps = {shared(gone), shared(back), shared(last)};

        api::Mirror stepwise;
        api::Mirror atOnce;
        stepwise.apply(start);
        atOnce.apply(start);
        for (const ChangePtr& step : steps)
            stepwise.apply(*step);
        atOnce.apply(*models::merged(steps));
        QCOMPARE(atOnce.machines().list(), stepwise.machines().list());
        QCOMPARE(atOnce.machines().list().size(), 1);
        QCOMPARE(atOnce.machines().list().first()->state, MachineState::silent);
        QCOMPARE(atOnce.revision(), 4);
    }

    void aFullStateForgetsWhatCameBefore()
    {
        Change before{.revision = 1, .trials = {trialOf(u"t1"_s, TrialStatus::running)}};
        Change full{.revision = 2, .full = true, .trials = {trialOf(u"t2"_s, TrialStatus::running)}};
        const ChangePtr alone = shared(full);
        QCOMPARE(models::merged({shared(before), alone}), alone); // The very pointer: nothing was copied.
        Change after{.revision = 3, .trials = {trialOf(u"t3"_s, TrialStatus::running)}};
        const ChangePtr merged = models::merged({shared(before), alone, shared(after)});
        QVERIFY(merged->full);
        QCOMPARE(merged->trials.size(), 2);
    }

    void tellsAtMostOnceAFrame()
    {
        fakes::FakeEngineClient client;
        models::EngineMirror mirror(client);
        QSignalSpy spy(&mirror, &models::EngineMirror::changed);
        client.begin();
        QCOMPARE(spy.count(), 1); // The first at once.
        for (int i = 0; i < 100; ++i)
            client.publish({.trials = {trialOf(u"t1"_s, i % 2 ? TrialStatus::running : TrialStatus::waiting)}});
        QVERIFY(spy.count() <= 2);
        QTRY_COMPARE(mirror.state().revision(), 101);
        QCOMPARE(spy.count(), 2);
        const auto change = spy.last().first().value<ChangePtr>();
        QCOMPARE(change->trials.size(), 1);
        QCOMPARE(change->trials.first()->status, TrialStatus::running);
    }

    void anAnswerFindsItsEffectInTheState()
    {
        fakes::FakeEngineClient client;
        models::EngineMirror mirror(client);
        client.begin();
        bool answered = false;
        mirror.execute(api::ActOnExperiment{}, [&](const auto& reply) {
            QVERIFY(reply.has_value());
            QVERIFY(mirror.state().trial(TrialId(u"t1"_s)));
            answered = true;
        });
        QCOMPARE(mirror.pendingCommands(), 1);
        client.publish({.trials = {trialOf(u"t1"_s, TrialStatus::waiting)}}); // Within the frame, so it waits.
        client.answer(api::Reply());
        QVERIFY(answered);
        QCOMPARE(mirror.pendingCommands(), 0);
    }

    void aFailureIsToldBesides()
    {
        fakes::FakeEngineClient client;
        models::EngineMirror mirror(client);
        QSignalSpy failed(&mirror, &models::EngineMirror::commandFailed);
        mirror.execute(api::ActOnExperiment{});
        client.answer(fail(Kind::conflict, u"It is stopped."_s));
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed.first().first().value<Error>().message, u"It is stopped."_s);
        bool told = false;
        mirror.ask(api::ActOnExperiment{}, [&](const auto& reply) { told = !reply; });
        client.answer(fail(Kind::conflict, u"It is stopped."_s));
        QVERIFY(told);
        QCOMPARE(failed.count(), 1);
    }

    void anAnswerAfterTheMirrorIsGoneIsDropped()
    {
        fakes::FakeEngineClient client;
        auto mirror = std::make_unique<models::EngineMirror>(client);
        mirror->execute(api::ActOnExperiment{}, [](const auto&) { QFAIL("the mirror is gone"); });
        mirror.reset();
        client.answer(api::Reply());
    }
};

QTEST_GUILESS_MAIN(TestEngineMirror)
#include "tst_engine_mirror.moc"
