// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/client/local_engine_client.h"
#include "tests/fakes/fake_curves.h"
#include "tests/fakes/fake_engine_client.h"
#include "ui/charts/axis_ticks.h"
#include "ui/charts/curve_bands.h"
#include "ui/charts/curve_painter.h"
#include "ui/charts/dot_chart.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/parallel_coordinates.h"
#include "ui/charts/plot_view.h"
#include "ui/kit/theme.h"

#include <QApplication>
#include <QFile>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cmath>
#include <thread>

using namespace Qt::StringLiterals;
using namespace ui::charts;
using models::SeriesColumn;
using models::SeriesCurve;

class TstCharts : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void ticks_data();
    void ticks();
    void ticksAreNeverTooMany();
    void rangesGetAir();
    void curvesKeepEveryExtreme();
    void rawCurvesAreExact();
    void smoothingBeginsWhereTheCurveBegins();
    void bandsHoldSpikes();
    void quantilesOfManyCurves();
    void veryManyAreASummaryOfAll();
    void bestIsAStepLine();
    void aSpikeIsPainted();
    void theBestIsAboveAll();
    void colorsAreAboveTheSelectionAndHiddenOnesAreNotDrawn();
    void theRawLineStaysBehindTheSmoothedOne();
    void oddNumbersArePassedOver();
    void theChartTellsWhatItShows();
    void anAnswerThatTakesLongIsSaidToBeOnItsWay();
    void aCurveThatGrowsLosesAndDoublesNothing();
    void theSameAgainPaintsNothing();
    void zoomAsksForMore();
    void brushesChoose();
    void theLineUnderThePointerIsSaid();
    void picturesAndTables();

private:
    std::unique_ptr<ui::Theme> m_theme;
};

static SeriesColumn column(double x, double value)
{
    return {x, value, value, value, value, x, x, 1, std::isnan(value) ? 1 : 0};
}

static SeriesCurve curveOf(const QString& trial, const std::vector<double>& values)
{
    SeriesCurve out;
    out.trial = core::TrialId(trial);
    out.total = qint64(values.size());
    out.to = double(values.size()) - 1;
    for (size_t i = 0; i < values.size(); ++i)
        out.columns.push_back(column(double(i), values[i]));
    return out;
}

void TstCharts::initTestCase()
{
    m_theme = std::make_unique<ui::Theme>();
    m_theme->setScheme(ui::Theme::Scheme::light);
}

void TstCharts::ticks_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<int>("wanted");
    QTest::addColumn<int>("unit");
    QTest::addColumn<bool>("isLog");
    QTest::addColumn<QString>("labels");
    const auto row = [](const char* name, double low, double high, int wanted, AxisUnit unit, bool isLog,
                         const char* labels) {
        QTest::newRow(name) << low << high << wanted << int(unit) << isLog << QString::fromUtf8(labels);
    };
    row("whole", 0, 60, 6, AxisUnit::number, false, "0 10 20 30 40 50 60");
    row("parts", 0.7, 1.0, 3, AxisUnit::number, false, "0.7 0.8 0.9 1.0");
    row("negative", -1, 1, 4, AxisUnit::number, false, "-1.0 -0.5 0 0.5 1.0");
    row("small", 0, 4e-6, 4, AxisUnit::number, false, "0 1e-6 2e-6 3e-6 4e-6");
    row("decades", 1e-4, 0.1, 4, AxisUnit::number, true, "0.0001 0.001 0.01 0.1");
    row("two decades", 0.1, 10, 8, AxisUnit::number, true, "0.1 0.2 0.5 1 2 5 10");
    row("minutes", 0, 600'000, 5, AxisUnit::duration, false, "0 min 2 min 4 min 6 min 8 min 10 min");
    row("nothing", 1, 1, 5, AxisUnit::number, false, "");
    row("no log of zero", 0, 1, 5, AxisUnit::number, true, "");
}

void TstCharts::ticks()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(int, wanted);
    QFETCH(int, unit);
    QFETCH(bool, isLog);
    QFETCH(QString, labels);
    QStringList found;
    for (const Tick& tick : ticksOf(low, high, wanted, AxisUnit(unit), isLog))
        found.append(tick.label);
    QCOMPARE(found.join(u' '), labels);
}

