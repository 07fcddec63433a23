// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/store/record_codec.h"
#include "services/store/store.h"
#include "tests/services/store/store_samples.h"

#include <QFileInfo>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest>

using namespace core;
using namespace store;
using namespace Qt::StringLiterals;

class TestStore : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void emptyStore();
    void recordsWithEveryMember();
    void damagedRecordsAreRefused();
    void lastVersionOfARecordStays();
    void trialsComeInOrderOfAcceptance();
    void callbacksComeInOrderOnThisThread();
    void groupsAreWrittenTogether();
    void metricsAreAppended_data();
    void metricsAreAppended();
    void metricsSinceAndLimit();
    void metricsContinueAfterReopen();
    void duplicatedMetricsAreIgnored();
    void aHoleIsLogged();
    void metricsOfManyTrials();
    void metricsOfAnUnknownTrialAreDropped();
    void readSeesWhatWasQueued();
    void events();
    void reservationsAndValues();
    void unknownWordsAreKept();
    void idempotencyOfOneDay();
    void removedExperimentLeavesNothing();
    void appendedBatchMeansTheSame();
    void commitAfterClose();
    void destroyedWithWorkQueued();
    void openTwiceIsRefused();
    void versionOneFile();

private:
    Loaded reopen();
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Store> m_store;
};

void TestStore::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_store.reset();
    QVERIFY(reopen().trials.isEmpty());
}

void TestStore::cleanup()
{
    if (m_store)
        QCoro::waitFor(m_store->close());
    m_store.reset();
}

Loaded TestStore::reopen()
{
    if (m_store)
        QCoro::waitFor(m_store->close());
    m_store = std::make_unique<Store>(m_folder->path());
    auto loaded = QCoro::waitFor(m_store->open());
    if (!loaded)
        qFatal("%s (%s)", qPrintable(loaded.error().message), qPrintable(loaded.error().detail));
    return *std::move(loaded);
}

void TestStore::emptyStore()
{
    const QFileInfo file(m_folder->filePath(u"store/trialdeck.sqlite"_s));
    QVERIFY(file.exists());
    QVERIFY(!(QFileInfo(file.path()).permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther)));
    QVERIFY(!QFileInfo::exists(file.filePath() + u"-shm"_s)); // exclusive: no shared memory
    const Loaded loaded = reopen();
    QVERIFY(loaded.experiments.isEmpty() && loaded.reservations.isEmpty() && loaded.values.isEmpty()
        && loaded.idempotency.isEmpty() && loaded.eventCounts.isEmpty());
    QVERIFY(Batch().isEmpty());
    QVERIFY(samples::commit(*m_store, {}));
}

void TestStore::recordsWithEveryMember()
{
    Experiment experiment = samples::fullExperiment();
    experiment.nextSequenceId = 1'001;
    experiment.generated = 99;
    experiment.spec.tunerName.clear(); // the arguments alone are kept, too
    Batch batch;
    batch.experiments = {std::make_shared<Experiment>(experiment), samples::experiment(u"e2"_s)};
    batch.trials = {samples::row(samples::fullTrial(), samples::fullState()), samples::row(Trial{}, {})};
    QVERIFY(samples::commit(*m_store, std::move(batch), Durability::full));

    const Loaded loaded = reopen();
    QCOMPARE(loaded.experiments.size(), 2);
    experiment.counts = {}; // the engine makes them from the trials
    QVERIFY(*loaded.experiments[0] == experiment);
    QVERIFY(loaded.experiments[0]->spec.searchSpace == experiment.spec.searchSpace);
    QCOMPARE(loaded.experiments[1]->id.value, u"e2"_s);
    QVERIFY(loaded.experiments[1]->spec.searchSpace.is_null());
    QCOMPARE(loaded.trials.size(), 2);
    QCOMPARE(printed(*loaded.trials[0].trial), printed(samples::fullTrial()));
    QVERIFY(*loaded.trials[0].trial == samples::fullTrial());
    QCOMPARE(loaded.trials[0].trial->parameterCfg, samples::fullTrial().parameterCfg);
    QVERIFY(loaded.trials[0].state == samples::fullState());
    QVERIFY(*loaded.trials[1].trial == Trial{});
    QVERIFY(loaded.trials[1].state == TrialPrivate{});
}

