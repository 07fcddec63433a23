// SPDX-License-Identifier: GPL-3.0-or-later
// A wall clock that is put forward or back, and a computer that sleeps. What is measured while the service lives is measured by the
// steady clock, which stands still while the computer sleeps; what is taken up again goes by the wall clock and the recorded start: a
// clock that was put back gives no more than the limit once more, one that is ahead ends it, since elsewhere the time has passed.
#include "engine_fixture.h"
#include "tests/fakes/fake_clock.h"

using namespace core;
using platforms::Stream;

class TestEngineClocks : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup() { m.reset(); }
    void aJumpChangesNothing_data() { jumps(); }
    void aJumpChangesNothing();
    void limitsGoByTheSteadyClock_data() { jumps(); }
    void limitsGoByTheSteadyClock();
    void aStartIsTriedAgainSoon_data() { jumps(); }
    void aStartIsTriedAgainSoon();
    void aMachineThatWasLostWhileAsleep_data();
    void aMachineThatWasLostWhileAsleep();

private:
    static constexpr qint64 minuteMs = 60'000;
    static constexpr qint64 hourMs = 60 * minuteMs;

    static void jumps()
    {
        QTest::addColumn<qint64>("jump"); // milliseconds
        QTest::newRow("forward, as after a sleep") << 8 * hourMs;
        QTest::newRow("back") << -3 * hourMs;
    }

    struct Bench
    {
        fakes::FakeClock clock;
        EngineFixture f{clock};
        ExperimentId e;
        QList<TrialId> ids;
    };
    /// What waits for a timer of the engine waits for this clock, which goes on slowly until the condition holds.
    bool comes(const std::function<bool()>& condition, qint64 stepMs = 10)
    {
        return QTest::qWaitFor(
            [&] {
                m->clock.advance(stepMs);
                return condition();
            },
            30'000);
    }
    void pass(qint64 ms)
    {
        for (const qint64 end = m->clock.steadyMs() + ms; m->clock.steadyMs() < end;) {
            m->clock.advance(std::min(minuteMs, end - m->clock.steadyMs()));
            QCoreApplication::processEvents();
        }
    }
    /// Starts as many trials as run at once, and one that waits.
    void begin(int trials, const std::function<void(ExperimentSpec&)>& modify = {})
    {
        m->e = m->f.create([&](ExperimentSpec& spec) {
            spec.trialConcurrency = trials;
            if (modify)
                modify(spec);
        });
        m->ids = m->f.submit(m->e, trials + 1);
        QCOMPARE(m->ids.size(), trials + 1);
        for (int i = 0; i < trials; ++i)
            QVERIFY(comes([&] { return m->f.status(m->ids[i]) == TrialStatus::running; }));
    }
    void report(const TrialId& id, int from, int to)
    {
        for (int value = from; value < to; ++value)
            m->f.fake->write(id, Stream::file, "{\"metric\": " + QByteArray::number(value) + "}\n");
    }
    QList<int> values(const TrialId& id)
    {
        QList<int> out;
        for (const Json& metric : m->f.metrics(id)) {
            if (metric["sequence"].get<int>() != out.size())
                return {-1};
            out.append(metric["value"].get<int>());
        }
        return out;
    }
    static QList<int> upTo(int count)
    {
        QList<int> out;
        for (int i = 0; i < count; ++i)
            out.append(i);
        return out;
    }

    std::unique_ptr<Bench> m;
};

void TestEngineClocks::init()
{
    m = std::make_unique<Bench>();
    Machine machine;
    machine.id = MachineId(u"local"_s);
    machine.platformId = PlatformId(u"local"_s);
    machine.address = u"this computer"_s;
    machine.state = MachineState::ready;
    m->f.fake->setMachines({machine});
}

void TestEngineClocks::aJumpChangesNothing()
{
    QFETCH(qint64, jump);
    begin(2, [](ExperimentSpec& spec) {
        spec.maxTrialDurationSeconds = 2 * 3'600;
        spec.maxDurationSeconds = 4 * 3'600;
    });
    report(m->ids[0], 0, 10);
    QTRY_COMPARE(values(m->ids[0]), upTo(10));
    const qint64 last = m->f.trial(m->ids[0])->lastContact;
    m->clock.jump(jump);
    pass(minuteMs);
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(m->f.status(m->ids[i]), TrialStatus::running);
        QVERIFY(!m->f.trial(m->ids[i])->cancelIntent);
    }
    QCOMPARE(m->f.status(m->ids[2]), TrialStatus::waiting);
    QCOMPARE(m->f.experiment(m->e)->state, ExperimentState::running);
    QCOMPARE(m->f.engine->state().machines.value(MachineId(u"local"_s))->state, MachineState::ready);
    report(m->ids[0], 10, 20);
    QTRY_COMPARE(values(m->ids[0]), upTo(20));
    QVERIFY(m->f.trial(m->ids[0])->lastContact >= last);
    // What comes now is newer, by its id too, and no end lies before its beginning.
    const QList<TrialId> more = m->f.submit(m->e, 1);
    QVERIFY(more.value(0) > m->ids[2]);
    for (int i = 0; i < 2; ++i)
        m->f.fake->finish(m->ids[i]);
    for (const TrialId& id : {m->ids[2], more[0]}) {
        QVERIFY(comes([&] { return m->f.status(id) == TrialStatus::running; }));
        m->f.fake->finish(id);
        QVERIFY(comes([&] { return m->f.status(id) == TrialStatus::succeeded; }));
    }
    for (const TrialId& id : m->ids + more) {
        const TrialPtr trial = m->f.trial(id);
        QCOMPARE(trial->status, TrialStatus::succeeded);
        QVERIFY2(trial->startTime && trial->endTime && *trial->endTime >= *trial->startTime,
            qPrintable(u"%1 to %2"_s.arg(trial->startTime.value_or(0)).arg(trial->endTime.value_or(0))));
        QCOMPARE(m->f.world->trials[id].starts, 1);
    }
}

