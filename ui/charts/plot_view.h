// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "axis_ticks.h"
#include "curve_painter.h"

#include <QtCharts/QChartView>

#include <variant>

class QAreaSeries;
class QCategoryAxis;
class QLineSeries;

namespace ui {
class Theme;
}

namespace ui::charts {

/// Axes, grid and a few lines by Qt Charts; behind them an image layer with everything dense, painted by a worker (the latest
/// request wins). While a sharp image is on its way the former one is shown moved and stretched. Zooms by wheel, by dragging a
/// stretch of x, and by + − 0; a double click shows all again. GUI thread.
class PlotView : public QChartView
{
    Q_OBJECT
public:
    using Job = std::variant<std::monostate, CurveJob, DotJob>;
    /// What a tool tip says at a point of the plot (in its units); empty: nothing. `reach` is what eight pixels are there.
    using HoverText = std::function<QString(QPointF at, QPointF reach)>;

    explicit PlotView(Theme& theme, QWidget* parent = nullptr);
    ~PlotView() override;

    void setUnits(AxisUnit x, AxisUnit y = AxisUnit::number);
    /// What is shown while nobody zoomed. A person's zoom stays.
    void setWholeRange(const PlotRange& range);
    [[nodiscard]] const PlotRange& range() const { return m_range; }
    [[nodiscard]] bool isZoomed() const { return m_isZoomed; }
    void zoom(double factor, double around = 0.5);
    void showAll();

    /// The dense layer; its range is the plot's own, at all times. The same job again paints nothing.
    void setJob(Job job);
    /// A line above it; without points there is none.
    void setLine(int which, const std::vector<QPointF>& points, const QColor& color, double width);
    void setBand(const std::vector<QPointF>& low, const std::vector<QPointF>& high, const QColor& color);
    /// What the plot tells of itself in its lower right corner.
    void setBadge(const QString& text);
    /// A ring at a point, with a word.
    void setMarker(std::optional<QPointF> at, const QString& label = {});
    void setHoverText(HoverText text) { m_hoverText = std::move(text); }
    /// In the middle of an empty plot.
    void setMessage(const QString& text);

    /// Device-independent size of the plot, for how many columns to ask.
    [[nodiscard]] QSize plotSize() const;
    [[nodiscard]] bool isPainting() const { return m_isPainting || m_isDirty; }
    /// As it is shown, vectors for SVG.
    void render(QPainter& painter, const QRectF& target);

signals:
    void rangeChanged();
    void pressed(QPointF at, QPointF reach);
    void imageReady();

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    class Layer;

    void applyTheme();
    void paintLayer(QPainter* painter);
    void setRange(const PlotRange& range);
    void applyRange();
    void drawSoon();
    void startPainting();
    [[nodiscard]] QPointF shown(const QPointF& point) const; ///< as the axes have it: logarithms taken
    [[nodiscard]] QPointF unitsAt(const QPointF& pixel) const;
    [[nodiscard]] QPointF reachAt(const QPointF& pixel) const;
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF pixelOf(const QPointF& point) const;

    Theme& m_theme;
    QCategoryAxis* m_x = nullptr;
    QCategoryAxis* m_y = nullptr;
    QHash<int, QLineSeries*> m_lines;
    QHash<int, std::vector<QPointF>> m_linePoints;
    QAreaSeries* m_band = nullptr;
    std::vector<QPointF> m_bandLow;
    std::vector<QPointF> m_bandHigh;
    AxisUnit m_unitX = AxisUnit::number;
    AxisUnit m_unitY = AxisUnit::number;
    PlotRange m_range;
    PlotRange m_whole;
    bool m_isZoomed = false;
    Job m_job;
    QImage m_image;
    PlotRange m_imageRange;
    bool m_isPainting = false;
    bool m_isDirty = false;
    bool m_isExporting = false;
    QTimer m_soon;
    QString m_badge;
    QString m_message;
    std::optional<QPointF> m_marker;
    QString m_markerLabel;
    HoverText m_hoverText;
    std::optional<QPointF> m_dragFrom;
    QPointF m_dragTo;
    bool m_isPanning = false;
};

} // namespace ui::charts