void TestStore::damagedRecordsAreRefused()
{
    const QByteArray trial = encodeTrial(samples::fullTrial(), samples::fullState());
    const QByteArray experiment = encodeExperiment(samples::fullExperiment());
    // Earlier records of trials end before their posts (two numbers: two bytes), older ones before their note and process (an empty text and a
    // number: two bytes) and before their runs (two numbers and an empty text: three bytes), those of version 1 of the schema before the form of their message, of which one byte is left
    // where it has none.
    Trial noNote = samples::fullTrial();
    noNote.note.clear();
    noNote.pid = 0;
    TrialPrivate noPosts = samples::fullState();
    noPosts.postedCursor = noPosts.postedRun = 0;
    const qsizetype withoutPosts = encodeTrial(samples::fullTrial(), noPosts).size() - 2;
    const qsizetype withoutNote = encodeTrial(noNote, noPosts).size() - 4;
    TrialPrivate noRuns = noPosts;
    noRuns.attempt = noRuns.cursorAttempt = 0;
    noRuns.platformCursor.clear();
    const qsizetype withoutRuns = encodeTrial(noNote, noRuns).size() - 7;
    Trial plainTrial = noNote;
    plainTrial.reason = plainTrial.reason.text();
    const qsizetype earlierTrial = encodeTrial(plainTrial, noRuns).size() - 8;
    Experiment plainExperiment = samples::fullExperiment();
    plainExperiment.counts = {}; // the engine makes them from the trials
    plainExperiment.message = plainExperiment.message.text();
    const qsizetype earlierExperiment = encodeExperiment(plainExperiment).size() - 1;
    QVERIFY(earlierTrial < withoutRuns && withoutRuns < withoutNote && withoutNote < withoutPosts
        && withoutPosts < trial.size() && earlierExperiment < experiment.size() - 1);
    SharedTexts shared;
    QVERIFY(decodeTrial(trial, shared));
    for (qsizetype size = 0; size < trial.size(); ++size)
        QCOMPARE(decodeTrial(QByteArrayView(trial).first(size), shared).has_value(),
            size == earlierTrial || size == withoutRuns || size == withoutNote || size == withoutPosts);
    for (qsizetype size = 0; size < experiment.size(); ++size)
        QCOMPARE(decodeExperiment(QByteArrayView(experiment).first(size)).has_value(), size == earlierExperiment);
    QCOMPARE(*decodeTrial(QByteArrayView(trial).first(earlierTrial), shared)->trial, plainTrial);
    QVERIFY(*decodeExperiment(QByteArrayView(experiment).first(earlierExperiment)) == plainExperiment);
    QRandomGenerator random(11);
    for (int i = 0; i < 3'000; ++i) {
        QByteArray hostile = i % 2 ? trial : experiment;
        for (int k = 0; k < 3; ++k)
            hostile[qsizetype(random.bounded(hostile.size()))] = char(random.bounded(256));
        (void)decodeTrial(hostile, shared);
        (void)decodeExperiment(hostile);
    }
}

void TestStore::lastVersionOfARecordStays()
{
    for (int i = 0; i < 5; ++i) {
        Trial trial = samples::plainTrial(1);
        trial.metricCount = i;
        Batch batch;
        batch.trials = {samples::row(samples::plainTrial(1)), samples::row(trial, {u"h"_s, true})};
        auto experiment = std::make_shared<Experiment>(*samples::experiment(u"e1"_s));
        experiment->version = i;
        batch.experiments = {experiment};
        if (i < 4)
            m_store->commit(std::move(batch), Durability::normal);
        else
            QVERIFY(samples::commit(*m_store, std::move(batch)));
    }
    const Loaded loaded = reopen();
    QCOMPARE(loaded.trials.size(), 1);
    QCOMPARE(loaded.trials[0].trial->metricCount, 4);
    QVERIFY(loaded.trials[0].state.submitted);
    QCOMPARE(loaded.experiments.size(), 1);
    QCOMPARE(loaded.experiments[0]->version, 4);
}

