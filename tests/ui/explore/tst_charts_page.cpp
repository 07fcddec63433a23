// SPDX-License-Identifier: GPL-3.0-or-later
// The page of charts: what is selected, hovered or hidden in one chart is so in all.
#include "tests/fakes/curves_bench.h"

#include "models/trials/trial_csv.h"
#include "ui/charts/curve_hover.h"
#include "ui/charts/dot_chart.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/parallel_coordinates.h"
#include "ui/charts/plot_view.h"
#include "ui/explore/charts_page.h"
#include "ui/explore/curves_card.h"
#include "ui/explore/heat_key.h"
#include "ui/explore/legend_label.h"
#include "ui/explore/parameters_card.h"
#include "ui/explore/series_legend.h"

#include <QFile>
#include <QTemporaryDir>
#include <QToolButton>

using namespace Qt::StringLiterals;
using core::TrialId;
using fakes::CurvesBench;

namespace {

/// A page over a bench, shown, with the curves loaded.
struct ShownPage
{
    explicit ShownPage(int trials)
        : bench(trials)
        , page(bench.context)
    {
        page.setExperiment(CurvesBench::experiment());
        page.resize(1240, 860);
        page.show();
        curves = page.findChild<ui::charts::MetricChart*>();
        (void)QTest::qWaitFor([this] { return curves->data() && !curves->plot()->isPainting(); });
    }
    [[nodiscard]] ui::SeriesLegend& legend() const { return *page.findChild<ui::SeriesLegend*>(); }
    [[nodiscard]] QToolButton* tool(const QString& name) const { return page.findChild<QToolButton*>(name); }

    CurvesBench bench;
    ui::ChartsPage page;
    ui::charts::MetricChart* curves = nullptr;
};

} // namespace

class TstChartsPage : public QObject
{
    Q_OBJECT
private slots:
    void fewSelectedTrialsHaveColors();
    void manySelectedTrialsHaveABand();
    void theBestOfManySelectedHaveColors();
    void anEyeHidesATrialInAllCharts();
    void theLegendShowsTheValuesUnderThePointer();
    void aPressSelectsAndMarks();
    void hoverMarksTheTrialInAllCharts();
    void colorsFollowQuantiles();
    void tablesAreInTheFormatOfTheTrialsTable();
    void picturesNameTheTrials();
    void zoomCanBeReset();
};

void TstChartsPage::fewSelectedTrialsHaveColors()
{
    ShownPage shown(30);
    QVERIFY(!shown.legend().isVisible());
    shown.bench.selection.set({CurvesBench::id(4), CurvesBench::id(9)}, nullptr);
    QVERIFY(shown.legend().isVisible());
    const auto& rows = shown.legend().rows();
    const auto& series = shown.bench.theme.roles().series;
    QCOMPARE(rows.size(), 3); // and the best one
    QCOMPARE(rows[0].number, u"4"_s);
    QCOMPARE(rows[0].color, series[0]);
    QCOMPARE(rows[1].number, u"9"_s);
    QCOMPARE(rows[1].color, series[1]);
    QCOMPARE(rows[2].number, u"30"_s);
    QVERIFY(rows[2].isBest);
    QCOMPARE(rows[2].color, shown.bench.theme.roles().ink);
    QCOMPARE(shown.curves->bandCurves(), 0);
    // Another theme, other colours of the same numbers.
    shown.bench.theme.setScheme(ui::Theme::Scheme::dark);
    QCOMPARE(shown.legend().rows()[0].color, shown.bench.theme.roles().series[0]);
    QVERIFY(shown.bench.theme.roles().series[0] != QColor(0x1846E0));
}

void TstChartsPage::manySelectedTrialsHaveABand()
{
    ShownPage shown(30);
    QSet<TrialId> trials;
    for (int i = 2; i < 14; ++i)
        trials.insert(CurvesBench::id(i));
    shown.bench.selection.set(trials, nullptr);
    QTRY_COMPARE(shown.curves->bandCurves(), 12);
}

