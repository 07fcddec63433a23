// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parallel_lines.h"
#include "plot_export.h"

#include <QImage>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

namespace ui {
class Theme;
}

namespace ui::charts {

/// One vertical axis. Words are spaced evenly; numbers lie between `low` and `high`.
struct ParallelAxis
{
    QString name;
    double low = 0;
    double high = 1;
    bool isLog = false;
    QStringList words; ///< of a choice; empty: numbers

    bool operator==(const ParallelAxis&) const = default;
    [[nodiscard]] double placeOf(double value) const; ///< 0 bottom to 1 top
    [[nodiscard]] double valueAt(double place) const;
};

/// A selected range of one axis, in places (0 bottom to 1 top).
struct Brush
{
    int axis = 0;
    double from = 0;
    double to = 1;

    bool operator==(const Brush&) const = default;
};

/// One line per trial across all its parameters, in the colour of the objective: the selected ones, or all if none is. Dragging on an axis selects a range, dragging the range moves it, dragging its
/// ends resizes it, and a click on the axis clears it; dragging a name moves its axis. Keys: left and right choose an axis, up
/// and down move its range (with Shift its upper end), Delete clears it. Lines are painted on a pool thread, brushes above them
/// on the GUI thread. GUI thread.
class ParallelCoordinates : public QWidget
{
    Q_OBJECT
public:
    explicit ParallelCoordinates(Theme& theme, QWidget* parent = nullptr);

    void setData(std::vector<ParallelAxis> axes, std::shared_ptr<const std::vector<ParallelLine>> lines);
    void setSelection(
        const QSet<core::TrialId>& selected, const core::TrialId& current, const core::TrialId& best = {});
    /// The few trials with a colour of their own, and those that are not drawn.
    void setColors(const QHash<core::TrialId, QColor>& colors, const QSet<core::TrialId>& hidden = {});
    /// Marks a trial over which the pointer is in another chart; an empty id: none.
    void setHovered(const core::TrialId& trial);
    [[nodiscard]] const std::vector<ParallelAxis>& axes() const { return m_axes; }
    [[nodiscard]] const std::vector<Brush>& brushes() const { return m_brushes; }
    void clearBrushes();
    /// The trials whose lines pass through all brushes.
    [[nodiscard]] QSet<core::TrialId> brushed() const;
    [[nodiscard]] core::Result<> exportImage(const QString& file, const PictureText& text);
    [[nodiscard]] QSize sizeHint() const override { return {600, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 180}; }

signals:
    void brushesChanged();
    /// `isAdded`: with Ctrl, to add the trial to the selection or to take it out.
    void trialPressed(const core::TrialId& trial, bool isAdded);
    /// The pointer is on another trial's line, or on none (empty).
    void trialHovered(const core::TrialId& trial);
    void axisMoved(int from, int to);
    void imageReady();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Grip { none, range, low, high, fresh, name };

    void paintAll(QPainter& painter, bool isExport);
    void paintAxes(QPainter& painter, bool isExport);
    void paintBrushes(QPainter& painter);
    [[nodiscard]] LinesJob linesJob() const;
    void hover(const core::TrialId& trial);
    void drawSoon();
    void startPainting();
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double axisX(int axis) const;
    [[nodiscard]] int axisNear(double x, double reach) const;
    [[nodiscard]] double placeAt(double y) const;
    [[nodiscard]] double yOf(double place) const;
    [[nodiscard]] Brush* brushOf(int axis);
    void removeBrush(int axis);
    [[nodiscard]] QString endText(int axis, double place) const;

    Theme& m_theme;
    std::vector<ParallelAxis> m_axes;
    std::shared_ptr<const std::vector<ParallelLine>> m_lines;
    QSet<core::TrialId> m_selected;
    core::TrialId m_current;
    core::TrialId m_best;
    QHash<core::TrialId, QColor> m_colors;
    QSet<core::TrialId> m_hidden;
    core::TrialId m_hovered;
    QHash<core::TrialId, size_t> m_lineOf;
    std::vector<Brush> m_brushes;
    QImage m_image;
    QTimer m_soon;
    bool m_isPainting = false;
    bool m_isDirty = false;
    Grip m_grip = Grip::none;
    int m_gripAxis = -1;
    double m_gripPlace = 0;
    QPointF m_pressedAt;
    int m_focusedAxis = 0;
};

} // namespace ui::charts
