// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_view.h"
#include "ui/charts/plot_zoom.h"
#include "ui/kit/theme.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace ui::charts;

class TstPlotZoom : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void rangesScaleAroundAPlace();
    void boxesOfDrags();
    void aBoxZoomsBothAxes();
    void aNarrowBoxZoomsOneAxis();
    void theWheelZoomsAtThePointer();
    void zoomIsResetInThreeWays();
    void anAxisThatIsNotZoomedFollows();
    void aPressIsNoDrag();

private:
    [[nodiscard]] QPoint at(double across, double up) const;
    void drag(QPoint from, QPoint to);
    void wheel(QPoint at, int steps);

    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<PlotView> m_plot;
};

static bool isNear(double a, double b, double span)
{
    return std::abs(a - b) < span * 0.02;
}

void TstPlotZoom::init()
{
    m_theme = std::make_unique<ui::Theme>();
    m_plot = std::make_unique<PlotView>(*m_theme);
    m_plot->resize(640, 480);
    m_plot->setWholeRange({0, 100, 0, 1});
    m_plot->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_plot.get()));
}

/// A pixel of the viewport for a place in the plot, 0 to 1.
QPoint TstPlotZoom::at(double across, double up) const
{
    const QRectF area = m_plot->chart()->plotArea();
    return QPointF(area.left() + across * area.width(), area.bottom() - up * area.height()).toPoint();
}