void TstChartsPage::theBestOfManySelectedHaveColors()
{
    ShownPage shown(30);
    QSet<TrialId> trials;
    for (int i = 3; i < 8; ++i)
        trials.insert(CurvesBench::id(i));
    shown.bench.selection.set(trials, nullptr);
    const auto colorOf = [&](int number) {
        for (const auto& row : shown.legend().rows())
            if (row.trial == CurvesBench::id(number))
                return row.color;
        return QColor();
    };
    const QColor before = colorOf(7);
    QVERIFY(before.isValid());
    for (int i = 2; i < 14; ++i)
        trials.insert(CurvesBench::id(i));
    shown.bench.selection.set(trials, nullptr);
    QVERIFY(shown.legend().isVisible());
    QStringList numbers;
    for (const auto& row : shown.legend().rows())
        numbers += row.number;
    numbers.sort();
    QStringList wanted{u"30"_s}; // the best of all, as ever
    for (int i = 6; i < 14; ++i)
        wanted += QString::number(i);
    wanted.sort();
    QCOMPARE(numbers, wanted);
    QCOMPARE(colorOf(7), before); // one that has a colour keeps it
    QVERIFY(fakes::shows(shown.legend(), u"8 of 12 selected"_s));
    QTRY_COMPARE(shown.curves->bandCurves(), 12);
    shown.bench.selection.set({CurvesBench::id(4), CurvesBench::id(9)}, nullptr);
    QVERIFY(!fakes::shows(shown.legend(), u"selected"_s));
}

void TstChartsPage::anEyeHidesATrialInAllCharts()
{
    ShownPage shown(30);
    const TrialId trial = CurvesBench::id(4);
    shown.bench.selection.set({trial, CurvesBench::id(9)}, nullptr);
    QToolButton* eye = shown.tool(u"eye-"_s + trial.value);
    QVERIFY(eye);
    QCOMPARE(eye->accessibleName(), u"Hide trial 4"_s);
    QTest::mouseClick(eye, Qt::LeftButton);
    QTRY_VERIFY(shown.legend().rows()[0].isHidden);
    QCOMPARE(shown.tool(u"eye-"_s + trial.value)->accessibleName(), u"Show trial 4"_s);
    // Not drawn, so not found under the pointer either.
    auto* best = shown.page.findChild<ui::charts::DotChart*>();
    best->setHovered(trial);
    QVERIFY(!best->plot()->crosshair());
    best->setHovered(CurvesBench::id(9));
    QVERIFY(best->plot()->crosshair());
    // It keeps its colour, and what leaves the selection is no longer hidden.
    QCOMPARE(shown.legend().rows()[0].color, shown.bench.theme.roles().series[0]);
    shown.bench.selection.set({CurvesBench::id(9), CurvesBench::id(5)}, nullptr);
    shown.bench.selection.set({CurvesBench::id(9), trial}, nullptr);
    for (const auto& row : shown.legend().rows())
        QVERIFY(!row.isHidden);
}

void TstChartsPage::theLegendShowsTheValuesUnderThePointer()
{
    ShownPage shown(30);
    shown.bench.selection.set({CurvesBench::id(4), CurvesBench::id(9)}, nullptr);
    QTRY_VERIFY(!shown.curves->plot()->isPainting());
    const auto texts = [&shown] {
        QStringList out;
        for (const QLabel* label : shown.legend().findChildren<QLabel*>())
            out.append(label->text());
        return out;
    };
    QVERIFY(!texts().contains(u"5.0040"_s));
    const ui::charts::PlotView& plot = *shown.curves->plot();
    const QRectF area = plot.chart()->plotArea();
    const QPointF at(
        area.left() + plot.range().across(5) * area.width(), area.bottom() - plot.range().up(5.0) * area.height());
    QTest::mouseMove(shown.curves->plot()->viewport(), at.toPoint());
    QTRY_VERIFY(texts().contains(u"5.0040"_s));
    QVERIFY(texts().contains(u"5.0090"_s) && texts().contains(u"5.0300"_s));
    QVERIFY(texts().contains(u"step 5"_s));
}

void TstChartsPage::aPressSelectsAndMarks()
{
    ShownPage shown(30);
    models::Selection& selection = shown.bench.selection;
    auto* best = shown.page.findChild<ui::charts::DotChart*>();
    emit best->trialPressed(CurvesBench::id(7), false);
    QCOMPARE(selection.current(), CurvesBench::id(7));
    QCOMPARE(selection.trials(), QSet<TrialId>{CurvesBench::id(7)});
    emit shown.curves->trialPressed(CurvesBench::id(8), true);
    QCOMPARE(selection.trials(), (QSet<TrialId>{CurvesBench::id(7), CurvesBench::id(8)}));
    // One of several is looked at; they stay selected.
    emit shown.curves->trialPressed(CurvesBench::id(12), false);
    QCOMPARE(selection.current(), CurvesBench::id(12));
    QCOMPARE(selection.trials().size(), 2);
    emit shown.page.findChild<ui::charts::ParallelCoordinates*>()->trialPressed(CurvesBench::id(8), true);
    QCOMPARE(selection.trials(), QSet<TrialId>{CurvesBench::id(7)});
}

