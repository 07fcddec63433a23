// SPDX-License-Identifier: GPL-3.0-or-later
// A place where starts fail is left alone for longer and longer, and this is reported once.
#include "services/engine/trials/start_backoff.h"
#include "tests/fakes/fake_clock.h"
#include "tests/services/engine/engine_fixture.h"

using namespace core;
using engine::StartBackoff;

class TestStartRests : public QObject
{
    Q_OBJECT

private slots:
    void eachFailureRestsLonger()
    {
        StartBackoff rests;
        const StartBackoff::Place lab{PlatformId(u"lab"_s), MachineId(u"lab1"_s)};
        const StartBackoff::Place other{PlatformId(u"lab"_s), MachineId(u"lab2"_s)};
        qint64 now = 5'000;
        for (const qint64 delay : {1'000, 2'000, 5'000, 10'000, 30'000, 30'000}) {
            QVERIFY(!rests.whyResting(lab, now));
            rests.failed(lab, u"The disk is full."_s, now);
            rests.failed(lab, u"The disk is full."_s, now + 1); // another start of the same turn
            QCOMPARE(rests.nextEnd(now), now + delay);
            QCOMPARE(rests.whyResting(lab, now + delay - 1), u"The disk is full."_s);
            QVERIFY(!rests.whyResting(other, now));
            now += delay;
        }
        QVERIFY(!rests.nextEnd(now));
        rests.over(lab);
        rests.failed(lab, u"No quota."_s, now);
        QCOMPARE(rests.nextEnd(now), now + 1'000);
        rests.failed(other, u"No quota."_s, now - 500);
        QCOMPARE(rests.nextEnd(now), now + 500);
        rests.over(PlatformId(u"lab"_s));
        QVERIFY(rests.isEmpty());
    }

    /// A lock of somebody else's on one GPU: the machine's other GPU is used at once, and the first one again after its rest.
    void aLockedGpuIsAvoidedAlone()
    {
        EngineFixture f;
        Machine machine;
        machine.id = MachineId(u"local"_s);
        machine.platformId = PlatformId(u"local"_s);
        machine.address = u"this computer"_s;
        machine.state = MachineState::ready;
        for (int i = 0; i < 2; ++i) {
            Gpu gpu;
            gpu.index = i;
            gpu.uuid = u"GPU-%1"_s.arg(i);
            machine.gpus.append(gpu);
        }
        f.fake->setMachines({machine});
        bool locked = true;
        f.fake->onSubmit = [&](const platforms::TrialSpec& spec) -> std::optional<platforms::SubmitOutcome> {
            if (!locked || !spec.gpuIndices.contains(0))
                return std::nullopt;
            const QString why =
                u"GPU 0 (GPU-0) is locked by bob, for another Trialdeck service on this machine. Wait for "
                "its trials."_s;
            return platforms::SubmitOutcome{spec.id, {}, Error{Kind::resource, why, {}}, false, u"GPU-0"_s};
        };
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.gpuNumber = 1; });
        const QList<TrialId> ids = f.submit(e, 2);
        QTRY_VERIFY(f.experiment(e)->count(TrialStatus::running) == 1);
        const bool firstRuns = f.status(ids[0]) == TrialStatus::running;
        const TrialId waits = ids[firstRuns ? 1 : 0];
        QCOMPARE(f.trial(ids[firstRuns ? 0 : 1])->gpuIndices, QList<int>{1});
        QTRY_VERIFY2(f.trial(waits)->reason.contains(u"0 free of 2"_s), qPrintable(f.trial(waits)->reason));
        QVERIFY2(
            f.trial(waits)->reason.contains(u"GPU 0 (GPU-0) is locked by bob"_s), qPrintable(f.trial(waits)->reason));
        // Trials without GPUs are not concerned.
        const ExperimentId other = f.create([](ExperimentSpec& spec) { spec.name = u"cpu"_s; });
        const QList<TrialId> cpu = f.submit(other, 1);
        QTRY_COMPARE(f.status(cpu[0]), TrialStatus::running);
        locked = false;
        QTRY_COMPARE_WITH_TIMEOUT(f.status(waits), TrialStatus::running, 60'000);
        QCOMPARE(f.trial(waits)->gpuIndices, QList<int>{0});
    }