void TestEngineClocks::limitsGoByTheSteadyClock()
{
    QFETCH(qint64, jump);
    begin(1, [](ExperimentSpec& spec) {
        spec.maxTrialDurationSeconds = 2 * 3'600;
        spec.maxDurationSeconds = 3 * 3'600;
    });
    pass(hourMs);
    m->clock.jump(jump);
    pass(hourMs - minuteMs);
    QCOMPARE(m->f.status(m->ids[0]), TrialStatus::running);
    pass(2 * minuteMs);
    QVERIFY(comes([&] { return m->f.status(m->ids[0]) == TrialStatus::early_stopped; }));
    QCOMPARE(m->f.trial(m->ids[0])->reason, u"stopped early: over maxTrialDurationSeconds (7200 s)"_s);
    QVERIFY(comes([&] { return m->f.status(m->ids[1]) == TrialStatus::running; }));
    pass(hourMs - 5 * minuteMs);
    QCOMPARE(m->f.experiment(m->e)->state, ExperimentState::running);
    pass(6 * minuteMs);
    QVERIFY(comes([&] { return m->f.experiment(m->e)->state == ExperimentState::stopping; }));
    QCOMPARE(m->f.status(m->ids[1]), TrialStatus::running); // NNI: those that run may end
}

void TestEngineClocks::aStartIsTriedAgainSoon()
{
    QFETCH(qint64, jump);
    int tries = 0;
    bool isFull = true;
    m->f.fake->onSubmit = [&](const platforms::TrialSpec& spec) -> std::optional<platforms::SubmitOutcome> {
        ++tries;
        if (!isFull)
            return std::nullopt;
        return platforms::SubmitOutcome{spec.id, {}, Error{Kind::resource, u"The disk is full."_s, {}}, false};
    };
    const ExperimentId e = m->f.create();
    const TrialId id = m->f.submit(e, 1).value(0);
    QVERIFY(comes([&] { return tries == 1 && m->f.trial(id)->reason.contains(u"disk is full"_s); }));
    m->clock.jump(jump);
    // 1, 2, 5, 10, then 30 seconds.
    for (int expected = 2; expected <= 6; ++expected) {
        const qint64 begun = m->clock.steadyMs();
        QVERIFY(comes([&] { return tries == expected; }, 500));
        QVERIFY2(m->clock.steadyMs() - begun < 45'000, qPrintable(QString::number(m->clock.steadyMs() - begun)));
    }
    m->clock.jump(-jump);
    isFull = false;
    const qint64 begun = m->clock.steadyMs();
    QVERIFY(comes([&] { return m->f.status(id) == TrialStatus::running; }, 500));
    QVERIFY2(m->clock.steadyMs() - begun < 45'000, qPrintable(QString::number(m->clock.steadyMs() - begun)));
}

void TestEngineClocks::aMachineThatWasLostWhileAsleep_data()
{
    QTest::addColumn<qint64>("jump");
    QTest::addColumn<bool>("isOver"); ///< the trial ran on for longer than it may
    QTest::newRow("eight hours of sleep") << 8 * hourMs << true;
    QTest::newRow("half an hour of sleep") << hourMs / 2 << false;
    QTest::newRow("the clock put back meanwhile") << -3 * hourMs << false;
}

/// Another computer, which did not sleep: the link is dead when this one wakes.
void TestEngineClocks::aMachineThatWasLostWhileAsleep()
{
    QFETCH(qint64, jump);
    QFETCH(bool, isOver);
    begin(1, [](ExperimentSpec& spec) { spec.maxTrialDurationSeconds = 2 * 3'600; });
    report(m->ids[0], 0, 10);
    pass(hourMs);
    m->clock.jump(jump);
    m->f.fake->lose(MachineId(u"local"_s));
    QVERIFY(comes([&] { return m->f.status(m->ids[0]) == TrialStatus::unknown; }));
    report(m->ids[0], 10, 20);
    pass(minuteMs);
    QCOMPARE(m->f.status(m->ids[0]), TrialStatus::unknown);
    QVERIFY(!m->f.trial(m->ids[0])->cancelIntent);
    m->f.fake->back();
    if (isOver) {
        QVERIFY(comes([&] { return m->f.status(m->ids[0]) == TrialStatus::early_stopped; }));
    } else {
        QVERIFY(comes([&] { return m->f.status(m->ids[0]) == TrialStatus::running; }));
        pass(20 * minuteMs);
        QCOMPARE(m->f.status(m->ids[0]), TrialStatus::running);
        pass(2 * hourMs);
        QVERIFY(comes([&] { return m->f.status(m->ids[0]) == TrialStatus::early_stopped; }));
    }
    QTRY_COMPARE(values(m->ids[0]), upTo(20));
    QCOMPARE(m->f.world->trials[m->ids[0]].starts, 1);
}

QTEST_GUILESS_MAIN(TestEngineClocks)
#include "tst_engine_clocks.moc"
