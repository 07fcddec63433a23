// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine's state hands to the store while writes fail: later ones do not overtake those that came back.
#include "services/engine/state/engine_state.h"
#include "tests/fakes/fake_clock.h"
#include "tests/services/store/store_samples.h"

#include <QMutex>
#include <QTemporaryDir>
#include <QTest>
#include <QWaitCondition>

#include <atomic>
#include <csignal>
#include <sys/resource.h>

using namespace core;
using namespace Qt::StringLiterals;
using store::Durability;

/// A state over a real store whose writes wait for the test, which lets them through or makes them fail.
class GatedStore
{
public:
    GatedStore() { std::signal(SIGXFSZ, SIG_IGN); }
    ~GatedStore()
    {
        let(passes);
        QCoro::waitFor(store.close());
    }

    enum What { waits, passes, fails };
    /// What every write does from here on; one that waits goes on with it.
    void let(What what)
    {
        const QMutexLocker lock(&m_mutex);
        m_what = what;
        m_changed.wakeAll();
    }
    /// Lets the write that waits go on with `what`; the next one waits again.
    void letOne(What what)
    {
        const QMutexLocker lock(&m_mutex);
        m_one = what;
        m_changed.wakeAll();
    }
    [[nodiscard]] int begun() const { return m_begun; }
    [[nodiscard]] int ended() const { return m_ended; }

private:
    /// On the store's thread. A file that may not grow fails as a full one does.
    void around(bool written)
    {
        rlimit limit{};
        ::getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = limit.rlim_max;
        if (!written) {
            ++m_begun;
            QMutexLocker lock(&m_mutex);
            while (m_what == waits && m_one == waits)
                m_changed.wait(&m_mutex);
            const What what = m_one != waits ? std::exchange(m_one, waits) : m_what;
            if (what == fails)
                limit.rlim_cur = 0;
        }
        ::setrlimit(RLIMIT_FSIZE, &limit);
        if (written)
            ++m_ended;
    }

    QMutex m_mutex;
    QWaitCondition m_changed;
    What m_what = passes;
    What m_one = waits;
    std::atomic<int> m_begun = 0;
    std::atomic<int> m_ended = 0;

public:
    QTemporaryDir folder;
    fakes::FakeClock clock;
    engine::ChangeFeed changes{u"e"_s, [] {}, [](engine::Change&) {}};
    store::Store store{folder.path(), [this](bool written) { around(written); }};
    engine::EngineState state{changes, store, clock};
};

class TestEngineState : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup() { m.reset(); }
    void whatIsQueuedBehindAFailedWrite_data();
    void whatIsQueuedBehindAFailedWrite();
    void aSaveWithNothingNewWaitsForTheWriteUnderWay();
    void whatIsReportedMeanwhileIsOneWrite();
    void nobodyWaitsForTheNextWrite();
    void anAnswerWhileWritesFailSaysWhy();