void TstChartsPage::hoverMarksTheTrialInAllCharts()
{
    ShownPage shown(30);
    auto* best = shown.page.findChild<ui::charts::DotChart*>();
    emit shown.curves->trialHovered(CurvesBench::id(7));
    QVERIFY(best->plot()->crosshair());
    QCOMPARE(best->plot()->crosshair()->marks[0].at, QPointF(7, 0.007));
    emit shown.curves->trialHovered({});
    QVERIFY(!best->plot()->crosshair());
    emit best->trialHovered(CurvesBench::id(7));
    QTRY_VERIFY(shown.curves->plot()->crosshair());
    QCOMPARE(shown.curves->plot()->crosshair()->marks[0].at, QPointF(9, 9.007));
}

void TstChartsPage::colorsFollowQuantiles()
{
    const models::QuantileScale scale({0.90, 0.91, 0.92, 0.93, 0.94, 0.95, -1e6});
    // The outlier takes the worst step, the others share the rest.
    QCOMPARE(ui::heatStepOf(scale, -1e6, true), 0);
    QCOMPARE(ui::heatStepOf(scale, 0.92, true), 3);
    QCOMPARE(ui::heatStepOf(scale, 0.95, true), 5);
    QCOMPARE(ui::heatStepOf(scale, 0.95, false), 0);
    QCOMPARE(ui::heatStepOf(models::QuantileScale({1, 1}), 1, false), 5);
    ShownPage shown(30);
    auto* key = shown.page.findChild<ui::HeatKey*>();
    QVERIFY(key->isVisible());
    QVERIFY2(key->accessibleName().contains(u"by quantile"_s), qPrintable(key->accessibleName()));
    QVERIFY(key->worst().startsWith(u"≤"_s) && key->best().startsWith(u"≥"_s));
}

void TstChartsPage::tablesAreInTheFormatOfTheTrialsTable()
{
    ShownPage shown(5);
    auto* card = shown.page.findChild<ui::ParametersCard*>();
    const QList<QByteArray> parallel = card->csv().split('\n');
    QCOMPARE(parallel[0], QByteArray("#,Id,lr,Best"));
    QCOMPARE(parallel.size(), 5 + 2);
    QVERIFY(parallel.contains("4,t00000000000004,0.00040000000000000002,0.0040000000000000001"));
    auto* scatter = fakes::button(shown.page, u"Scatter"_s);
    QVERIFY(scatter);
    scatter->click();
    QVERIFY(card->isScatter());
    auto* hint = card->findChild<ui::LegendLabel*>();
    // A trial without a number in a column has no dot, and is counted.
    core::Trial trial = *shown.bench.mirror.state().trials().front();
    trial.parameters = R"({"lr":"default"})";
    api::Change change;
    change.trials = {std::make_shared<const core::Trial>(trial)};
    shown.bench.port.publish(change);
    QTRY_VERIFY2(hint->text().contains(u"no number to show in lr"_s), qPrintable(hint->text()));
    QVERIFY2(card->csv().startsWith("#,Id,lr,Best\n"), card->csv());
}

void TstChartsPage::picturesNameTheTrials()
{
    ShownPage shown(30);
    QTemporaryDir folder;
    const auto written = [&](auto* card, const QString& name) {
        const QString path = folder.filePath(name);
        if (!card->exportImage(path))
            return QByteArray();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    // Without colours of single trials the lines have that of the objective.
    QVERIFY(written(shown.page.findChild<ui::ParametersCard*>(), u"h.svg"_s).contains("by quantile"));
    shown.bench.selection.set({CurvesBench::id(4), CurvesBench::id(9)}, nullptr);
    QVERIFY(!shown.page.findChild<ui::HeatKey*>()->isVisible());
    const QByteArray curves = written(shown.page.findChild<ui::CurvesCard*>(), u"c.svg"_s);
    for (const char* words : {"by step", ">Step<", "Trial 4", "Trial 9", "Trial 30, the best"})
        QVERIFY2(curves.contains(words), words);
    const QByteArray parallel = written(shown.page.findChild<ui::ParametersCard*>(), u"p.svg"_s);
    for (const char* words : {"Parallel coordinates", "Trial 4", "Trial 30, the best"})
        QVERIFY2(parallel.contains(words), words);
    QVERIFY(!parallel.contains("<image")); // lines, not pixels
}

void TstChartsPage::zoomCanBeReset()
{
    ShownPage shown(10);
    QToolButton* reset = shown.curves->plot()->resetButton();
    QVERIFY(!reset->isVisible());
    shown.curves->zoom(0.5);
    QVERIFY(reset->isVisible());
    QTest::mouseClick(reset, Qt::LeftButton);
    QVERIFY(!reset->isVisible());
    QVERIFY(!shown.curves->plot()->isZoomed());
}

QTEST_MAIN(TstChartsPage)
#include "tst_charts_page.moc"