void TstCharts::ticksAreNeverTooMany()
{
    for (const double low : {-1e12, -1.0, 0.0, 1e-9, 0.3, 5e5})
        for (const double span : {1e-9, 1e-3, 0.7, 13.0, 1e6, 1e13})
            for (const bool isLog : {false, true})
                for (const AxisUnit unit : {AxisUnit::number, AxisUnit::duration, AxisUnit::clock})
                    QVERIFY(ticksOf(low, low + span, 5, unit, isLog).size() <= 24);
    QVERIFY(ticksOf(std::nan(""), 1, 5).empty());
    QVERIFY(ticksOf(0, HUGE_VAL, 5).empty());
}

void TstCharts::rangesGetAir()
{
    QCOMPARE(aired(0, 10, 0.1), std::pair(-1.0, 11.0));
    QVERIFY(aired(5, 5).first < 5 && aired(5, 5).second > 5);
    QVERIFY(aired(-1, 10, 0.1, true).first > 0);
    QCOMPARE(aired(HUGE_VAL, -HUGE_VAL), std::pair(0.0, 1.0));
    QCOMPARE(rounded(0.00012, 0.09, 4, true), std::pair(1e-4, 0.1));
    QCOMPARE(rounded(0.01, 0.49, 5, false), std::pair(0.0, 0.5));
}

void TstCharts::curvesKeepEveryExtreme()
{
    SeriesCurve curve;
    curve.columns = {{0, -5, 9, 1, 2, 0, 0.9, 1000, 0}};
    double low = 0;
    double high = 0;
    for (const QPointF& point : pointsOf(curve)) {
        low = std::min(low, point.y());
        high = std::max(high, point.y());
    }
    QCOMPARE(low, -5.0);
    QCOMPARE(high, 9.0);
    QVERIFY(!curve.isRaw());
}

void TstCharts::rawCurvesAreExact()
{
    const SeriesCurve curve = curveOf(u"t"_s, {1, 2, 0.5});
    QCOMPARE(pointsOf(curve), (std::vector<QPointF>{{0, 1}, {1, 2}, {2, 0.5}}));
    QVERIFY(curve.isRaw());
}

void TstCharts::smoothingBeginsWhereTheCurveBegins()
{
    const std::vector<QPointF> out = smoothed({{0, 4}, {1, 4}, {2, std::nan("")}, {3, 8}}, 0.5);
    QCOMPARE(out[0].y(), 4.0);
    QCOMPARE(out[1].y(), 4.0);
    QVERIFY(std::isnan(out[2].y()));
    QVERIFY(out[3].y() > 4 && out[3].y() < 8);
}

void TstCharts::bandsHoldSpikes()
{
    models::SeriesData data;
    std::vector<double> spiky(1000, 1.0);
    spiky[501] = -7;
    data.curves = {
        curveOf(u"a"_s, std::vector<double>(1000, 3.0)), curveOf(u"b"_s, spiky), curveOf(u"c"_s, {100, 100})};
    const Band band = bandOf(data, {core::TrialId(u"a"_s), core::TrialId(u"b"_s)}, 0, 999);
    QVERIFY(!band.mean.empty());
    QCOMPARE(band.mean.front().y(), 2.0);
    const auto deepest =
        std::min_element(band.low.begin(), band.low.end(), [](QPointF a, QPointF b) { return a.y() < b.y(); });
    QCOMPARE(deepest->y(), -7.0);
    QVERIFY(std::abs(deepest->x() - 501) < 5);
    for (const QPointF& point : band.high)
        QCOMPARE(point.y(), 3.0);
    QVERIFY(bandOf(data, {}, 0, 999).mean.empty());
    QVERIFY(bandOf(data, {core::TrialId(u"a"_s)}, 5, 5).mean.empty());
}

void TstCharts::quantilesOfManyCurves()
{
    models::SeriesData data;
    for (int i = 0; i <= 100; ++i) {
        std::vector<double> values(size_t(i < 50 ? 200 : 100), 100.0 - i);
        values[10] = std::nan("");
        data.curves.push_back(curveOf(QString::number(i), values));
    }
    const Quantiles quantiles = quantilesOf(data, 0, 199);
    for (size_t part = 0; part < Quantiles::parts.size(); ++part) {
        QCOMPARE(quantiles.lines[part].front(), QPointF(0, 100 * Quantiles::parts[part]));
        // Of those alone that go on so long: 51 to 100.
        QCOMPARE(quantiles.lines[part].back().x(), 199.0);
        QVERIFY(quantiles.lines[part].back().y() > 50);
    }
    QVERIFY(quantilesOf(data, 5, 5).lines[0].empty());
    QVERIFY(quantilesOf({}, 0, 199).lines[0].empty());
}