private:
    /// The trial reports its next value, and writes an event.
    void report()
    {
        engine::TrialEntry& entry = *m->state.trial(id);
        const qint64 sequence = entry.trial->metricCount;
        m->state.change(entry, [&](Trial& trial) { trial.metricCount = sequence + 1; });
        m->state.changeState(entry, [&](store::TrialPrivate& own) { own.fileCursor = 10 * (sequence + 1); });
        m->state.metrics(entry, {samples::metric(sequence, "0." + QByteArray::number(sequence))}, {});
        m->state.event(entry, TrialEventKind::finding, QString::number(sequence));
    }
    void save(Durability durability = Durability::normal)
    {
        const qsizetype number = m_answers.size();
        m_answers.append(u"none"_s);
        m->state.save(durability, [this, number](Result<> result) {
            m_answers[number] = result ? u"good"_s : result.error().message.text();
        });
    }
    QStringList inStore()
    {
        QStringList list;
        const auto metrics = QCoro::waitFor(m->store.readMetrics(id, 0, 1'000));
        for (const Metric& metric : metrics.value())
            list.append(u"%1=%2"_s.arg(metric.sequence).arg(QString::fromUtf8(metric.data)));
        const auto events = QCoro::waitFor(m->store.readEvents(id, 0));
        for (const TrialEvent& event : events.value())
            list.append(u"event %1=%2"_s.arg(event.sequence).arg(event.text));
        return list;
    }
    static QStringList values(int count)
    {
        QStringList list;
        for (int i = 0; i < count; ++i)
            list.append(u"%1=0.%1"_s.arg(i));
        for (int i = 0; i < count; ++i)
            list.append(u"event %1=%1"_s.arg(i));
        return list;
    }

    TrialId id;
    QStringList m_answers;
    std::unique_ptr<GatedStore> m;
};

void TestEngineState::init()
{
    m = std::make_unique<GatedStore>();
    m_answers.clear();
    QVERIFY(QCoro::waitFor(m->store.open()).has_value());
    m->state.add(samples::experiment(u"e1"_s));
    const Trial trial = samples::plainTrial(0);
    id = trial.id;
    store::Batch batch;
    batch.trials = {samples::row(trial)};
    QVERIFY(samples::commit(m->store, std::move(batch), Durability::full).has_value());
    m->state.add(std::make_shared<Trial>(trial));
    QVERIFY(QCoro::waitFor(m->state.saved(Durability::full)).has_value());
    m->let(GatedStore::waits);
}

void TestEngineState::whatIsQueuedBehindAFailedWrite_data()
{
    QTest::addColumn<int>("later"); ///< GatedStore::What the writes do that were asked for before the first one failed
    QTest::newRow("fits") << int(GatedStore::passes);
    QTest::newRow("fails, too") << int(GatedStore::fails);
}

/// Their values go into the store behind those of the failed one, whatever becomes of them: there, a value before the last is taken
/// for a replay.
void TestEngineState::whatIsQueuedBehindAFailedWrite()
{
    QFETCH(int, later);
    const int before = m->begun();
    report();
    report();
    save();
    QTRY_COMPARE(m->begun(), before + 1);
    report();
    save();
    report();
    save(Durability::full);
    m->letOne(GatedStore::fails);
    QTRY_COMPARE(m->ended(), before + 1);
    m->let(GatedStore::What(later));
    QTRY_VERIFY(m_answers[0] != u"none"_s && m_answers[1] != u"none"_s && m_answers[2] != u"none"_s);
    QVERIFY2(m_answers[0].contains(u"/store"_s), qPrintable(m_answers[0]));
    report();
    // At no moment is there one that follows a hole; a kill now loses nothing, since the agents still have what is behind.
    const QStringList meanwhile = inStore();
    m->let(GatedStore::passes);
    m->clock.advance(2'000);
    save();
    QTRY_COMPARE(m_answers.last(), u"good"_s);
    QCOMPARE(inStore(), values(5));
    QCOMPARE(meanwhile, QStringList());

    QCoro::waitFor(m->store.close());
    const auto loaded = QCoro::waitFor(m->store.open());
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->trials.value(0).trial->metricCount, 5);
    QCOMPARE(loaded->trials.value(0).state.fileCursor, 50);
    QCOMPARE(inStore(), values(5));
}

/// What it asks for is not on the disk yet.
void TestEngineState::aSaveWithNothingNewWaitsForTheWriteUnderWay()
{
    const int before = m->begun();
    report();
    save();
    QTRY_COMPARE(m->begun(), before + 1);
    save();
    QCOMPARE(m_answers, QStringList({u"none"_s, u"none"_s}));
    m->letOne(GatedStore::fails);
    QTRY_VERIFY(m_answers[1] != u"none"_s);
    QVERIFY2(m_answers[1] != u"good"_s && m_answers[1] == m_answers[0], qPrintable(m_answers.join(u'\n')));
}

void TestEngineState::whatIsReportedMeanwhileIsOneWrite()
{
    const int before = m->begun();
    report();
    save();
    QTRY_COMPARE(m->begun(), before + 1);
    for (int i = 0; i < 5; ++i) {
        report();
        save(i == 3 ? Durability::full : Durability::normal);
    }
    m->state.saveSoon(Durability::normal);
    m->let(GatedStore::passes);
    QTRY_COMPARE(m_answers, QStringList(6, u"good"_s));
    QCOMPARE(m->begun(), before + 2);
    QCOMPARE(inStore(), values(6));
    // The next one begins by itself again.
    report();
    m->state.saveSoon(Durability::normal);
    m->clock.advance(50);
    QTRY_COMPARE(m->ended(), before + 3);
    QCOMPARE(inStore(), values(7));
}

/// Then it is as far from the last one as ever: values that come all the time must not be a write each.
void TestEngineState::nobodyWaitsForTheNextWrite()
{
    const int before = m->begun();
    report();
    save();
    QTRY_COMPARE(m->begun(), before + 1);
    report();
    m->state.saveSoon(Durability::normal);
    m->let(GatedStore::passes);
    QTRY_COMPARE(m_answers[0], u"good"_s);
    QCOMPARE(m->clock.pending(), 1);
    m->clock.advance(49);
    QCOMPARE(inStore(), values(1)); // behind any write that has begun
    QCOMPARE(m->begun(), before + 1);
    m->clock.advance(1);
    QTRY_COMPARE(m->ended(), before + 2);
    QCOMPARE(inStore(), values(2));
    // What must survive a loss of power does not wait for that.
    m->let(GatedStore::waits);
    report();
    save();
    QTRY_COMPARE(m->begun(), before + 3);
    report();
    m->state.saveSoon(Durability::full);
    m->let(GatedStore::passes);
    QTRY_COMPARE(m_answers[1], u"good"_s);
    m->clock.advance(0);
    QTRY_COMPARE(m->ended(), before + 4);
    QCOMPARE(inStore(), values(4));
}

/// A client learns whether the disk is full by the error's detail, also from the second request on.
void TestEngineState::anAnswerWhileWritesFailSaysWhy()
{
    QList<Error> errors;
    const auto note = [&](const Result<>& result) {
        if (!result)
            errors.append(result.error());
    };
    m->let(GatedStore::fails);
    report();
    m->state.save(Durability::full, note);
    QTRY_COMPARE(errors.size(), 1);
    m->state.save(Durability::full, note);
    QCOMPARE(errors.size(), 2);
    QVERIFY(!errors[0].detail.isEmpty());
    QCOMPARE(errors[1].kind, errors[0].kind);
    QCOMPARE(errors[1].message, errors[0].message);
    QCOMPARE(errors[1].detail, errors[0].detail);
}

QTEST_GUILESS_MAIN(TestEngineState)
#include "tst_engine_state.moc"
