// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/fake_curves.h"
#include "ui/charts/curve_hover.h"
#include "ui/charts/dot_chart.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/parallel_coordinates.h"
#include "ui/charts/plot_view.h"
#include "ui/kit/theme.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace ui::charts;
using models::SeriesCurve;

class TstCurveHover : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void nearestComesFirst();
    void betweenTwoValuesTheNearerIsMeant();
    void spikesAreFound();
    void smoothedCurvesAreFoundWhereTheyAreDrawn();
    void aLookUpDoesNotGrowWithTheCurves();
    void theListHasEightRowsAndSaysHowManyMore();
    void hiddenCurvesAreNotListed();
    void chartsMarkTheSameTrial();
    void dotsAreFoundAndMarked();
    void parallelLinesAreMarked();

private:
    std::unique_ptr<ui::Theme> m_theme;
};

static models::SeriesDataPtr dataOf(const std::vector<std::vector<double>>& curves, double stride = 1)
{
    auto data = std::make_shared<models::SeriesData>();
    for (size_t i = 0; i < curves.size(); ++i) {
        SeriesCurve curve;
        curve.trial = core::TrialId(u"t%1"_s.arg(i));
        curve.total = qint64(curves[i].size());
        for (size_t step = 0; step < curves[i].size(); ++step) {
            const double x = double(step) * stride;
            const double y = curves[i][step];
            curve.columns.push_back({x, y, y, y, y, x, x, 1, std::isnan(y) ? 1 : 0});
        }
        data->curves.push_back(curve);
    }
    return data;
}

static core::TrialId trial(int i)
{
    return core::TrialId(u"t%1"_s.arg(i));
}

/// Moves the pointer to a place of the plot, in its units.
static void pointAt(PlotView& plot, QPointF at)
{
    const QRectF area = plot.chart()->plotArea();
    const QPointF pixel(area.left() + plot.range().across(at.x()) * area.width(),
        area.bottom() - plot.range().up(at.y()) * area.height());
    QTest::mouseMove(plot.viewport(), pixel.toPoint());
}

void TstCurveHover::initTestCase()
{
    m_theme = std::make_unique<ui::Theme>();
    m_theme->setScheme(ui::Theme::Scheme::light);
}

void TstCurveHover::nearestComesFirst()
{
    const CurveIndex index(dataOf({{1, 1, 1}, {2, 2, 2}, {2.3, 2.3, 2.3}, {9, 9, 9}}), 0, 2, 0);
    const CurveIndex::Near found = index.near({1, 2.1}, {0.1, 1.5}, 8);
    QCOMPARE(found.points.size(), size_t(3));
    QCOMPARE(found.points[0].curve->trial, trial(1));
    QCOMPARE(found.points[0].at(), QPointF(1, 2));
    QCOMPARE(found.points[1].curve->trial, trial(2));
    QCOMPARE(found.points[2].curve->trial, trial(0));
    QCOMPARE(found.more, 0);
    const CurveIndex::Near one = index.near({1, 2.1}, {0.1, 1.5}, 1);
    QCOMPARE(one.points.size(), size_t(1));
    QCOMPARE(one.more, 2);
    QVERIFY(index.near({1, 6}, {0.1, 1.5}, 8).points.empty());
    QVERIFY(index.near({50, 2}, {0.1, 1.5}, 8).points.empty());
}

void TstCurveHover::betweenTwoValuesTheNearerIsMeant()
{
    const CurveIndex index(dataOf({{0, 10}}, 100), 0, 100, 0);
    const CurveIndex::Near found = index.near({40, 4}, {1, 1}, 8);
    QCOMPARE(found.points.size(), size_t(1));
    QCOMPARE(found.points[0].at(), QPointF(0, 0));
    QCOMPARE(index.valueAt(trial(0), 60)->at(), QPointF(100, 10));
    QVERIFY(!index.valueAt(trial(0), 150));
    QVERIFY(!index.valueAt(trial(7), 60));
}

void TstCurveHover::spikesAreFound()
{
    std::vector<double> values(1000, 0.9);
    values[501] = 0.1;
    const CurveIndex index(dataOf({values, std::vector<double>(1000, 0.8)}), 0, 999, 0);
    const CurveIndex::Near found = index.near({503, 0.11}, {8, 0.02}, 8);
    QCOMPARE(found.points.size(), size_t(1));
    QCOMPARE(found.points[0].at(), QPointF(501, 0.1));
    QCOMPARE(index.bestOf(trial(0), false)->at(), QPointF(501, 0.1));
}

void TstCurveHover::smoothedCurvesAreFoundWhereTheyAreDrawn()
{
    std::vector<double> values;
    for (int i = 0; i < 200; ++i)
        values.push_back(i % 2);
    const CurveIndex index(dataOf({values}), 0, 199, 0.9);
    const CurveIndex::Near found = index.near({150, 0.5}, {1, 0.1}, 8);
    QCOMPARE(found.points.size(), size_t(1));
    QVERIFY(std::abs(found.points[0].shown - 0.5) < 0.1);
    QVERIFY(found.points[0].raw == 0 || found.points[0].raw == 1);
}

