// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "axis_ticks.h"
#include "curve_painter.h"
#include "plot_foreground.h"

#include <QTimer>
#include <QtCharts/QChartView>

#include <variant>

class QAreaSeries;
class QCategoryAxis;
class QLineSeries;
class QToolButton;

namespace ui {
class Theme;
}

namespace ui::charts {

/// Axes, grid and a few lines by Qt Charts; behind the lines an image layer for dense data, painted on a pool thread (the latest
/// request wins). Until a new image is ready the previous one is shown, moved and scaled. The wheel zooms both axes around the pointer,
/// beside an axis that one alone; dragging a box zooms to it, a narrow one in one axis; the keys + − 0 zoom x. A double click and a
/// button, which is shown while zoomed, reset the zoom. An axis that is not zoomed follows the whole range. GUI thread.
class PlotView : public QChartView
{
    Q_OBJECT
public:
    using Job = std::variant<std::monostate, CurveJob, DotJob>;

    explicit PlotView(Theme& theme, QWidget* parent = nullptr);
    ~PlotView() override;

    void setUnits(AxisUnit x, AxisUnit y = AxisUnit::number);
    /// Sets the range that is shown without zoom. A current zoom is kept.
    void setWholeRange(const PlotRange& range);
    [[nodiscard]] const PlotRange& range() const { return m_range; }
    [[nodiscard]] bool isZoomed() const { return m_isZoomedX || m_isZoomedY; }
    [[nodiscard]] bool isZoomedX() const { return m_isZoomedX; }
    /// Zooms x around a place, 0 to 1.
    void zoom(double factor, double around = 0.5);
    void showAll();

    /// Sets the image layer's contents; the job's range is replaced by the plot's. An equal job is not painted again.
    void setJob(Job job);
    /// Sets the line number `which` above the layer; without points it is removed.
    void setLine(int which, const std::vector<QPointF>& points, const QColor& color, double width);
    /// How many lines have points.
    [[nodiscard]] qsizetype lineCount() const;
    void setBand(const std::vector<QPointF>& low, const std::vector<QPointF>& high, const QColor& color);
    /// Sets the text in the plot's lower right corner.
    void setBadge(const QString& text);
    [[nodiscard]] const QString& badge() const { return m_badge; }
    [[nodiscard]] const QString& message() const { return m_message; }
    /// Sets a ring at a point, with a label.
    void setMarker(std::optional<QPointF> at, const QString& label = {});
    void setCrosshair(std::optional<Crosshair> crosshair);
    [[nodiscard]] const std::optional<Crosshair>& crosshair() const { return m_crosshair; }
    /// The button that resets the zoom, shown while there is one. It is in the plot's corner until another widget becomes its parent.
    [[nodiscard]] QToolButton* resetButton() const { return m_reset; }
    /// Sets the text in the middle of an empty plot.
    void setMessage(const QString& text);

    /// Size of the plot in device-independent pixels; used to choose the number of columns to request.
    [[nodiscard]] QSize plotSize() const;
    [[nodiscard]] bool isPainting() const { return m_isPainting || m_isDirty; }
    /// Paints the plot as shown; a painter on SVG gets vectors.
    void render(QPainter& painter, const QRectF& target);

signals:
    void rangeChanged();
    /// `reach` is the size of eight pixels in the plot's units, as in hovered().
    void pressed(QPointF at, QPointF reach, Qt::KeyboardModifiers modifiers);
    /// The pointer is over the plot.
    void hovered(QPointF at, QPointF reach);
    void hoverLeft();
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
    void zoomTo(PlotRange range);
    void panBy(QPointF by);
    void setZoomed(bool isX, bool isY);
    void placeReset();
    void applyRange();
    void drawSoon();
    void startPainting();
    [[nodiscard]] QPointF shown(const QPointF& point) const; ///< in the axes' coordinates: the logarithm on a log axis
    [[nodiscard]] QPointF unitsAt(const QPointF& pixel) const;
    [[nodiscard]] QPointF reachAt(const QPointF& pixel) const;
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF pixelOf(const QPointF& point) const;

    Theme& m_theme;
    QToolButton* m_reset;
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
    bool m_isZoomedX = false;
    bool m_isZoomedY = false;
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
    std::optional<Crosshair> m_crosshair;
    std::optional<QPointF> m_dragFrom;
    QPointF m_dragTo;
    bool m_isPanning = false;
};

} // namespace ui::charts
