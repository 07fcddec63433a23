// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/http/event_hub.h"

#include "tests/fakes/fake_engine_port.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace http;
using fakes::sampleMetrics;
using fakes::sampleTrial;
using fakes::shared;

class TestEventHub : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void places_data();
    void places();
    void beginsNow();
    void wakesOnce();
    void coalesces();
    void removedThenAdded();
    void filters_data();
    void filters();
    void replays();
    void replayInPieces();
    void resets_data();
    void resets();
    void forgetsByTimeAndSize();
    void metricsBecomeGaps();
    void gapsEndWhenTold();
    void holdsNoChanges();
    void newEpochResets();

private:
    void publish(Change change);
    Json taken(EventListener& listener) { return *parseJson(m_hub->take(listener)); }
    static QList<qint64> sequences(const Json& message);

    std::unique_ptr<EventHub> m_hub;
    qint64 m_revision = 0;
    qint64 m_now = 1000;
    int m_woken = 0;
};

void TestEventHub::init()
{
    m_hub = std::make_unique<EventHub>(EventLimits{100'000, 60'000, 20'000});
    m_revision = 0;
    m_now = 1000;
    m_woken = 0;
    Change full;
    full.full = true;
    publish(full);
}

void TestEventHub::publish(Change change)
{
    change.epoch = u"e.1"_s;
    change.revision = ++m_revision;
    m_hub->apply(std::make_shared<const Change>(std::move(change)), m_now);
}

QList<qint64> TestEventHub::sequences(const Json& message)
{
    QList<qint64> out;
    for (const Json& metric : message["metrics"])
        out.append(metric["sequence"].get<qint64>());
    return out;
}

void TestEventHub::places_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");
    QTest::newRow("plain") << u"abc.12"_s << true;
    QTest::newRow("dots in the epoch") << u"a.b.12"_s << true;
    for (const auto& bad : {u""_s, u"abc"_s, u".12"_s, u"abc."_s, u"abc.x"_s, u"abc.-1"_s})
        QTest::newRow(qPrintable(u"bad "_s + bad)) << bad << false;
}

void TestEventHub::places()
{
    QFETCH(QString, text);
    QFETCH(bool, good);
    const auto place = eventPlaceFromText(text);
    QCOMPARE(place.has_value(), good);
    if (good)
        QCOMPARE(place->revision, 12);
}

void TestEventHub::beginsNow()
{
    publish(Change{.trials = {shared(sampleTrial(1))}});
    const auto listener = m_hub->subscribe({}, {}, {});
    QVERIFY(listener->hasNews());
    const Json message = taken(*listener);
    QCOMPARE(message["epoch"].get<QString>(), u"e.1"_s);
    QCOMPARE(message["revision"].get<int>(), 2);
    QVERIFY(!message.contains("reset"));
    for (const char* name :
        {"platforms", "machines", "experiments", "trials", "metrics", "prompts", "requests", "gaps"})
        QVERIFY2(message[name].is_array() && message[name].empty(), name);
    for (const char* name : {"platforms", "machines", "experiments", "trials", "prompts"})
        QVERIFY2(message["removed"][name].is_array(), name);
    QVERIFY(!listener->hasNews());
}

void TestEventHub::wakesOnce()
{
    const auto listener = m_hub->subscribe({}, {}, [this] { ++m_woken; });
    (void)taken(*listener);
    publish(Change{.trials = {shared(sampleTrial(1))}});
    publish(Change{.trials = {shared(sampleTrial(2))}});
    QCOMPARE(m_woken, 1);
    (void)taken(*listener);
    publish(Change{.trials = {shared(sampleTrial(3))}});
    QCOMPARE(m_woken, 2);
}

void TestEventHub::coalesces()
{
    const auto listener = m_hub->subscribe({}, {}, {});
    (void)taken(*listener);
    Trial trial = sampleTrial(1);
    publish(Change{.trials = {shared(trial), shared(sampleTrial(2))}});
    publish(Change{.metrics = {sampleMetrics(trial.id, 0, 2)}});
    publish(Change{.metrics = {sampleMetrics(trial.id, 2, 1)}});
    trial.status = TrialStatus::succeeded;
    publish(Change{.trials = {shared(trial)}});
    const Json message = taken(*listener);
    QCOMPARE(message["revision"].get<int>(), 5);
    QCOMPARE(message["trials"].size(), size_t(2));
    QCOMPARE(message["trials"][0]["status"].get<QString>(), u"SUCCEEDED"_s);
    QCOMPARE(sequences(message), (QList<qint64>{0, 1, 2}));
}

void TestEventHub::removedThenAdded()
{
    const auto listener = m_hub->subscribe({}, {}, {});
    (void)taken(*listener);
    publish(Change{.platforms = {shared(Platform{PlatformId(u"lab"_s), u"remote"_s})}});
    Change change;
    change.removed.platforms = {PlatformId(u"lab"_s)};
    publish(change);
    Json message = taken(*listener);
    QVERIFY(message["platforms"].empty());
    QCOMPARE(message["removed"]["platforms"][0].get<QString>(), u"lab"_s);
    publish(change);
    publish(Change{.platforms = {shared(Platform{PlatformId(u"lab"_s), u"local"_s})}});
    message = taken(*listener);
    // Applied as documented, removed first, the platform is there.
    QCOMPARE(message["platforms"][0]["kind"].get<QString>(), u"local"_s);
    QCOMPARE(message["removed"]["platforms"].size(), size_t(1));
}

void TestEventHub::filters_data()
{
    QTest::addColumn<EventFilter>("filter");
    QTest::addColumn<int>("trials");
    QTest::addColumn<int>("experiments");
    QTest::addColumn<int>("platforms");
    QTest::addColumn<QList<qint64>>("metrics");
    QTest::newRow("all") << EventFilter{} << 2 << 2 << 1 << QList<qint64>{0, 1, 2, 5};
    QTest::newRow("last") << EventFilter{0x7f, MetricsMode::last, {}} << 2 << 2 << 1 << QList<qint64>{2, 5};
    QTest::newRow("none") << EventFilter{0x7f, MetricsMode::none, {}} << 2 << 2 << 1 << QList<qint64>{};
    QTest::newRow("one experiment") << EventFilter{0x7f, MetricsMode::all, ExperimentId(u"e2"_s)} << 1 << 1 << 1
                                    << QList<qint64>{5};
    QTest::newRow("trials") << EventFilter{api::kindOf<Trial>().bit, MetricsMode::all, {}} << 2 << 0 << 0
                            << QList<qint64>{};
    QTest::newRow("metrics") << EventFilter{EventFilter::metricsTopic, MetricsMode::all, {}} << 0 << 0 << 0
                             << QList<qint64>{0, 1, 2, 5};
}

void TestEventHub::filters()
{
    QFETCH(EventFilter, filter);
    QFETCH(int, trials);
    QFETCH(int, experiments);
    QFETCH(int, platforms);
    QFETCH(QList<qint64>, metrics);
    const auto listener = m_hub->subscribe(filter, {}, {});
    (void)taken(*listener);
    Experiment one, two;
    one.id = ExperimentId(u"e1"_s);
    two.id = ExperimentId(u"e2"_s);
    publish(Change{.platforms = {shared(Platform{PlatformId(u"lab"_s)})},
        .experiments = {shared(one), shared(two)},
        .trials = {shared(sampleTrial(1, u"e1"_s)), shared(sampleTrial(2, u"e2"_s))},
        .metrics = {sampleMetrics(sampleTrial(1).id, 0, 2, u"e1"_s), sampleMetrics(sampleTrial(1).id, 2, 1, u"e1"_s),
            sampleMetrics(sampleTrial(2).id, 5, 1, u"e2"_s)}});
    const Json message = taken(*listener);
    QCOMPARE(int(message["trials"].size()), trials);
    QCOMPARE(int(message["experiments"].size()), experiments);
    QCOMPARE(int(message["platforms"].size()), platforms);
    QCOMPARE(sequences(message), metrics);
}

void TestEventHub::replays()
{
    for (int i = 1; i <= 5; ++i)
        publish(Change{.trials = {shared(sampleTrial(i))}});
    const auto listener = m_hub->subscribe({}, EventPlace{u"e.1"_s, 3}, {});
    Json message = taken(*listener);
    QCOMPARE(message["revision"].get<int>(), 6);
    QCOMPARE(message["trials"].size(), size_t(3));
    QCOMPARE(message["trials"][0]["sequenceId"].get<int>(), 3);
    QVERIFY(!listener->hasNews());
    publish(Change{.trials = {shared(sampleTrial(6))}});
    message = taken(*listener);
    QCOMPARE(message["trials"].size(), size_t(1));
    // The present place: nothing to replay, but an answer at once.
    const auto present = m_hub->subscribe({}, EventPlace{u"e.1"_s, 7}, {});
    QVERIFY(present->hasNews());
    message = taken(*present);
    QVERIFY(!message.contains("reset"));
    QVERIFY(message["trials"].empty());
}

/// More than goes into one message: several follow, and what happens meanwhile comes after.
void TestEventHub::replayInPieces()
{
    m_hub = std::make_unique<EventHub>(EventLimits{64'000'000, 60'000, 4'000'000});
    m_revision = 0;
    Change full;
    full.full = true;
    publish(full);
    for (int i = 0; i < 30; ++i)
        publish(Change{.metrics = {sampleMetrics(sampleTrial(1).id, i * 1000, 1000)}});
    const auto listener = m_hub->subscribe({}, EventPlace{u"e.1"_s, 1}, [this] { ++m_woken; });
    QList<qint64> seen = sequences(taken(*listener));
    QVERIFY(listener->hasNews());
    publish(Change{.metrics = {sampleMetrics(sampleTrial(1).id, 30'000, 1)}});
    int messages = 1;
    while (listener->hasNews()) {
        const Json message = taken(*listener);
        QVERIFY(message["gaps"].empty());
        seen += sequences(message);
        ++messages;
    }
    QVERIFY(messages > 2);
    QCOMPARE(seen.size(), 30'001);
    for (qsizetype i = 0; i < seen.size(); ++i)
        QCOMPARE(seen[i], i);
    QCOMPARE(m_woken, 0); // it had news all the time
}

void TestEventHub::resets_data()
{
    QTest::addColumn<EventPlace>("since");
    QTest::newRow("other epoch") << EventPlace{u"e.0"_s, 3};
    QTest::newRow("future") << EventPlace{u"e.1"_s, 99};
    QTest::newRow("before what is kept") << EventPlace{u"e.1"_s, 0};
    QTest::newRow("no place") << EventPlace{};
}

void TestEventHub::resets()
{
    QFETCH(EventPlace, since);
    publish(Change{.trials = {shared(sampleTrial(1))}});
    const auto listener = m_hub->subscribe({}, since, {});
    Json message = taken(*listener);
    QVERIFY(message["reset"] == true);
    QCOMPARE(message["revision"].get<int>(), 2);
    QVERIFY(message["trials"].empty());
    // From here on it is live.
    publish(Change{.trials = {shared(sampleTrial(2))}});
    message = taken(*listener);
    QVERIFY(!message.contains("reset"));
    QCOMPARE(message["trials"].size(), size_t(1));
}

void TestEventHub::forgetsByTimeAndSize()
{
    publish(Change{.trials = {shared(sampleTrial(1))}}); // revision 2
    QVERIFY(m_hub->keptBytes() > 0);
    m_now += 60'001;
    m_hub->expire(m_now);
    QCOMPARE(m_hub->keptBytes(), 0);
    QVERIFY(taken(*m_hub->subscribe({}, EventPlace{u"e.1"_s, 1}, {})).contains("reset"));
    for (int i = 0; i < 1000; ++i)
        publish(Change{.trials = {shared(sampleTrial(i))}});
    QVERIFY(m_hub->keptBytes() <= 100'000);
    QVERIFY(m_hub->keptBytes() > 50'000);
    QVERIFY(!taken(*m_hub->subscribe({}, EventPlace{u"e.1"_s, m_revision - 5}, {})).contains("reset"));
    QVERIFY(taken(*m_hub->subscribe({}, EventPlace{u"e.1"_s, m_revision - 500}, {})).contains("reset"));
}

/// A listener that takes no message for long: its state stays one record an id, its metrics become gaps.
void TestEventHub::metricsBecomeGaps()
{
    const auto listener = m_hub->subscribe({}, {}, {});
    (void)taken(*listener);
    const TrialId one = sampleTrial(1).id;
    const TrialId two = sampleTrial(2).id;
    for (int i = 0; i < 1000; ++i) {
        publish(Change{.trials = {shared(sampleTrial(1))}, .metrics = {sampleMetrics(one, i * 10, 10)}});
        QVERIFY(listener->pendingBytes() <= 20'000 + 2'000);
    }
    publish(Change{.metrics = {sampleMetrics(two, 7, 3)}});
    const Json message = taken(*listener);
    QCOMPARE(message["trials"].size(), size_t(1));
    QVERIFY(message["metrics"].empty());
    QCOMPARE(dumpJson(message["gaps"]),
        QByteArray("[{\"trialId\":\"t00000000000001\",\"from\":0,\"to\":9999},{\"trialId\":\"t00000000000002\","
                   "\"from\":7,\"to\":9}]"));
}

void TestEventHub::gapsEndWhenTold()
{
    const auto listener = m_hub->subscribe({}, {}, {});
    const TrialId one = sampleTrial(1).id;
    for (int i = 0; i < 100; ++i)
        publish(Change{.metrics = {sampleMetrics(one, i * 10, 10)}});
    QCOMPARE(taken(*listener)["gaps"].size(), size_t(1));
    publish(Change{.metrics = {sampleMetrics(one, 1000, 2)}});
    const Json message = taken(*listener);
    QCOMPARE(sequences(message), (QList<qint64>{1000, 1001}));
    QVERIFY(message["gaps"].empty());
}

/// One waiting trial must not keep everything alive that changed together with it.
void TestEventHub::holdsNoChanges()
{
    const auto listener = m_hub->subscribe({api::kindOf<Trial>().bit, MetricsMode::none, {}}, {}, {});
    publish(Change{.trials = {shared(sampleTrial(1))}, .metrics = {sampleMetrics(sampleTrial(1).id, 0, 10)}});
    std::weak_ptr<const Change> kept;
    {
        auto change = std::make_shared<Change>();
        change->epoch = u"e.1"_s;
        change->revision = ++m_revision;
        change->trials = {shared(sampleTrial(2))};
        change->metrics = {sampleMetrics(sampleTrial(2).id, 0, 10)};
        kept = change;
        m_hub->apply(change, m_now);
    }
    QVERIFY(!kept.expired());
    m_now += 60'001;
    m_hub->expire(m_now);
    QVERIFY(kept.expired());
    QCOMPARE(taken(*listener)["trials"].size(), size_t(2));
}

void TestEventHub::newEpochResets()
{
    const auto listener = m_hub->subscribe({}, {}, [this] { ++m_woken; });
    (void)taken(*listener);
    auto full = std::make_shared<Change>();
    full->epoch = u"e.2"_s;
    full->revision = 0;
    full->full = true;
    m_hub->apply(full, m_now);
    QCOMPARE(m_woken, 1);
    const Json message = taken(*listener);
    QVERIFY(message["reset"] == true);
    QCOMPARE(message["epoch"].get<QString>(), u"e.2"_s);
    QVERIFY(taken(*m_hub->subscribe({}, EventPlace{u"e.1"_s, 1}, {})).contains("reset"));
}

QTEST_GUILESS_MAIN(TestEventHub)
#include "tst_event_hub.moc"