void TstCharts::veryManyAreASummaryOfAll()
{
    fakes::FakeCurves curves(1500);
    for (int trial = 0; trial < 1500; ++trial)
        for (int step = 0; step < 5; ++step)
            curves.append(trial, trial * 0.001 + step);
    MetricChart chart(*m_theme, curves.client);
    chart.resize(600, 300);
    chart.setTrials(curves.ids());
    chart.setSelection({curves.id(3), curves.id(4), curves.id(5)}, {}, curves.id(1499));
    QSignalSpy banded(&chart, &MetricChart::bandChanged);
    chart.show();
    QTRY_VERIFY(chart.data() && !chart.plot()->isPainting());
    QVERIFY(chart.isSummary());
    QTRY_COMPARE(chart.bandCurves(), 3);
    QCOMPARE(banded.size(), 1);
    // Badge, curves and table are of the same set.
    QVERIFY2(chart.plot()->badge().contains(u"all 1,500 trials"_s), qPrintable(chart.plot()->badge()));
    QCOMPARE(chart.data()->curves.size(), size_t(1500));
    QSet<QByteArray> exported;
    const QList<QByteArray> lines = chart.csv().split('\n');
    for (const QByteArray& line : lines.mid(1))
        exported.insert(line.split(',').first());
    QCOMPARE(exported.size(), 1501); // and the empty last line
    chart.setTrials(curves.ids(), 4000);
    QVERIFY2(chart.plot()->badge().contains(u"newest 1,500 of 4,000 trials"_s), qPrintable(chart.plot()->badge()));
    chart.setSmoothing(0.6);
    QVERIFY2(chart.plot()->badge().contains(u"smoothed 0.6"_s), qPrintable(chart.plot()->badge()));
}

void TstCharts::bestIsAStepLine()
{
    const SeriesCurve curve = curveOf(u"t"_s, {1, std::nan(""), 3, 2, 4, 4, 1});
    QCOMPARE(bestSteps(curve, true), (std::vector<QPointF>{{0, 1}, {2, 1}, {2, 3}, {4, 3}, {4, 4}, {6, 4}}));
    QCOMPARE(bestSteps(curve, false), (std::vector<QPointF>{{0, 1}, {6, 1}}));
    QVERIFY(bestSteps(curveOf(u"t"_s, {std::nan("")}), true).empty());
}

void TstCharts::aSpikeIsPainted()
{
    auto data = std::make_shared<models::SeriesData>();
    std::vector<double> values(400, 0.9);
    values[200] = 0.1;
    data->curves = {curveOf(u"t"_s, values)};
    CurveJob job;
    job.data = data;
    job.range = {0, 399, 0, 1};
    job.each = Qt::black;
    const QImage image = imageOf(job, {200, 100}, 1);
    // At half of the width something is drawn far down, nowhere else.
    int deepest = 0;
    for (int y = 0; y < 100; ++y)
        for (int x = 0; x < 200; ++x)
            if (qAlpha(image.pixel(x, y)) > 40)
                deepest = std::max(deepest, y);
    QVERIFY2(deepest >= 87 && deepest <= 92, qPrintable(QString::number(deepest)));
}

void TstCharts::theBestIsAboveAll()
{
    auto data = std::make_shared<models::SeriesData>();
    for (const QString& trial : {u"best"_s, u"looked"_s, u"other"_s})
        data->curves.push_back(curveOf(trial, {0.5, 0.5}));
    CurveJob job;
    job.data = data;
    job.range = {0, 1, 0, 1};
    job.each = Qt::green;
    job.chosen = Qt::red;
    job.current = Qt::blue;
    job.best = Qt::black;
    job.selected = {core::TrialId(u"other"_s)};
    job.currentTrial = core::TrialId(u"looked"_s);
    const auto middle = [&job] { return imageOf(job, {51, 51}, 1).pixelColor(25, 25); };
    QCOMPARE(middle(), QColor(Qt::blue));
    job.bestTrial = core::TrialId(u"best"_s);
    QCOMPARE(middle(), QColor(Qt::black));
    job.currentTrial = job.bestTrial;
    QCOMPARE(middle(), QColor(Qt::black));
}