    void aFullDiskIsTriedLessAndLess()
    {
        fakes::FakeClock clock;
        EngineFixture f(clock);
        // The store and the event loop take real time, the engine's clock advances with them.
        const auto comes = [&clock](const std::function<bool()>& condition) {
            return QTest::qWaitFor(
                [&] {
                    if (condition())
                        return true;
                    clock.advance(500);
                    return condition();
                },
                60'000);
        };
        const auto ask = [&](api::Command command) {
            std::optional<Result<api::Reply>> reply;
            f.engine->execute(std::move(command), [&](Result<api::Reply> r) { reply = std::move(r); });
            return comes([&] { return reply.has_value(); }) ? std::move(*reply)
                                                            : Result<api::Reply>(fail(Kind::timeout, u"no answer"_s));
        };
        Machine machine;
        machine.id = MachineId(u"local"_s);
        machine.platformId = PlatformId(u"local"_s);
        machine.address = u"this computer"_s;
        machine.state = MachineState::ready;
        f.fake->setMachines({machine});
        QList<qint64> tries;
        QString trouble = u"The trial's folder cannot be made. The disk is full."_s;
        f.fake->onSubmit = [&](const platforms::TrialSpec& spec) -> std::optional<platforms::SubmitOutcome> {
            tries.append(clock.steadyMs());
            if (trouble.isEmpty())
                return std::nullopt;
            return platforms::SubmitOutcome{spec.id, {}, Error{Kind::resource, trouble, {}}, false};
        };
        api::CreateExperiment create;
        create.spec.name = u"full"_s;
        create.spec.platformId = PlatformId(u"local"_s);
        create.spec.trialCommand = u"true"_s;
        const auto created = ask(create);
        QVERIFY2(created, created ? "" : qPrintable(created.error().message));
        api::SubmitTrials submit;
        submit.experiment = ExperimentId(created->document["id"].get<QString>());
        submit.trials = {api::TrialSubmission{.parameters = "{}"}};
        const auto submitted = ask(submit);
        QVERIFY2(submitted, submitted ? "" : qPrintable(submitted.error().message));
        const TrialId id(submitted->document["trials"][0]["id"].get<QString>());

        QVERIFY(comes([&] { return tries.size() >= 5; }));
        const qint64 delays[] = {1'000, 2'000, 5'000, 10'000};
        for (qsizetype i = 0; i < 4; ++i)
            QVERIFY2(tries[i + 1] - tries[i] >= delays[i], qPrintable(QString::number(tries[i + 1] - tries[i])));
        QVERIFY(comes([&] { return f.trial(id)->reason.contains(u"is out of order: The trial's folder"_s); }));
        QCOMPARE(f.status(id), TrialStatus::waiting);

        const auto told = [&] {
            QStringList texts;
            const auto reply = ask(api::ReadTrialEvents{id, 0});
            if (reply)
                for (const Json& event : reply->document["events"])
                    if (const QString text = event["text"].get<QString>(); text.startsWith(u"Back to the queue"))
                        texts += text.section(u". "_s, -1);
            return texts;
        };
        QCOMPARE(told(), QStringList{u"The disk is full."_s});
        trouble = u"No more processes. The limit is reached."_s;
        const qsizetype before = tries.size();
        QVERIFY(comes([&] { return tries.size() > before && told().size() > 1; }));
        QCOMPARE(told(), (QStringList{u"The disk is full."_s, u"The limit is reached."_s}));
        trouble.clear();
        QVERIFY(comes([&] { return f.status(id) == TrialStatus::running; }));
        f.fake->finish(id);
        QVERIFY(comes([&] { return f.status(id) == TrialStatus::succeeded; }));
    }
};

QTEST_GUILESS_MAIN(TestStartRests)
#include "tst_start_backoff.moc"