void TstPlotZoom::drag(QPoint from, QPoint to)
{
    QTest::mousePress(m_plot->viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(m_plot->viewport(), (from + to) / 2);
    QTest::mouseMove(m_plot->viewport(), to);
    QTest::mouseRelease(m_plot->viewport(), Qt::LeftButton, {}, to);
}

void TstPlotZoom::wheel(QPoint at, int steps)
{
    QWheelEvent event(QPointF(at), m_plot->viewport()->mapToGlobal(QPointF(at)), {}, {0, 120 * steps}, Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(m_plot->viewport(), &event);
}

void TstPlotZoom::rangesScaleAroundAPlace()
{
    const PlotRange scaled = scaledRange({0, 100, 0, 10}, {0.5, 0.1}, {0.25, 1});
    QCOMPARE(scaled.left, 12.5);
    QCOMPARE(scaled.right, 62.5);
    QCOMPARE(scaled.low, 9.0);
    QCOMPARE(scaled.high, 10.0);
    const PlotRange log = scaledRange({0, 100, 0.01, 100, false, true}, {1, 0.5}, {0, 0.5});
    QCOMPARE(log.left, 0.0);
    QVERIFY(std::abs(log.low - 0.1) < 1e-9 && std::abs(log.high - 10) < 1e-9);
    QVERIFY(!isDrawable({1, 1 + 1e-14, 0, 1}));
    QVERIFY(!isDrawable({0, 1, 5, 5}));
    QVERIFY(isDrawable({0, 1e-9, 0, 1e-9}));
}

void TstPlotZoom::boxesOfDrags()
{
    const QRectF plot(10, 10, 200, 100);
    QVERIFY(boxOfDrag(plot, {50, 50}, {53, 47}).isNull());
    QCOMPARE(boxOfDrag(plot, {50, 50}, {150, 52}), QRectF(50, 10, 100, 100));
    QCOMPARE(boxOfDrag(plot, {50, 90}, {52, 30}), QRectF(10, 30, 200, 60));
    QCOMPARE(boxOfDrag(plot, {150, 90}, {50, 30}), QRectF(50, 30, 100, 60));
    QCOMPARE(boxOfDrag(plot, {150, 90}, {500, 300}), QRectF(150, 90, 60, 20));
    const PlotRange range = rangeOfBox({0, 20, 0, 10}, plot, QRectF(60, 35, 100, 50));
    QCOMPARE(range, (PlotRange{5, 15, 2.5, 7.5}));
}

void TstPlotZoom::aBoxZoomsBothAxes()
{
    QSignalSpy changed(m_plot.get(), &PlotView::rangeChanged);
    drag(at(0.2, 0.9), at(0.6, 0.5));
    QVERIFY(isNear(m_plot->range().left, 20, 100) && isNear(m_plot->range().right, 60, 100));
    QVERIFY(isNear(m_plot->range().low, 0.5, 1) && isNear(m_plot->range().high, 0.9, 1));
    QCOMPARE(changed.size(), 1);
}

void TstPlotZoom::aNarrowBoxZoomsOneAxis()
{
    drag(at(0.2, 0.5), at(0.6, 0.5));
    QVERIFY(isNear(m_plot->range().left, 20, 100));
    QCOMPARE(m_plot->range().low, 0.0);
    QCOMPARE(m_plot->range().high, 1.0);
    m_plot->showAll();
    drag(at(0.5, 0.8), at(0.5, 0.4));
    QCOMPARE(m_plot->range().left, 0.0);
    QVERIFY(isNear(m_plot->range().low, 0.4, 1) && isNear(m_plot->range().high, 0.8, 1));
    QVERIFY(m_plot->isZoomed() && !m_plot->isZoomedX());
}

void TstPlotZoom::theWheelZoomsAtThePointer()
{
    wheel(at(0.25, 0.75), 3);
    const PlotRange range = m_plot->range();
    QVERIFY(range.right - range.left < 60 && range.high - range.low < 0.6);
    // What was under the pointer still is.
    QVERIFY(isNear(range.left + 0.25 * (range.right - range.left), 25, 100));
    QVERIFY(isNear(range.low + 0.75 * (range.high - range.low), 0.75, 1));
    // Back out, never beyond everything.
    wheel(at(0.25, 0.75), -10);
    QCOMPARE(m_plot->range(), (PlotRange{0, 100, 0, 1}));
    QVERIFY(!m_plot->isZoomed());
    // Beside an axis that one alone.
    wheel(QPoint(4, at(0, 0.5).y()), 2);
    QCOMPARE(m_plot->range().left, 0.0);
    QVERIFY(m_plot->range().high < 1);
    m_plot->showAll();
    wheel(QPoint(at(0.5, 0).x(), m_plot->viewport()->height() - 4), 2);
    QVERIFY(m_plot->range().left > 0);
    QCOMPARE(m_plot->range().high, 1.0);
}

void TstPlotZoom::zoomIsResetInThreeWays()
{
    const std::vector<std::function<void()>> ways{
        [this] { QTest::mouseDClick(m_plot->viewport(), Qt::LeftButton, {}, at(0.5, 0.5)); },
        [this] { QTest::keyClick(m_plot.get(), Qt::Key_0); },
        [this] { QTest::mouseClick(m_plot->resetButton(), Qt::LeftButton); }};
    QVERIFY(!m_plot->resetButton()->isVisible());
    for (const auto& reset : ways) {
        drag(at(0.2, 0.9), at(0.6, 0.5));
        QVERIFY(m_plot->isZoomed());
        QVERIFY(m_plot->resetButton()->isVisible());
        reset();
        QCOMPARE(m_plot->range(), (PlotRange{0, 100, 0, 1}));
        QVERIFY(!m_plot->resetButton()->isVisible());
    }
}

void TstPlotZoom::anAxisThatIsNotZoomedFollows()
{
    drag(at(0.5, 0.8), at(0.5, 0.4)); // y alone
    const double low = m_plot->range().low;
    m_plot->setWholeRange({0, 200, -1, 2});
    QCOMPARE(m_plot->range().right, 200.0);
    QCOMPARE(m_plot->range().low, low);
    m_plot->showAll();
    QCOMPARE(m_plot->range(), (PlotRange{0, 200, -1, 2}));
}

void TstPlotZoom::aPressIsNoDrag()
{
    QSignalSpy pressed(m_plot.get(), &PlotView::pressed);
    drag(at(0.5, 0.5), at(0.5, 0.5) + QPoint(3, 3));
    QCOMPARE(pressed.size(), 1);
    QVERIFY(!m_plot->isZoomed());
}

QTEST_MAIN(TstPlotZoom)
#include "tst_plot_zoom.moc"