void TstCharts::colorsAreAboveTheSelectionAndHiddenOnesAreNotDrawn()
{
    auto data = std::make_shared<models::SeriesData>();
    for (const QString& trial : {u"own"_s, u"other"_s})
        data->curves.push_back(curveOf(trial, {0.5, 0.5}));
    const core::TrialId own(u"own"_s);
    CurveJob job;
    job.data = data;
    job.range = {0, 1, 0, 1};
    job.each = Qt::green;
    job.chosen = Qt::red;
    job.selected = {own, core::TrialId(u"other"_s)};
    job.colors = {{own, Qt::blue}};
    const auto middle = [&job] { return imageOf(job, {51, 51}, 1).pixelColor(25, 25); };
    QCOMPARE(middle(), QColor(Qt::blue));
    job.isSummary = true;
    job.data = std::make_shared<models::SeriesData>(*data);
    QCOMPARE(middle(), QColor(Qt::blue));
    job.isSummary = false;
    job.hidden = {own};
    QCOMPARE(middle(), QColor(Qt::red));
    job.hidden.insert(core::TrialId(u"other"_s));
    QCOMPARE(middle().alpha(), 0);
}

void TstCharts::theRawLineStaysBehindTheSmoothedOne()
{
    // A jump that the smoothed line takes slowly: in between both are drawn at the right end, the raw one paler.
    auto data = std::make_shared<models::SeriesData>();
    data->curves = {curveOf(u"t"_s, {0.2, 0.2, 0.2, 0.2, 0.2, 0.8, 0.8, 0.8, 0.8, 0.8})};
    CurveJob job;
    job.data = data;
    job.range = {0, 9, 0, 1};
    job.each = Qt::black;
    const auto strongest = [&job](double up) {
        const QImage image = imageOf(job, {100, 101}, 1);
        int alpha = 0;
        for (int y = int(100 - up * 100) - 1; y <= int(100 - up * 100) + 1; ++y)
            alpha = std::max(alpha, image.pixelColor(70, y).alpha());
        return alpha;
    };
    const int plain = strongest(0.8);
    QVERIFY(plain > 100);
    job.smoothing = 0.9;
    QVERIFY(strongest(0.8) > plain / 5 && strongest(0.8) < plain / 2);
    // Of a single trial the same, by Qt Charts.
    fakes::FakeCurves curves(1);
    for (int step = 0; step < 50; ++step)
        curves.append(0, step % 2);
    MetricChart chart(*m_theme, curves.client);
    chart.resize(400, 300);
    chart.setTrials(curves.ids());
    chart.show();
    QTRY_VERIFY(chart.data());
    const qsizetype before = chart.plot()->lineCount();
    chart.setSmoothing(0.9);
    QCOMPARE(chart.plot()->lineCount(), before + 1);
    chart.setSmoothing(0);
    QCOMPARE(chart.plot()->lineCount(), before);
}

void TstCharts::oddNumbersArePassedOver()
{
    auto data = std::make_shared<models::SeriesData>();
    data->curves = {curveOf(u"t"_s, {std::nan(""), HUGE_VAL, -HUGE_VAL, 0, -1, 1e300}), curveOf(u"u"_s, {})};
    for (const bool isLog : {false, true}) {
        CurveJob job;
        job.data = data;
        job.range = {0.1, 5, 0.1, 1, isLog, isLog};
        job.each = Qt::black;
        job.smoothing = 0.5;
        QVERIFY(!imageOf(job, {50, 50}, 1).isNull());
    }
    CurveJob empty;
    empty.range = {0, 0, 0, 0};
    QVERIFY(!imageOf(empty, {10, 10}, 2).isNull());
}

/// A service whose trials all have the same thousand values.
struct Service
{
    Service()
    {
        port.setHandler([this](const api::Command& command, const fakes::FakeEnginePort::Done& done) {
            const auto* read = std::get_if<api::ReadSeries>(&command);
            if (!read)
                return false;
            ++reads;
            api::Reply reply;
            reply.isJsonText = true;
            reply.bytes = "{\"series\":[";
            for (qsizetype i = 0; i < read->trials.size(); ++i) {
                reply.bytes += (i ? ",{\"trialId\":\"" : "{\"trialId\":\"") + read->trials[i].value.toUtf8()
                    + "\",\"total\":1000,\"from\":0,\"to\":999,\"columns\":["
                      R"({"x":0,"min":0,"max":5,"first":1,"last":2,"count":)"
                    + QByteArray::number(count) + R"(},{"x":999,"min":3,"max":3,"first":3,"last":3,"count":1}]})";
            }
            reply.bytes += "]}";
            done(reply);
            return true;
        });
    }
    int count = 999;
    int reads = 0;
    fakes::FakeEnginePort port;
    client::LocalEngineClient client{port};
};