void TstCurveHover::aLookUpDoesNotGrowWithTheCurves()
{
    std::vector<std::vector<double>> curves;
    for (int i = 0; i < 2000; ++i) {
        std::vector<double> values;
        for (int step = 0; step < 120; ++step)
            values.push_back(i * 0.001 + step * 0.01);
        curves.push_back(values);
    }
    const CurveIndex index(dataOf(curves), 0, 119, 0);
    const CurveIndex::Near found = index.near({60, 1.6}, {1, 0.0505}, 8);
    QCOMPARE(found.points.size(), size_t(8));
    QCOMPARE(found.more, 101 - 8);
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 200; ++i)
        QVERIFY(!index.near({60, 1 + i * 0.005}, {1, 10}, 8).points.empty());
    // Going through 2,000 curves of 120 columns takes 50 times as long.
    QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
}

void TstCurveHover::theListHasEightRowsAndSaysHowManyMore()
{
    fakes::FakeCurves curves(12);
    for (int i = 0; i < 12; ++i)
        for (int step = 0; step < 20; ++step)
            curves.append(i, 1 + i * 0.001 + (i == 11 ? 1 : 0));
    MetricChart chart(*m_theme, curves.client);
    chart.resize(600, 400);
    chart.setTrials(curves.ids());
    chart.setNumbers([&curves](const core::TrialId& id) { return QString::number(curves.ids().indexOf(id)); });
    chart.show();
    QTRY_VERIFY(chart.data() && !chart.plot()->isPainting());
    QSignalSpy hovered(&chart, &MetricChart::trialHovered);
    pointAt(*chart.plot(), {10, 1.005});
    QTRY_VERIFY(chart.plot()->crosshair());
    const Crosshair shown = *chart.plot()->crosshair();
    QCOMPARE(shown.rows.size(), size_t(8));
    QCOMPARE(shown.more, 3); // of the eleven that are near
    QCOMPARE(*shown.x, 10.0);
    QCOMPARE(shown.place, u"step 10"_s);
    QVERIFY(std::is_sorted(
        shown.rows.begin(), shown.rows.end(), [](const auto& a, const auto& b) { return a.value > b.value; }));
    QCOMPARE(std::count_if(shown.rows.begin(), shown.rows.end(), [](const auto& row) { return row.isNearest; }), 1);
    QVERIFY(shown.rows[0].value.startsWith(u"1.00"_s));
    // A pixel is as high as three of the curves are apart.
    QVERIFY(!hovered.isEmpty());
    const qsizetype nearest = curves.ids().indexOf(hovered.last()[0].value<core::TrialId>());
    QVERIFY2(nearest >= 2 && nearest <= 8, qPrintable(QString::number(nearest)));
    // Where there is no curve, the line alone.
    pointAt(*chart.plot(), {10, 1.5});
    QTRY_VERIFY(chart.plot()->crosshair()->rows.empty());
    QVERIFY(chart.plot()->crosshair()->x);
    QVERIFY(hovered.last()[0].value<core::TrialId>().isEmpty());
    // Those with a colour are marked wherever the pointer is.
    chart.setColors({{curves.id(3), Qt::red}});
    QCOMPARE(chart.plot()->crosshair()->marks.size(), size_t(1));
    QCOMPARE(chart.plot()->crosshair()->marks[0].color, QColor(Qt::red));
}

void TstCurveHover::hiddenCurvesAreNotListed()
{
    fakes::FakeCurves curves(3);
    for (int i = 0; i < 3; ++i)
        for (int step = 0; step < 20; ++step)
            curves.append(i, i);
    const auto rows = [](const MetricChart& of) {
        return of.plot()->crosshair() ? of.plot()->crosshair()->rows.size() : 0;
    };
    MetricChart chart(*m_theme, curves.client);
    chart.resize(600, 400);
    chart.setTrials(curves.ids());
    chart.setColors({{curves.id(0), Qt::red}, {curves.id(2), Qt::blue}}, {});
    chart.show();
    QTRY_VERIFY(chart.data() && !chart.plot()->isPainting());
    pointAt(*chart.plot(), {10, 0.02});
    // Few are all listed, the largest first.
    QTRY_COMPARE(rows(chart), size_t(3));
    QCOMPARE(chart.plot()->crosshair()->rows[0].color, QColor(Qt::blue));
    QCOMPARE(chart.plot()->crosshair()->rows[2].color, QColor(Qt::red));
    QVERIFY(chart.plot()->crosshair()->rows[2].isNearest && !chart.plot()->crosshair()->rows[0].isNearest);
    QCOMPARE(chart.plot()->crosshair()->marks.size(), size_t(3));
    QCOMPARE(chart.hover()->valueOf(curves.id(2))->raw, 2.0);
    QCOMPARE(chart.hover()->placeText(), u"step 10"_s);
    chart.setColors({{curves.id(0), Qt::red}, {curves.id(2), Qt::blue}}, {curves.id(0), curves.id(2)});
    QCOMPARE(rows(chart), size_t(1));
    QCOMPARE(chart.plot()->crosshair()->marks.size(), size_t(1));
    QCOMPARE(chart.plot()->crosshair()->marks[0].at, QPointF(10, 1));
}

