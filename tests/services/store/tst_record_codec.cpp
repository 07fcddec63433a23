// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/record_json.h"
#include "services/store/record_codec.h"
#include "store_samples.h"

#include <QtTest>

using namespace Qt::StringLiterals;
using namespace core;

class TestRecordCodec : public QObject
{
    Q_OBJECT
private slots:
    void readAsWritten();
    void anEarlierVersionHadNoRuns();
    void anEarlierVersionHadNoNotes();
    void anEarlierVersionHadNoPosts();
    void damagedObjectsAreLeftOut_data();
    void damagedObjectsAreLeftOut();
    void unknownWordsAreRefused();
};

static std::optional<store::TrialRow> decoded(const QByteArray& bytes)
{
    store::SharedTexts shared;
    return store::decodeTrial(bytes, shared);
}

static Trial measuredTrial()
{
    Trial trial = samples::plainTrial(7);
    trial.cancelIntent = CancelIntent::system;
    trial.latestMetric = MetricSummary{3, 5, {MetricValue::Kind::object, 0.5, R"({"default":0.5,"loss":"NaN"})"}, 17};
    trial.finalMetric = MetricSummary{4, {}, {MetricValue::Kind::number, 0.25, {}}, 18};
    return trial;
}

void TestRecordCodec::readAsWritten()
{
    const Trial trial = measuredTrial();
    const auto row = decoded(store::encodeTrial(trial, samples::fullState()));
    QVERIFY(row);
    QCOMPARE(*row->trial, trial);
    QCOMPARE(row->state, samples::fullState());
}

/// A record that was written before there were runs and cursors of platforms.
void TestRecordCodec::anEarlierVersionHadNoRuns()
{
    const Trial trial = measuredTrial();
    store::TrialPrivate state = samples::fullState();
    state.attempt = state.cursorAttempt = 0;
    state.platformCursor.clear();
    state.postedCursor = state.postedRun = 0;
    const QByteArray now = store::encodeTrial(trial, state);
    // Two numbers and an empty text, an empty note and no process, no cursor and no run of posts, each a byte.
    const auto row = decoded(now.chopped(7));
    QVERIFY(row);
    QCOMPARE(*row->trial, trial);
    QCOMPARE(row->state, state);
}

/// A record that was written before trials had notes and told their process.
void TestRecordCodec::anEarlierVersionHadNoNotes()
{
    Trial trial = measuredTrial();
    store::TrialPrivate state = samples::fullState();
    state.postedCursor = state.postedRun = 0;
    const auto earlier = decoded(store::encodeTrial(trial, state).chopped(4));
    QVERIFY(earlier);
    QCOMPARE(*earlier->trial, trial);
    QCOMPARE(earlier->state, state);
    trial.note = u"größer\nonce more"_s;
    trial.pid = 4'711;
    const auto row = decoded(store::encodeTrial(trial, samples::fullState()));
    QVERIFY(row);
    QCOMPARE(row->trial->note, trial.note);
    QCOMPARE(row->trial->pid, 4'711);
}

/// A record that was written before trials could post their metrics.
void TestRecordCodec::anEarlierVersionHadNoPosts()
{
    const Trial trial = measuredTrial();
    store::TrialPrivate state = samples::fullState();
    state.postedCursor = state.postedRun = 0;
    const auto earlier = decoded(store::encodeTrial(trial, state).chopped(2));
    QVERIFY(earlier);
    QCOMPARE(earlier->state, state);
    QCOMPARE(decoded(store::encodeTrial(trial, samples::fullState()))->state.postedCursor, 66);
    QCOMPARE(decoded(store::encodeTrial(trial, samples::fullState()))->state.postedRun, 3);
}

/// A value that is no JSON must not reach clients; the trial stays.
void TestRecordCodec::damagedObjectsAreLeftOut_data()
{
    QTest::addColumn<QByteArray>("object");
    const QByteArray good = measuredTrial().latestMetric->value.object;
    QTest::newRow("cut") << QByteArray(good).replace('}', ' ');
    QTest::newRow("a list") << QByteArray(good).replace('{', '[').replace('}', ']').replace(':', ',');
    QTest::newRow("a bare NaN") << QByteArray(good).replace("\"NaN\"", "  NaN");
    QTest::newRow("a line break in a text") << QByteArray(good).replace("\"NaN\"", "\"N\nN\"");
    QTest::newRow("nothing") << QByteArray();
}

void TestRecordCodec::damagedObjectsAreLeftOut()
{
    QFETCH(QByteArray, object);
    Trial trial = measuredTrial();
    trial.latestMetric->value.object = object;
    const auto row = decoded(store::encodeTrial(trial, {}));
    QVERIFY(row);
    trial.latestMetric->value = MetricValue();
    QCOMPARE(*row->trial, trial);
}

void TestRecordCodec::unknownWordsAreRefused()
{
    const auto intent = [](int number) {
        Trial trial = measuredTrial();
        trial.cancelIntent = CancelIntent(number);
        return store::encodeTrial(trial, {});
    };
    QVERIFY(decoded(intent(2)));
    QVERIFY(!decoded(intent(3)));
    QVERIFY(!decoded(intent(-1)));
    const auto kind = [](int number) {
        Trial trial = measuredTrial();
        trial.finalMetric->value.kind = MetricValue::Kind(number);
        return store::encodeTrial(trial, {});
    };
    QVERIFY(decoded(kind(0)));
    QVERIFY(!decoded(kind(3)));
}

QTEST_GUILESS_MAIN(TestRecordCodec)
#include "tst_record_codec.moc"