void TstCharts::theChartTellsWhatItShows()
{
    Service service;
    MetricChart chart(*m_theme, service.client);
    chart.resize(400, 300);
    QSignalSpy ready(&chart, &MetricChart::ready);
    chart.setTrials({core::TrialId(u"t1"_s), core::TrialId(u"t2"_s)});
    chart.show();
    QTRY_VERIFY(chart.data() && ready.size() > 0);
    QCOMPARE(chart.data()->curves.size(), size_t(2));
    QCOMPARE(chart.data()->curves[0].count(), 1000);
    QVERIFY(chart.csv().startsWith("trial,number,x,min,max,first,last,count\nt1,,0,0,5,1,2,999\n"));
    chart.setNumbers([](const core::TrialId&) { return u"7"_s; });
    QVERIFY(chart.csv().contains("\nt1,7,0,0,5,1,2,999\n"));
    chart.setSelection({core::TrialId(u"t1"_s), core::TrialId(u"t2"_s)}, core::TrialId(u"t1"_s));
    chart.setLogY(true);
    chart.setSmoothing(0.6);
    chart.setTrials({});
    QTRY_VERIFY(!chart.data());
}

void TstCharts::anAnswerThatTakesLongIsSaidToBeOnItsWay()
{
    fakes::FakeEngineClient client;
    client.begin();
    MetricChart chart(*m_theme, client);
    chart.resize(400, 300);
    chart.show();
    const auto* plot = chart.findChild<PlotView*>();
    QVERIFY(plot);
    chart.setTrials({core::TrialId(u"t1"_s)});
    QTRY_COMPARE(client.commands.size(), 1);
    QVERIFY(plot->message().isEmpty());
    QTRY_COMPARE(plot->message(), u"Loading …"_s);
    client.answer(core::fail(core::Kind::not_found, u"There is no such trial."_s));
    QTRY_COMPARE(plot->message(), u"There is no such trial."_s);
}