void TestStore::trialsComeInOrderOfAcceptance()
{
    Batch batch;
    for (const int number : {5, 3, 9})
        batch.trials.append(samples::row(samples::plainTrial(number)));
    m_store->commit(std::move(batch), Durability::normal);
    Batch later;
    later.trials = {samples::row(samples::plainTrial(1)), samples::row(samples::plainTrial(3))};
    QVERIFY(samples::commit(*m_store, std::move(later)));
    QList<qint64> order;
    const Loaded loaded = reopen();
    for (const TrialRow& row : loaded.trials)
        order.append(row.trial->sequenceId);
    QCOMPARE(order, QList<qint64>({5, 3, 9, 1}));
}

void TestStore::callbacksComeInOrderOnThisThread()
{
    QList<int> order;
    bool otherThread = false;
    bool inside = true;
    bool early = false;
    for (int i = 0; i < 300; ++i) {
        Batch batch;
        batch.trials = {samples::row(samples::plainTrial(i))};
        m_store->commit(std::move(batch), i % 7 == 0 ? Durability::full : Durability::normal, [&, i](Result<> result) {
            QVERIFY(result);
            early = early || inside;
            otherThread = otherThread || QThread::currentThread() != thread();
            order.append(i);
        });
    }
    inside = false;
    QTRY_COMPARE(order.size(), 300);
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QVERIFY(!otherThread);
    QVERIFY(!early);
    QCOMPARE(reopen().trials.size(), 300);
}

void TestStore::groupsAreWrittenTogether()
{
    // A commit from inside a callback joins the groups as any other.
    int done = 0;
    std::function<void(int)> next = [&](int number) {
        Batch batch;
        batch.trials = {samples::row(samples::plainTrial(number))};
        m_store->commit(std::move(batch), Durability::full, [&, number](Result<> result) {
            QVERIFY(result);
            ++done;
            if (number < 40)
                next(number + 4);
        });
    };
    for (int i = 1; i <= 4; ++i)
        next(i);
    QTRY_COMPARE(done, 43);
    QCOMPARE(reopen().trials.size(), 43);
}

void TestStore::metricsAreAppended_data()
{
    QTest::addColumn<int>("batchSize");
    QTest::addColumn<int>("total");
    QTest::addColumn<bool>("grouped");
    QTest::newRow("one by one") << 1 << 300 << false;
    QTest::newRow("one by one, grouped") << 1 << 3'000 << true;
    QTest::newRow("hundreds") << 100 << 2'500 << false;
    QTest::newRow("odd") << 37 << 1'500 << false;
    QTest::newRow("larger than a chunk") << 2'345 << 4'690 << false;
}

void TestStore::metricsAreAppended()
{
    QFETCH(int, batchSize);
    QFETCH(int, total);
    QFETCH(bool, grouped);
    const TrialId trial = samples::plainTrial(1).id;
    Batch first;
    first.trials = {samples::row(samples::plainTrial(1))};
    QVERIFY(samples::commit(*m_store, std::move(first)));
    std::vector<Metric> expected;
    for (int at = 0; at < total; at += batchSize) {
        Batch batch;
        batch.metrics = {samples::metrics(trial, at, std::min(batchSize, total - at))};
        expected.insert(expected.end(), batch.metrics[0]->metrics.begin(), batch.metrics[0]->metrics.end());
        if (grouped)
            m_store->commit(std::move(batch), Durability::normal);
        else
            QVERIFY(samples::commit(*m_store, std::move(batch)));
    }
    for (int pass = 0; pass < 2; ++pass) {
        const auto metrics = QCoro::waitFor(m_store->readMetrics(trial, 0, 1'000'000));
        QVERIFY(metrics);
        QCOMPARE(metrics->size(), size_t(total));
        QVERIFY(*metrics == expected);
        reopen();
    }
}