void TstCurveHover::chartsMarkTheSameTrial()
{
    fakes::FakeCurves curves(3);
    for (int i = 0; i < 3; ++i)
        for (int step = 0; step < 20; ++step)
            curves.append(i, step == 7 ? 5 + i : i);
    MetricChart chart(*m_theme, curves.client);
    chart.resize(600, 400);
    chart.setObjective({u"default"_s, true});
    chart.setTrials(curves.ids());
    chart.show();
    QTRY_VERIFY(chart.data() && !chart.plot()->isPainting());
    chart.setHovered(curves.id(1));
    QTRY_VERIFY(chart.plot()->crosshair() && chart.plot()->crosshair()->marks.size() == 1);
    QCOMPARE(chart.plot()->crosshair()->marks[0].at, QPointF(7, 6));
    QVERIFY(!chart.plot()->crosshair()->x);
    chart.setHovered({});
    QVERIFY(!chart.plot()->crosshair());
}

void TstCurveHover::dotsAreFoundAndMarked()
{
    DotChart chart(*m_theme);
    chart.resize(400, 300);
    std::vector<TrialDot> dots;
    for (int i = 0; i < 2000; ++i)
        dots.push_back({trial(i), double((i * 37) % 2000), std::sin(i)});
    dots.push_back({trial(9999), 1000, 5});
    chart.setDots(dots, false, false);
    chart.setHoverText([](const TrialDot& dot) { return dot.trial.value; });
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    QSignalSpy hovered(&chart, &DotChart::trialHovered);
    pointAt(*chart.plot(), {1000, 5});
    QTRY_COMPARE(hovered.size(), 1);
    QCOMPARE(hovered[0][0].value<core::TrialId>(), trial(9999));
    QCOMPARE(chart.plot()->crosshair()->title, u"t9999"_s);
    QCOMPARE(*chart.plot()->crosshair()->x, 1000.0);
    QSignalSpy pressed(&chart, &DotChart::trialPressed);
    const QRectF area = chart.plot()->chart()->plotArea();
    const QPointF at(area.left() + chart.plot()->range().across(1000) * area.width(),
        area.bottom() - chart.plot()->range().up(5) * area.height());
    QTest::mouseClick(chart.plot()->viewport(), Qt::LeftButton, Qt::ControlModifier, at.toPoint());
    QCOMPARE(pressed.size(), 1);
    QCOMPARE(pressed[0][0].value<core::TrialId>(), trial(9999));
    QVERIFY(pressed[0][1].toBool());
    // From elsewhere: marked, without words.
    QTest::mouseMove(chart.plot()->viewport(), {1, 1});
    QTRY_VERIFY(!chart.plot()->crosshair());
    chart.setHovered(trial(3));
    QCOMPARE(chart.plot()->crosshair()->marks[0].at, QPointF(111, std::sin(3)));
    QVERIFY(chart.plot()->crosshair()->title.isEmpty());
    chart.setColors({{trial(3), Qt::red}}, {trial(3)});
    QVERIFY(!chart.plot()->crosshair());
}

void TstCurveHover::parallelLinesAreMarked()
{
    ParallelCoordinates chart(*m_theme);
    chart.resize(600, 300);
    auto lines = std::make_shared<std::vector<ParallelLine>>();
    lines->push_back({trial(0), {0.0F, 0.0F}, 0});
    lines->push_back({trial(1), {1.0F, 1.0F}, 5});
    chart.setData({{u"lr"_s, 0, 1}, {u"best"_s, 0, 1}}, lines);
    chart.show();
    QSignalSpy ready(&chart, &ParallelCoordinates::imageReady);
    QTRY_VERIFY(!ready.isEmpty());
    const auto middle = [&chart](double place) {
        // The line of one place all across, in the middle between the axes.
        const double y = 300 - 10 - place * (300 - 38);
        const QImage image = chart.grab().toImage();
        return image.pixelColor(int(300 * image.devicePixelRatio()), int(y * image.devicePixelRatio()));
    };
    QVERIFY(middle(1) != m_theme->roles().base);
    chart.setColors({{trial(1), Qt::red}}, {});
    chart.setHovered(trial(1));
    QCOMPARE(middle(1), QColor(Qt::red));
    chart.setColors({{trial(1), Qt::red}}, {trial(1)});
    QTRY_COMPARE(middle(1), m_theme->roles().base);
}

QTEST_MAIN(TstCurveHover)
#include "tst_curve_hover.moc"
