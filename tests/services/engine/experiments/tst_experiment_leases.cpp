// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/services/engine/engine_fixture.h"

#include "tests/fakes/fake_clock.h"

using namespace core;

namespace {

const QString remedy = u"Call it back."_s;

/// A clock whose timers come late, as those of a service that was stopped itself.
class StoppableClock : public fakes::FakeClock
{
public:
    [[nodiscard]] qint64 steadyMs() const override { return FakeClock::steadyMs() + stopped; }
    qint64 stopped = 0;
};

struct Bench
{
    StoppableClock clock;
    EngineFixture engine{clock};
    ExperimentId experiment;

    Bench()
    {
        engine.fake->setMachines({});
        experiment = engine.create();
        QTRY_COMPARE(engine.experiment(experiment)->state, ExperimentState::running);
    }
    Result<api::Reply> renew(qint64 seconds = 60, const QString& holder = u"NNI's manager"_s)
    {
        return engine.ask(api::RenewLease{experiment, holder, seconds, remedy});
    }
    [[nodiscard]] QString message() const { return engine.experiment(experiment)->message; }
    /// As every client sees it.
    [[nodiscard]] QString seen() const { return engine.mirror->experiments().find(experiment)->message; }
};

} // namespace

class TestExperimentLeases : public QObject
{
    Q_OBJECT
private slots:
    void whoIsNotHeardOfIsMissed()
    {
        Bench b;
        const QString since = QDateTime::fromMSecsSinceEpoch(b.clock.nowMs() + 30'000).toString(u"yyyy-MM-dd HH:mm"_s);
        QVERIFY(b.renew());
        b.clock.advance(30'000);
        QVERIFY(b.renew());
        b.clock.advance(59'999);
        QCOMPARE(b.message(), QString());
        b.clock.advance(1);
        const QString sentence = u"NNI's manager has not been heard of since "_s + since
            + u". The trials that it asked for go on; nobody asks for more. "_s + remedy;
        QCOMPARE(b.message(), sentence);
        QTRY_COMPARE(b.seen(), sentence);
        // A missed renewal ends nothing, and the experiment still takes trials of others.
        b.clock.advance(365LL * 24 * 3'600'000);
        QCOMPARE(b.engine.experiment(b.experiment)->state, ExperimentState::running);
        QCOMPARE(b.message(), sentence);
        QCOMPARE(b.engine.submit(b.experiment, 1).size(), 1);

        QVERIFY(b.renew());
        QCOMPARE(b.message(), QString());
        QTRY_COMPARE(b.seen(), QString());
        QVERIFY2(b.renew(), "twice is the same");
        b.clock.advance(60'000);
        QVERIFY2(b.message().startsWith(u"NNI's manager has"), qPrintable(b.message()));
    }

    void aJumpOfTheWallClockMissesNobody()
    {
        Bench b;
        QVERIFY(b.renew());
        b.clock.jump(24 * 3'600'000);
        b.clock.advance(59'999);
        QCOMPARE(b.message(), QString());
    }

    void aServiceThatWasStoppedListensFirst()
    {
        Bench b;
        QVERIFY(b.renew());
        b.clock.stopped = 600'000; // the timer comes ten minutes late; what was sent meanwhile waits in sockets
        b.clock.advance(60'000);
        QCOMPARE(b.message(), QString());
        QVERIFY(b.renew());
        b.clock.advance(59'000);
        QCOMPARE(b.message(), QString());
        QVERIFY(b.renew());
        b.clock.stopped += 600'000;
        b.clock.advance(60'000);
        QCOMPARE(b.message(), QString());
        b.clock.advance(10'000); // nobody renewed it
        QVERIFY2(b.message().startsWith(u"NNI's manager has"), qPrintable(b.message()));
    }

    void pauseAndResumeKeepTheSentence()
    {
        Bench b;
        QVERIFY(b.renew());
        b.clock.advance(60'000);
        const QString sentence = b.message();
        QVERIFY(!sentence.isEmpty());
        QVERIFY(b.engine.ask(api::ActOnExperiment{b.experiment, api::ExperimentAction::pause}));
        QCOMPARE(b.message(), sentence);
        QVERIFY(b.engine.ask(api::ActOnExperiment{b.experiment, api::ExperimentAction::resume}));
        QCOMPARE(b.message(), sentence);
        QVERIFY2(b.renew(), "a manager that comes back");
        QCOMPARE(b.message(), QString());
    }

    void itGoesWithTheExperimentOrWithItsHolder()
    {
        Bench b;
        QVERIFY(b.renew());
        QVERIFY(b.renew(0));
        QVERIFY(b.renew(0));
        b.clock.advance(600'000);
        QCOMPARE(b.message(), QString());

        QVERIFY(b.renew());
        b.clock.advance(60'000);
        QVERIFY(!b.message().isEmpty());
        QVERIFY(b.engine.ask(api::ActOnExperiment{b.experiment, api::ExperimentAction::stop}));
        QTRY_COMPARE(b.engine.experiment(b.experiment)->state, ExperimentState::stopped);
        QCOMPARE(b.message(), QString());
        QCOMPARE(b.renew().error().kind, Kind::conflict);
        b.clock.advance(600'000);
        QCOMPARE(b.message(), QString());
        b.experiment = ExperimentId(u"nobody"_s);
        QCOMPARE(b.renew().error().kind, Kind::not_found);
    }

    void aRestartOfTheServiceKeepsIt()
    {
        Bench b;
        QVERIFY(b.renew());
        b.engine.restart();
        b.clock.advance(59'000);
        QCOMPARE(b.message(), QString());
        QVERIFY(b.renew());
        b.clock.advance(30'000);
        b.engine.restart(); // who died with the service is missed a lease after its start
        b.clock.advance(60'000);
        QVERIFY2(b.message().startsWith(u"NNI's manager has not been heard of since the service started at "),
            qPrintable(b.message()));
        const QString sentence = b.message();
        b.engine.restart();
        QCOMPARE(b.message(), sentence);
        b.clock.advance(600'000);
        QCOMPARE(b.message(), sentence);
        QVERIFY(b.renew());
        QCOMPARE(b.message(), QString());
        QVERIFY(b.renew(0));
        b.engine.restart();
        b.clock.advance(600'000);
        QCOMPARE(b.message(), QString());
    }
};

QTEST_GUILESS_MAIN(TestExperimentLeases)
#include "tst_experiment_leases.moc"