void TestStore::metricsSinceAndLimit()
{
    const TrialId trial = samples::plainTrial(1).id;
    Batch batch;
    batch.trials = {samples::row(samples::plainTrial(1)), samples::row(samples::plainTrial(2))};
    batch.metrics = {samples::metrics(trial, 0, 2'500), samples::metrics(samples::plainTrial(2).id, 0, 10)};
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    const auto range = [&](qint64 since, qint64 limit) {
        const auto metrics = QCoro::waitFor(m_store->readMetrics(trial, since, limit));
        if (!metrics || metrics->empty())
            return std::pair<qint64, qint64>(-1, -1);
        return std::pair(metrics->front().sequence, metrics->back().sequence);
    };
    QCOMPARE(range(0, 100), std::pair(0LL, 99LL));
    QCOMPARE(range(990, 20), std::pair(990LL, 1'009LL));
    QCOMPARE(range(1'000, 1), std::pair(1'000LL, 1'000LL));
    QCOMPARE(range(2'499, 100), std::pair(2'499LL, 2'499LL));
    QCOMPARE(range(-5, 2), std::pair(0LL, 1LL));
    QCOMPARE(range(2'500, 100), std::pair(-1LL, -1LL));
    QCOMPARE(range(1LL << 50, 100), std::pair(-1LL, -1LL));
    QCOMPARE(range(0, 0), std::pair(-1LL, -1LL));
    const auto none = QCoro::waitFor(m_store->readMetrics(TrialId(u"t?"_s), 0, 10));
    QVERIFY(none && none->empty());
}

void TestStore::metricsContinueAfterReopen()
{
    const TrialId trial = samples::plainTrial(1).id;
    Batch first;
    first.trials = {samples::row(samples::plainTrial(1))};
    QVERIFY(samples::commit(*m_store, std::move(first)));
    for (int at = 0; at < 400; at += 20) {
        Batch batch;
        batch.metrics = {samples::metrics(trial, at, 20)};
        QVERIFY(samples::commit(*m_store, std::move(batch)));
        reopen();
    }
    const auto metrics = QCoro::waitFor(m_store->readMetrics(trial, 0, 1'000));
    QVERIFY(metrics);
    QVERIFY(*metrics == samples::metrics(trial, 0, 400)->metrics);
}

void TestStore::duplicatedMetricsAreIgnored()
{
    const TrialId trial = samples::plainTrial(1).id;
    Batch batch;
    batch.trials = {samples::row(samples::plainTrial(1))};
    batch.metrics = {samples::metrics(trial, 0, 150)};
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    reopen();
    auto changed = std::make_shared<MetricBatch>(*samples::metrics(trial, 100, 100));
    changed->metrics[0].data = "another"; // sequence 100 is there already: the first word stands
    Batch replay;
    replay.metrics = {changed, samples::metrics(trial, 0, 10)};
    QVERIFY(samples::commit(*m_store, std::move(replay)));
    const auto metrics = QCoro::waitFor(m_store->readMetrics(trial, 0, 1'000));
    QVERIFY(metrics);
    QVERIFY(*metrics == samples::metrics(trial, 0, 200)->metrics);
}

void TestStore::aHoleIsLogged()
{
    const TrialId trial = samples::plainTrial(1).id;
    Batch batch;
    batch.trials = {samples::row(samples::plainTrial(1))};
    batch.metrics = {samples::metrics(trial, 0, 10)};
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    QTest::ignoreMessage(QtCriticalMsg, "Metrics 10 to 19 of trial t0000000001 are missing.");
    Batch later;
    later.metrics = {samples::metrics(trial, 20, 5)};
    QVERIFY(samples::commit(*m_store, std::move(later)));
    reopen();
    const auto metrics = QCoro::waitFor(m_store->readMetrics(trial, 5, 100));
    QVERIFY(metrics);
    QCOMPARE(metrics->size(), size_t(10));
    QCOMPARE(metrics->at(4).sequence, 9);
    QCOMPARE(metrics->at(5).sequence, 20);
    const auto inHole = QCoro::waitFor(m_store->readMetrics(trial, 15, 100));
    QVERIFY(inHole);
    QCOMPARE(inHole->size(), size_t(5));
}

void TestStore::metricsOfManyTrials()
{
    // More than the store keeps open in memory, each growing by little.
    constexpr int count = 5'000;
    Batch batch;
    for (int i = 0; i < count; ++i)
        batch.trials.append(samples::row(samples::plainTrial(i)));
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    for (int round = 0; round < 3; ++round) {
        Batch points;
        for (int i = 0; i < count; ++i)
            points.metrics.append(samples::metrics(samples::plainTrial(i).id, round * 2, 2));
        QVERIFY(samples::commit(*m_store, std::move(points)));
    }
    for (int i = 0; i < count; i += 611) {
        const auto metrics = QCoro::waitFor(m_store->readMetrics(samples::plainTrial(i).id, 0, 100));
        QVERIFY(metrics);
        QVERIFY(*metrics == samples::metrics(samples::plainTrial(i).id, 0, 6)->metrics);
    }
}

void TestStore::metricsOfAnUnknownTrialAreDropped()
{
    QTest::ignoreMessage(QtWarningMsg, "Metrics of trial t9 are dropped: the store does not have it.");
    QTest::ignoreMessage(QtWarningMsg, "An event of trial t9 is dropped: the store does not have the trial.");
    Batch batch;
    batch.metrics = {samples::metrics(TrialId(u"t9"_s), 0, 3)};
    batch.events = {{TrialId(u"t9"_s), {0, 1, TrialEventKind::accepted, u"x"_s}}};
    batch.trials = {samples::row(samples::plainTrial(1))};
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    QCOMPARE(reopen().trials.size(), 1);
}

void TestStore::readSeesWhatWasQueued()
{
    const TrialId trial = samples::plainTrial(1).id;
    int acknowledged = 0;
    for (int i = 0; i < 50; ++i) {
        Batch batch;
        batch.trials = {samples::row(samples::plainTrial(1))};
        batch.metrics = {samples::metrics(trial, i * 3, 3)};
        batch.events = {{trial, {i, i, TrialEventKind::status, u"x"_s}}};
        m_store->commit(std::move(batch), Durability::full, [&](Result<>) { ++acknowledged; });
    }
    const auto metrics = QCoro::waitFor(m_store->readMetrics(trial, 0, 1'000));
    QVERIFY(metrics);
    QCOMPARE(metrics->size(), size_t(150));
    QCOMPARE(acknowledged, 50); // what was queued before is acknowledged before
    const auto events = QCoro::waitFor(m_store->readEvents(trial, 48));
    QVERIFY(events);
    QCOMPARE(events->size(), 2);
}

void TestStore::events()
{
    const TrialId one = samples::plainTrial(1).id;
    const TrialId two = samples::plainTrial(2).id;
    Batch batch;
    batch.trials = {samples::row(samples::plainTrial(1)), samples::row(samples::plainTrial(2)),
        samples::row(samples::plainTrial(3))};
    batch.events = {{one, {0, 100, TrialEventKind::accepted, u"Größe \"1\""_s}},
        {two, {0, 101, TrialEventKind::accepted, {}}}, {one, {1, 102, TrialEventKind::placed, u"b"_s}}};
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    Batch later;
    later.trials = {samples::row(samples::plainTrial(1))}; // a new version leaves the count of events
    later.events = {{one, {2, 103, TrialEventKind::status, u"c"_s}}};
    QVERIFY(samples::commit(*m_store, std::move(later)));
    const Loaded loaded = reopen();
    QCOMPARE(loaded.eventCounts, (QHash<TrialId, qint64>{{one, 3}, {two, 1}}));
    const auto all = QCoro::waitFor(m_store->readEvents(one, 0));
    QVERIFY(all);
    QVERIFY(*all
        == QList<TrialEvent>({{0, 100, TrialEventKind::accepted, u"Größe \"1\""_s},
            {1, 102, TrialEventKind::placed, u"b"_s}, {2, 103, TrialEventKind::status, u"c"_s}}));
    const auto since = QCoro::waitFor(m_store->readEvents(one, 2));
    QVERIFY(since && since->size() == 1 && since->first().text == u"c"_s);
    const auto other = QCoro::waitFor(m_store->readEvents(samples::plainTrial(3).id, 0));
    QVERIFY(other && other->isEmpty());
}

void TestStore::reservationsAndValues()
{
    const ReservationRow mine{MachineId(u"m1"_s), 2, {GpuHolder::person, {}, 1'750'000'000'000, u"until Monday"_s}};
    const ReservationRow trials{MachineId(u"m1"_s), 0, {GpuHolder::trial, TrialId(u"t1"_s), 5, {}}};
    Batch batch;
    batch.reservations = {mine, trials};
    batch.values = {{u"drained"_s, "[\"m1\"]"}, {u"binary"_s, QByteArray("\0\xff\n", 3)}, {u"gone"_s, "x"}};
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    Batch later;
    later.releasedReservations = {{MachineId(u"m1"_s), 0}, {MachineId(u"other"_s), 7}};
    later.values = {{u"gone"_s, {}}, {u"never"_s, {}}, {u"drained"_s, "[]"}};
    QVERIFY(samples::commit(*m_store, std::move(later)));
    const Loaded loaded = reopen();
    QCOMPARE(loaded.reservations.size(), 1);
    QVERIFY(loaded.reservations[0].machine == mine.machine);
    QCOMPARE(loaded.reservations[0].gpuIndex, 2);
    QVERIFY(loaded.reservations[0].reservation == mine.reservation);
    QCOMPARE(
        loaded.values, (QMap<QString, QByteArray>{{u"binary"_s, QByteArray("\0\xff\n", 3)}, {u"drained"_s, "[]"}}));
}

/// A store that a newer version wrote, or a platform with words of its own: they are read as they were written.
void TestStore::unknownWordsAreKept()
{
    Trial trial = samples::plainTrial(1);
    trial.failureClass = OpenWord<FailureClass>::fromWord(u"preempted");
    Batch batch;
    batch.trials = {samples::row(trial)};
    batch.events = {{trial.id, {0, 1, OpenWord<TrialEventKind>::fromWord(u"migrated"), u"x"_s}}};
    batch.reservations = {{MachineId(u"m1"_s), 0, {OpenWord<GpuHolder>::fromWord(u"robot"), {}, 1, {}}}};
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    const Loaded loaded = reopen();
    QCOMPARE(loaded.trials.value(0).trial->failureClass.word(), u"preempted"_s);
    QCOMPARE(loaded.reservations.value(0).reservation.holder.word(), u"robot"_s);
    const auto events = QCoro::waitFor(m_store->readEvents(trial.id, 0));
    QVERIFY(events && events->size() == 1);
    QCOMPARE(events->first().kind.word(), u"migrated"_s);
}

void TestStore::idempotencyOfOneDay()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    constexpr qint64 hour = 3'600'000;
    Batch batch;
    batch.idempotency = {{u"experiments"_s, u"old"_s, "f", "r", now - 25 * hour},
        {u"experiments"_s, u"new"_s, QByteArray("\xff\0", 2), "{\"id\":\"e1\"}", now - 23 * hour},
        {u"e1"_s, u"new"_s, {}, {}, now}};
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    const Loaded loaded = reopen();
    QCOMPARE(loaded.idempotency.size(), 2);
    QCOMPARE(loaded.idempotency[0].scope, u"experiments"_s);
    QCOMPARE(loaded.idempotency[0].key, u"new"_s);
    QCOMPARE(loaded.idempotency[0].fingerprint, QByteArray("\xff\0", 2));
    QCOMPARE(loaded.idempotency[0].reply, "{\"id\":\"e1\"}");
    QCOMPARE(loaded.idempotency[0].time, now - 23 * hour);
    QCOMPARE(loaded.idempotency[1].scope, u"e1"_s);

    // In a service that runs on, the old ones go with a later answer.
    Batch later;
    later.idempotency = {{u"e2"_s, u"k"_s, "f", "r", now + 2 * hour}};
    QVERIFY(samples::commit(*m_store, std::move(later)));
    const Loaded after = reopen();
    QCOMPARE(after.idempotency.size(), 2);
    QCOMPARE(after.idempotency[1].scope, u"e2"_s);
}

void TestStore::removedExperimentLeavesNothing()
{
    const TrialId gone = samples::plainTrial(1).id;
    const TrialId stays = samples::plainTrial(2).id;
    Batch batch;
    batch.experiments = {samples::experiment(u"e1"_s), samples::experiment(u"e2"_s)};
    batch.trials = {samples::row(samples::plainTrial(1)), samples::row(samples::plainTrial(2, u"e2"_s))};
    batch.metrics = {samples::metrics(gone, 0, 200), samples::metrics(stays, 0, 200)};
    batch.events = {
        {gone, {0, 1, TrialEventKind::accepted, u"x"_s}}, {stays, {0, 1, TrialEventKind::accepted, u"x"_s}}};
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    Batch later;
    later.metrics = {samples::metrics(gone, 200, 5), samples::metrics(stays, 200, 5)};
    later.removedExperiments = {ExperimentId(u"e1"_s)};
    QVERIFY(samples::commit(*m_store, std::move(later)));
    const Loaded loaded = reopen();
    QCOMPARE(loaded.experiments.size(), 1);
    QCOMPARE(loaded.trials.size(), 1);
    QVERIFY(loaded.trials[0].trial->id == stays);
    QCOMPARE(loaded.eventCounts.size(), 1);
    QVERIFY(QCoro::waitFor(m_store->readMetrics(gone, 0, 10))->empty());
    QCOMPARE(QCoro::waitFor(m_store->readMetrics(stays, 0, 1'000))->size(), size_t(205));

    // The same id again begins anew, also where the row's number is used again.
    Batch again;
    again.trials = {samples::row(samples::plainTrial(1))};
    again.metrics = {samples::metrics(gone, 0, 3)};
    QVERIFY(samples::commit(*m_store, std::move(again)));
    QCOMPARE(QCoro::waitFor(m_store->readMetrics(gone, 0, 10))->size(), size_t(3));
    QVERIFY(QCoro::waitFor(m_store->readEvents(gone, 0))->isEmpty());
}

void TestStore::appendedBatchMeansTheSame()
{
    const MachineId machine(u"m"_s);
    const auto reserve = [&](int gpu) {
        Batch batch;
        batch.reservations = {{machine, gpu, {GpuHolder::person, {}, 1, {}}}};
        return batch;
    };
    const auto release = [&](int gpu) {
        Batch batch;
        batch.releasedReservations = {{machine, gpu}};
        return batch;
    };
    Batch batch = reserve(0);
    batch.append(release(0));
    batch.append(reserve(0)); // stays
    batch.append(reserve(1));
    batch.append(release(1)); // gone
    Batch values;
    values.values = {{u"a"_s, "1"}, {u"b"_s, "1"}};
    batch.append(std::move(values));
    Batch later;
    later.values = {{u"a"_s, "2"}, {u"b"_s, {}}};
    later.trials = {samples::row(samples::plainTrial(1))};
    later.experiments = {samples::experiment(u"e1"_s)};
    later.metrics = {samples::metrics(samples::plainTrial(1).id, 0, 2)};
    later.events = {{samples::plainTrial(1).id, {0, 1, TrialEventKind::accepted, u"x"_s}}};
    later.idempotency = {{u"s"_s, u"k"_s, {}, {}, QDateTime::currentMSecsSinceEpoch()}};
    later.removedExperiments = {ExperimentId(u"e7"_s)};
    batch.append(std::move(later));
    QCOMPARE(batch.removedExperiments.size(), 1);
    QVERIFY(samples::commit(*m_store, std::move(batch)));
    const Loaded loaded = reopen();
    QCOMPARE(loaded.reservations.size(), 1);
    QCOMPARE(loaded.reservations[0].gpuIndex, 0);
    QCOMPARE(loaded.values, (QMap<QString, QByteArray>{{u"a"_s, "2"}}));
    QCOMPARE(loaded.trials.size(), 1);
    QCOMPARE(loaded.experiments.size(), 1);
    QCOMPARE(loaded.idempotency.size(), 1);
    QCOMPARE(loaded.eventCounts.size(), 1);
}

void TestStore::commitAfterClose()
{
    QCoro::waitFor(m_store->close());
    Batch batch;
    batch.trials = {samples::row(samples::plainTrial(1))};
    const auto result = samples::commit(*m_store, std::move(batch));
    QVERIFY(!result);
    QCOMPARE(result.error().message, u"The store is closed."_s);
    QVERIFY(!QCoro::waitFor(m_store->readMetrics(samples::plainTrial(1).id, 0, 1)));
    QVERIFY(!QCoro::waitFor(m_store->readEvents(samples::plainTrial(1).id, 0)));
    // The same object opens again.
    QVERIFY(QCoro::waitFor(m_store->open()));
    Batch again;
    again.trials = {samples::row(samples::plainTrial(1))};
    QVERIFY(samples::commit(*m_store, std::move(again)));
}

void TestStore::destroyedWithWorkQueued()
{
    int called = 0;
    for (int i = 0; i < 100; ++i) {
        Batch batch;
        batch.trials = {samples::row(samples::plainTrial(i))};
        m_store->commit(std::move(batch), Durability::normal, [&](Result<>) { ++called; });
    }
    m_store.reset();
    QCoreApplication::processEvents();
    QCOMPARE(called, 0);
    QCOMPARE(reopen().trials.size(), 100);
}

void TestStore::openTwiceIsRefused()
{
    Store second(m_folder->path());
    const auto opened = QCoro::waitFor(second.open());
    QVERIFY(!opened);
    QVERIFY2(opened.error().kind == Kind::conflict, qPrintable(opened.error().detail));
    QVERIFY(opened.error().message.contains(u"in use by another process"));
    Batch batch;
    batch.trials = {samples::row(samples::plainTrial(1))};
    QVERIFY(samples::commit(*m_store, std::move(batch))); // the first continues
    const auto refused = samples::commit(second, {});
    QVERIFY(!refused);
}

void TestStore::versionOneFile()
{
    // Written by version 1 (tst_store_faults --write-sample FOLDER) and kept as it was.
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir(u"store"_s));
    const QString file = folder.filePath(u"store/trialdeck.sqlite"_s);
    QVERIFY(QFile::copy(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/fixtures/store/version-1.sqlite"), file));
    QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner);
    Store old(folder.path());
    const auto loaded = QCoro::waitFor(old.open());
    QVERIFY2(loaded, loaded ? "" : qPrintable(loaded.error().message + loaded.error().detail));
    QCOMPARE(loaded->experiments.size(), 1);
    const Experiment& experiment = *loaded->experiments[0];
    QCOMPARE(experiment.id.value, u"e1h2j3k4m5n6p7q"_s);
    QCOMPARE(experiment.spec.trialCommand, u"python3 train.py --lr {lr}"_s);
    QCOMPARE(dumpJson(experiment.spec.searchSpace),
        R"({"lr":{"_type":"loguniform","_value":[0.0001,0.1]},"batch":{"_type":"choice","_value":[16,32]}})");
    QCOMPARE(experiment.spec.environment.value(u"B"_s), u"x y"_s);
    QVERIFY(experiment.state == ExperimentState::paused);
    QVERIFY(experiment.best == (BestTrial{TrialId(u"t9"_s), 0.125}));
    QCOMPARE(experiment.nextSequenceId, 1'001);
    QCOMPARE(loaded->trials.size(), 2);
    const Trial& trial = *loaded->trials[0].trial;
    QCOMPARE(trial.clientId, u"AbC-12"_s);
    QVERIFY(trial.status == TrialStatus::failed);
    QCOMPARE(trial.parameterCfg, QByteArray("\x00\x01 raw \xc3\x28 \r\n", 12));
    QVERIFY(trial.exitCode == 137);
    QCOMPARE(trial.gpuIndices, QList<int>({0, 3}));
    QVERIFY(trial.bestMetric == 0.75);
    QVERIFY(loaded->trials[0].state == (TrialPrivate{u"job-1"_s, true, true, 11, 22, 33, 44, 55}));
    QCOMPARE(trial.queueOrder, 77); // was private when this file was written
    QCOMPARE(loaded->trials[1].trial->sequenceId, 7);
    QCOMPARE(loaded->eventCounts.value(trial.id), 1);
    QCOMPARE(loaded->reservations.size(), 1);
    QCOMPARE(loaded->reservations[0].reservation.note, u"until Monday"_s);
    QCOMPARE(loaded->values.value(u"drained"_s), "[\"m1\"]");
    const auto metrics = QCoro::waitFor(old.readMetrics(trial.id, 0, 10'000));
    QVERIFY(metrics);
    QCOMPARE(metrics->size(), size_t(300));
    QCOMPARE(metrics->at(299).data, "0.299");
    QCOMPARE(metrics->at(299).value.number, 0.299);
    QCOMPARE(metrics->at(299).time, 1'750'000'000'299);
    const auto events = QCoro::waitFor(old.readEvents(trial.id, 0));
    QVERIFY(events && events->size() == 1 && events->first().text == u"Accepted."_s);
    QCoro::waitFor(old.close());
}

QTEST_GUILESS_MAIN(TestStore)
#include "tst_store.moc"