void TstCharts::aCurveThatGrowsLosesAndDoublesNothing()
{
    constexpr int trials = 40; // more than one part of an answer
    constexpr int most = 3'000;
    const auto valueAt = [](int trial, int step) {
        return step % 997 == 5 ? 100.0 + step : step % 1'013 == 7 ? -100.0 - step : std::sin(step * 0.7 + trial);
    };
    fakes::FakeCurves curves(trials);
    MetricChart chart(*m_theme, curves.client);
    chart.resize(700, 300);
    int loads = 0;
    connect(&chart, &MetricChart::ready, this, [&] {
        if (!chart.data())
            return; // another axis was chosen
        ++loads;
        for (const SeriesCurve& curve : chart.data()->curves) {
            const int trial = curve.trial.value.mid(1).toInt();
            QCOMPARE(curve.count(), curve.total);
            double low = HUGE_VAL;
            double high = -HUGE_VAL;
            for (int step = 0; step < curve.total; ++step) {
                low = std::min(low, valueAt(trial, step));
                high = std::max(high, valueAt(trial, step));
            }
            const std::vector<QPointF> drawn = pointsOf(curve);
            const auto byY = [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); };
            QCOMPARE(std::min_element(drawn.begin(), drawn.end(), byY)->y(), low);
            QCOMPARE(std::max_element(drawn.begin(), drawn.end(), byY)->y(), high);
            QCOMPARE(drawn.front(), QPointF(0, valueAt(trial, 0)));
            QCOMPARE(drawn.back(), QPointF(double(curve.total - 1), valueAt(trial, int(curve.total) - 1)));
        }
    });
    for (int trial = 0; trial < trials; ++trial)
        for (int step = 0; step < 10; ++step)
            curves.append(trial, valueAt(trial, step));
    // Values come while curves are read, decoded and painted.
    std::atomic<bool> isSlow{true};
    std::thread reports([&] {
        for (int step = 10; step < most; ++step) {
            for (int trial = 0; trial < trials; ++trial)
                curves.append(trial, valueAt(trial, step));
            if (isSlow)
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    chart.setTrials(curves.ids());
    chart.show();
    for (int round = 1; round <= 3; ++round) {
        QTRY_VERIFY(loads >= round);
        chart.setAxis(models::SeriesAxis::relative); // asks again, whatever is under way
        chart.setAxis(models::SeriesAxis::step);
    }
    isSlow = false;
    reports.join();
    chart.refresh();
    const auto isWhole = [&] {
        return chart.data()
            && std::all_of(chart.data()->curves.begin(), chart.data()->curves.end(),
                [](const auto& curve) { return curve.total == most; });
    };
    QTRY_VERIFY(isWhole() && !chart.plot()->isPainting());
    QCOMPARE(chart.data()->curves.size(), size_t(trials));
    QVERIFY(loads > 3);
}

void TstCharts::theSameAgainPaintsNothing()
{
    fakes::FakeCurves curves(3);
    for (int step = 0; step < 50; ++step)
        for (int trial = 0; trial < 3; ++trial)
            curves.append(trial, step * 0.1 + trial);
    MetricChart chart(*m_theme, curves.client);
    chart.resize(400, 300);
    chart.setTrials(curves.ids());
    chart.show();
    QTRY_VERIFY(chart.data() && !chart.plot()->isPainting());
    QSignalSpy painted(chart.plot(), &PlotView::imageReady);
    chart.setSelection({}, {}, {});
    QVERIFY(!chart.plot()->isPainting());
    chart.setSelection({curves.id(1)}, curves.id(1), {});
    QVERIFY(chart.plot()->isPainting());
    QTRY_VERIFY(!chart.plot()->isPainting());
    // A job that stands already is ready at once.
    PlotView plot(*m_theme);
    plot.resize(300, 200);
    plot.show();
    QTRY_VERIFY(!plot.isPainting());
    QSignalSpy ready(&plot, &PlotView::imageReady);
    plot.setJob({});
    QVERIFY(!plot.isPainting());
    QTRY_COMPARE(ready.size(), 1);
}

void TstCharts::zoomAsksForMore()
{
    Service service;
    MetricChart chart(*m_theme, service.client);
    chart.resize(400, 300);
    chart.setTrials({core::TrialId(u"t1"_s)});
    chart.show();
    QTRY_VERIFY(chart.data());
    chart.zoom(0.5);
    QTRY_VERIFY(chart.data()->request.from.has_value());
    QVERIFY(*chart.data()->request.from > 100 && *chart.data()->request.to < 900);
    chart.showAll();
    QTRY_VERIFY(!chart.data()->request.from.has_value());
    // A step that comes more than 60 ms behind the last read is read in the same turn of the loop.
    const auto isReadAtOnce = [&] {
        QTest::qWait(100);
        const int before = service.reads;
        chart.zoom(0.9);
        for (int i = 0; i < 5; ++i)
            QCoreApplication::processEvents();
        return service.reads > before;
    };
    QVERIFY(QTest::qWaitFor(isReadAtOnce));
    // A range that goes on changing is read now and then, not for each change; timers may be a little early.
    const int before = service.reads;
    QElapsedTimer changing;
    changing.start();
    for (int i = 0; i < 60; ++i) {
        chart.zoom(0.99);
        QTest::qWait(3);
    }
    QVERIFY2(
        service.reads - before <= changing.elapsed() / 50 + 1, qPrintable(QString::number(service.reads - before)));
    QTRY_VERIFY(service.reads - before >= 2);
}

void TstCharts::brushesChoose()
{
    ParallelCoordinates chart(*m_theme);
    chart.resize(600, 300);
    auto lines = std::make_shared<std::vector<ParallelLine>>();
    for (int i = 0; i < 10; ++i)
        lines->push_back(
            {core::TrialId(u"t%1"_s.arg(i)), {float(i) / 9, i % 2 ? 1.0F : 0.0F, i == 3 ? std::nanf("") : 0.5F}});
    chart.setData({{u"lr"_s, 0, 9}, {u"kind"_s, 0, 1, false, {u"a"_s, u"b"_s}}, {u"best"_s, 0, 1}}, lines);
    chart.show();
    QSignalSpy changed(&chart, &ParallelCoordinates::brushesChanged);
    QSignalSpy moved(&chart, &ParallelCoordinates::axisMoved);
    chart.setFocus();
    // The first axis, with the pointer: from its top to the middle.
    QTest::mousePress(&chart, Qt::LeftButton, {}, {48, 29});
    QTest::mouseMove(&chart, {48, 100});
    QTest::mouseMove(&chart, {48, 159});
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, {48, 159});
    QVERIFY(!changed.isEmpty());
    QCOMPARE(chart.brushes().size(), size_t(1));
    QCOMPARE(chart.brushed().size(), 5);
    QVERIFY(chart.brushed().contains(core::TrialId(u"t9"_s)));
    // With keys: the axis of the kinds, upwards.
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_Up);
    QCOMPARE(chart.brushes().size(), size_t(2));
    QTest::keyClick(&chart, Qt::Key_Delete);
    QCOMPARE(chart.brushes().size(), size_t(1));
    QTest::mouseClick(&chart, Qt::LeftButton, {}, {48, 100});
    QCOMPARE(chart.brushes().size(), size_t(0));
    QVERIFY(chart.brushed().isEmpty());
    // A name carried from the first place to the last.
    QTest::mousePress(&chart, Qt::LeftButton, {}, {48, 10});
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, {544, 10});
    QCOMPARE(moved.size(), 1);
    QCOMPARE(moved[0][1].toInt(), 2);
}

