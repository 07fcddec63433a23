// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of a trial that is running, against every value that it reported.
#include "engine_fixture.h"

#include "services/api/series_reply.h"

#include <algorithm>
#include <cmath>

using namespace core;
using platforms::Stream;

namespace {

double valueAt(int step)
{
    return step == 17 ? 1e6 : step == 23 ? -1e6 : std::sin(step * 0.7);
}

/// What a curve must show, made of the values themselves.
void compare(const api::SeriesCurve& curve, int values)
{
    QCOMPARE(curve.total, qint64(values));
    QCOMPARE(curve.count(), qint64(values));
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int i = 0; i < values; ++i) {
        low = std::min(low, valueAt(i));
        high = std::max(high, valueAt(i));
    }
    const auto& columns = curve.columns;
    const auto byMin = [](const auto& a, const auto& b) { return a.min < b.min; };
    const auto byMax = [](const auto& a, const auto& b) { return a.max < b.max; };
    QCOMPARE(std::min_element(columns.begin(), columns.end(), byMin)->min, low);
    QCOMPARE(std::max_element(columns.begin(), columns.end(), byMax)->max, high);
    QCOMPARE(columns.front().first, valueAt(0));
    QCOMPARE(columns.back().last, valueAt(values - 1));
}

} // namespace

class TstLiveCurves : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup() { m_engine.reset(); }
    void readersAtTheSameTimeDoubleNothing();
    void whatComesDuringAReadIsPartOfIt();
    void aCurveThatIsKeptGrowsWithEachReport();
    void aRestartShowsEveryValue();

private:
    void report(int count);
    [[nodiscard]] api::ReadSeries question(int columns) const
    {
        return {{m_trial}, u"default"_s, u"step"_s, {}, {}, columns};
    }
    [[nodiscard]] api::SeriesCurve curve(int columns = 20);

    std::unique_ptr<EngineFixture> m_engine;
    TrialId m_trial;
    int m_reported = 0;
};

void TstLiveCurves::init()
{
    m_reported = 0;
    m_engine = std::make_unique<EngineFixture>();
    Machine machine;
    machine.id = MachineId(u"local"_s);
    machine.platformId = PlatformId(u"local"_s);
    machine.state = MachineState::ready;
    m_engine->world->machines = {machine};
    m_engine->fake->setMachines(m_engine->world->machines);
    m_trial = m_engine->submit(m_engine->create(), 1).value(0);
    QVERIFY(!m_trial.isEmpty());
    QTRY_COMPARE(m_engine->status(m_trial), TrialStatus::running);
}

void TstLiveCurves::report(int count)
{
    QByteArray lines;
    for (const int end = m_reported + count; m_reported < end; ++m_reported)
        lines += "{\"metric\": " + QByteArray::number(valueAt(m_reported), 'g', 17) + "}\n";
    m_engine->fake->write(m_trial, Stream::file, lines);
}

api::SeriesCurve TstLiveCurves::curve(int columns)
{
    const auto reply = m_engine->ask(question(columns));
    return reply && reply->series ? reply->series->curves.at(0) : api::SeriesCurve();
}

void TstLiveCurves::readersAtTheSameTimeDoubleNothing()
{
    report(100);
    QTRY_COMPARE(m_engine->trial(m_trial)->metricCount, 100);
    QList<api::SeriesCurve> answers;
    for (int i = 0; i < 3; ++i)
        m_engine->engine->execute(question(20), [&](const Result<api::Reply>& reply) {
            answers.append(reply && reply->series ? reply->series->curves.at(0) : api::SeriesCurve());
        });
    QTRY_COMPARE(answers.size(), 3);
    for (const api::SeriesCurve& answer : std::as_const(answers))
        compare(answer, 100);
    compare(curve(), 100);
}

void TstLiveCurves::whatComesDuringAReadIsPartOfIt()
{
    report(50);
    QTRY_COMPARE(m_engine->trial(m_trial)->metricCount, 50);
    std::optional<api::SeriesCurve> answer;
    m_engine->engine->execute(question(20), [&](const Result<api::Reply>& reply) {
        answer = reply && reply->series ? reply->series->curves.at(0) : api::SeriesCurve();
    });
    QVERIFY(!answer); // the store is being read
    report(30);
    QTRY_VERIFY(answer);
    compare(*answer, int(answer->total));
    QTRY_COMPARE(m_engine->trial(m_trial)->metricCount, 80);
    compare(curve(), 80);
    compare(curve(2'000), 80);
}

void TstLiveCurves::aCurveThatIsKeptGrowsWithEachReport()
{
    report(40);
    QTRY_COMPARE(m_engine->trial(m_trial)->metricCount, 40);
    compare(curve(), 40);
    for (int i = 0; i < 5; ++i) {
        report(10);
        QTRY_COMPARE(m_engine->trial(m_trial)->metricCount, m_reported);
        compare(curve(), m_reported);
    }
}

void TstLiveCurves::aRestartShowsEveryValue()
{
    report(30);
    QTRY_COMPARE(m_engine->trial(m_trial)->metricCount, 30);
    compare(curve(), 30);
    m_engine->restart();
    compare(curve(), 30);
    QTRY_COMPARE(m_engine->status(m_trial), TrialStatus::running);
}

QTEST_GUILESS_MAIN(TstLiveCurves)
#include "tst_live_curves.moc"