/// The line under the pointer is the one that is drawn there; selected ones are found before others.
void TstCharts::theLineUnderThePointerIsSaid()
{
    ParallelCoordinates chart(*m_theme);
    chart.resize(600, 300);
    const auto id = [](const char* name) { return core::TrialId(QString::fromLatin1(name)); };
    auto lines = std::make_shared<std::vector<ParallelLine>>();
    *lines = {{id("low"), {0, 0, 0}}, {id("cross"), {1, 0, 1}}, {id("gap"), {0.5F, std::nanf(""), 0.5F}}};
    chart.setData({{u"a"_s, 0, 1}, {u"b"_s, 0, 1}, {u"c"_s, 0, 1}}, lines);
    chart.show();
    const auto move = [&](QPoint at) {
        QMouseEvent event(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(&chart, &event);
    };
    QSignalSpy hovered(&chart, &ParallelCoordinates::trialHovered);
    // The plot is from 48, 28 to 544, 290: the middle between the first two axes is at 172, 159.
    move({172, 160});
    QCOMPARE(hovered.value(hovered.size() - 1)[0].value<core::TrialId>(), id("cross"));
    move({172, 289});
    QCOMPARE(hovered.value(hovered.size() - 1)[0].value<core::TrialId>(), id("low"));
    move({172, 60});
    QVERIFY(hovered.value(hovered.size() - 1)[0].value<core::TrialId>().isEmpty());
    // Near the lower axis both pass: the selected one.
    chart.setSelection({id("cross")}, {});
    move({280, 288});
    QCOMPARE(hovered.value(hovered.size() - 1)[0].value<core::TrialId>(), id("cross"));
    chart.setColors({}, {id("cross")});
    move({279, 289});
    QCOMPARE(hovered.value(hovered.size() - 1)[0].value<core::TrialId>(), id("low"));
}

void TstCharts::picturesAndTables()
{
    QTemporaryDir folder;
    DotChart chart(*m_theme);
    chart.resize(300, 200);
    chart.setDots({{core::TrialId(u"t1"_s), 1, 2}, {core::TrialId(u"t2"_s), std::nan(""), 2}}, false, false);
    chart.show();
    PictureText text{
        u"e: accuracy by lr"_s, u"lr"_s, u"accuracy"_s, {{Qt::red, u"Trial 12"_s}, {Qt::blue, u"Trial 34"_s}}};
    for (const QString& name : {u"a.png"_s, u"a.svg"_s}) {
        QVERIFY(chart.exportImage(folder.filePath(name), text));
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray all = file.readAll();
        if (name.endsWith(u"png"_s)) {
            // The words have room of their own, on both axes.
            const QImage image = QImage::fromData(all);
            QVERIFY(image.width() > 2 * chart.plot()->viewport()->width());
            QVERIFY(image.height() > 2 * (chart.plot()->viewport()->height() + 60));
            continue;
        }
        for (const char* words : {"<svg", "e: accuracy by lr", ">lr<", ">accuracy<", "Trial 12", "Trial 34"})
            QVERIFY2(all.contains(words), words);
    }
    const auto refused = chart.exportImage(folder.filePath(u"no/such/folder.png"_s), {});
    QVERIFY(!refused);
    QVERIFY(refused.error().message.contains(u"could not be written"_s));
}

QTEST_MAIN(TstCharts)
#include "tst_charts.moc"
