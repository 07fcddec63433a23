// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot_view.h"

#include "chart_keys.h"
#include "plot_zoom.h"

#include "models/background.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QLineSeries>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace ui::charts {

namespace {

/// Converts units to the axis' coordinates.
double onAxis(double value, bool isLog)
{
    return isLog ? std::log10(value) : value;
}

QList<QPointF> listOf(const std::vector<QPointF>& points, bool logX, bool logY)
{
    QList<QPointF> out;
    out.reserve(qsizetype(points.size()));
    for (const QPointF& point : points) {
        const QPointF at(onAxis(point.x(), logX), onAxis(point.y(), logY));
        if (std::isfinite(at.x()) && std::isfinite(at.y()))
            out.append(at);
    }
    return out;
}

void setTicks(QCategoryAxis* axis, const std::vector<Tick>& ticks, double low, double high, bool isLog)
{
    for (const QString& label : axis->categoriesLabels())
        axis->remove(label);
    axis->setRange(onAxis(low, isLog), onAxis(high, isLog));
    axis->setStartValue(onAxis(low, isLog));
    for (const Tick& tick : ticks)
        axis->append(tick.label, onAxis(tick.value, isLog));
}

} // namespace

/// The image between the grid and the lines of Qt Charts.
class PlotView::Layer : public QGraphicsItem
{
public:
    explicit Layer(PlotView& view)
        : QGraphicsItem(view.chart())
        , m_view(view)
    {
        // Qt Charts uses z values of 2 for its grid and 4 for its series.
        setZValue(2.5);
    }
    QRectF boundingRect() const override { return m_view.plot(); }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override { m_view.paintLayer(painter); }
    void moved() { prepareGeometryChange(); }

private:
    PlotView& m_view;
};

PlotView::PlotView(Theme& theme, QWidget* parent)
    : QChartView(new QChart, parent)
    , m_theme(theme)
    , m_reset(new QToolButton(this))
{
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(120, 80);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    chart()->legend()->hide();
    // Room for the labels, which extend beyond the ends of the axes by half.
    chart()->setMargins(QMargins(4, 7, 12, 4));
    chart()->setBackgroundRoundness(0);
    chart()->setBackgroundVisible(false);
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    m_x = new QCategoryAxis;
    m_y = new QCategoryAxis;
    for (QCategoryAxis* axis : {m_x, m_y}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false);
    }
    chart()->addAxis(m_x, Qt::AlignBottom);
    chart()->addAxis(m_y, Qt::AlignLeft);
    m_x->setGridLineVisible(false);
    m_y->setLineVisible(false);
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &PlotView::startPainting);
    auto* layer = new Layer(*this); // owned by the chart
    connect(chart(), &QChart::plotAreaChanged, this, [this, layer] {
        layer->moved();
        placeReset();
        drawSoon();
    });
    m_reset->setText(tr("Reset zoom"));
    m_reset->setToolTip(tr("Show everything again (0, or a double click)"));
    m_reset->setIcon(icons::icon(theme, u"zoom-out"_s));
    m_reset->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_reset->hide();
    connect(m_reset, &QToolButton::clicked, this, &PlotView::showAll);
    connect(&theme, &Theme::changed, this, &PlotView::applyTheme);
    applyTheme();
    applyRange();
}

PlotView::~PlotView() = default;

void PlotView::applyTheme()
{
    const Roles& roles = m_theme.roles();
    setBackgroundBrush(roles.base);
    for (QCategoryAxis* axis : {m_x, m_y}) {
        axis->setLabelsFont(m_theme.font(TextSize::caption));
        axis->setLabelsColor(roles.text2);
        axis->setGridLinePen(QPen(roles.line, 1));
        axis->setLinePen(QPen(roles.line2, 1));
    }
    viewport()->update();
}

void PlotView::setUnits(AxisUnit x, AxisUnit y)
{
    if (x == m_unitX && y == m_unitY)
        return;
    m_unitX = x;
    m_unitY = y;
    setZoomed(false, false);
    applyRange();
}

void PlotView::setWholeRange(const PlotRange& range)
{
    if (range.logX != m_whole.logX || range.logY != m_whole.logY)
        setZoomed(false, false);
    m_whole = range;
    PlotRange shownRange = range;
    if (m_isZoomedX)
        std::tie(shownRange.left, shownRange.right) = std::tie(m_range.left, m_range.right);
    if (m_isZoomedY)
        std::tie(shownRange.low, shownRange.high) = std::tie(m_range.low, m_range.high);
    setRange(shownRange);
}

void PlotView::setRange(const PlotRange& range)
{
    if (range == m_range || range.isEmpty())
        return;
    m_range = range;
    applyRange();
    drawSoon();
}

void PlotView::applyRange()
{
    const QSize size = plotSize();
    const int across = std::clamp(size.width() / 80, 2, 12);
    const int up = std::clamp(size.height() / 42, 2, 10);
    setTicks(m_x, ticksOf(m_range.left, m_range.right, across, m_unitX, m_range.logX), m_range.left, m_range.right,
        m_range.logX);
    setTicks(
        m_y, ticksOf(m_range.low, m_range.high, up, m_unitY, m_range.logY), m_range.low, m_range.high, m_range.logY);
    viewport()->update();
}

void PlotView::zoom(double factor, double around)
{
    zoomTo(scaledRange(m_range, {factor, 1}, {around, 0}));
}

/// Shows the range; an axis that shows all of the whole range follows that one from now on.
void PlotView::zoomTo(PlotRange range)
{
    if (!isDrawable(range))
        return;
    const bool isX =
        (range.left != m_range.left || range.right != m_range.right || m_isZoomedX) && !coversX(range, m_whole);
    const bool isY =
        (range.low != m_range.low || range.high != m_range.high || m_isZoomedY) && !coversY(range, m_whole);
    if (!isX)
        std::tie(range.left, range.right) = std::tie(m_whole.left, m_whole.right);
    if (!isY)
        std::tie(range.low, range.high) = std::tie(m_whole.low, m_whole.high);
    setZoomed(isX, isY);
    setRange(range);
    emit rangeChanged();
}

void PlotView::showAll()
{
    setZoomed(false, false);
    setRange(m_whole);
    emit rangeChanged();
}

void PlotView::setZoomed(bool isX, bool isY)
{
    m_isZoomedX = isX;
    m_isZoomedY = isY;
    m_reset->setVisible(isX || isY);
    placeReset();
}

/// In the corner of the plot, unless another widget has taken it.
void PlotView::placeReset()
{
    if (m_reset->parentWidget() != this)
        return;
    m_reset->adjustSize();
    m_reset->move(int(plot().right()) - m_reset->width() - 4, int(plot().top()) + 4);
}

void PlotView::setJob(Job job)
{
    if (job == m_job) {
        // The image is ready or being painted; imageReady() must follow in either case.
        if (!m_isPainting && !m_soon.isActive())
            m_soon.start();
        return;
    }
    m_job = std::move(job);
    drawSoon();
}

void PlotView::setLine(int which, const std::vector<QPointF>& points, const QColor& color, double width)
{
    QLineSeries*& line = m_lines[which];
    m_linePoints[which] = points;
    if (!line) {
        if (points.empty())
            return;
        line = new QLineSeries;
        chart()->addSeries(line);
        line->attachAxis(m_x);
        line->attachAxis(m_y);
    }
    line->setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    line->replace(listOf(points, m_range.logX, m_range.logY));
    line->setVisible(!points.empty());
}

qsizetype PlotView::lineCount() const
{
    return std::count_if(m_linePoints.begin(), m_linePoints.end(), [](const auto& points) { return !points.empty(); });
}

void PlotView::setBand(const std::vector<QPointF>& low, const std::vector<QPointF>& high, const QColor& color)
{
    m_bandLow = low;
    m_bandHigh = high;
    if (!m_band) {
        if (low.empty())
            return;
        m_band = new QAreaSeries(new QLineSeries(this), new QLineSeries(this));
        m_band->setPen(Qt::NoPen);
        chart()->addSeries(m_band);
        m_band->attachAxis(m_x);
        m_band->attachAxis(m_y);
    }
    m_band->setBrush(color);
    m_band->lowerSeries()->replace(listOf(low, m_range.logX, m_range.logY));
    m_band->upperSeries()->replace(listOf(high, m_range.logX, m_range.logY));
    m_band->setVisible(!low.empty());
}

void PlotView::setBadge(const QString& text)
{
    m_badge = text;
    viewport()->update();
}

void PlotView::setMessage(const QString& text)
{
    m_message = text;
    viewport()->update();
}

void PlotView::setMarker(std::optional<QPointF> at, const QString& label)
{
    m_marker = at;
    m_markerLabel = label;
    viewport()->update();
}

void PlotView::setCrosshair(std::optional<Crosshair> crosshair)
{
    if (crosshair == m_crosshair)
        return;
    m_crosshair = std::move(crosshair);
    viewport()->update();
}

QSize PlotView::plotSize() const
{
    return plot().size().toSize();
}

QRectF PlotView::plot() const
{
    return chart()->plotArea();
}

QPointF PlotView::pixelOf(const QPointF& point) const
{
    const QRectF area = plot();
    return {
        area.left() + m_range.across(point.x()) * area.width(), area.bottom() - m_range.up(point.y()) * area.height()};
}

QPointF PlotView::unitsAt(const QPointF& pixel) const
{
    const QRectF area = plot();
    return {m_range.xAt((pixel.x() - area.left()) / std::max(1.0, area.width())),
        m_range.yAt((area.bottom() - pixel.y()) / std::max(1.0, area.height()))};
}

QPointF PlotView::reachAt(const QPointF& pixel) const
{
    const QPointF a = unitsAt(pixel);
    const QPointF b = unitsAt(pixel + QPointF(8, -8));
    return {std::abs(b.x() - a.x()), std::abs(b.y() - a.y())};
}

// ----------------------------------------------------------------------------------------------------------- the image layer

void PlotView::drawSoon()
{
    m_isDirty = true;
    if (!m_isPainting && !m_soon.isActive())
        m_soon.start();
    viewport()->update();
}

void PlotView::startPainting()
{
    if (m_isPainting)
        return;
    if (!m_isDirty) {
        emit imageReady();
        return;
    }
    m_isDirty = false;
    const qreal ratio = devicePixelRatioF();
    const QSize size = (plot().size() * ratio).toSize();
    if (std::holds_alternative<std::monostate>(m_job) || size.isEmpty() || m_range.isEmpty()) {
        m_image = {};
        viewport()->update();
        emit imageReady();
        return;
    }
    m_isPainting = true;
    models::inBackground(
        this,
        [job = m_job, size, ratio, range = m_range]() mutable {
            if (auto* curves = std::get_if<CurveJob>(&job)) {
                curves->range = range;
                return imageOf(*curves, size, ratio);
            }
            auto& dots = std::get<DotJob>(job);
            dots.range = range;
            return imageOf(dots, size, ratio);
        },
        [this, range = m_range](const QImage& image) {
            m_isPainting = false;
            m_image = image;
            m_imageRange = range;
            viewport()->update();
            if (m_isDirty)
                startPainting();
            else
                emit imageReady();
        });
}

void PlotView::drawBackground(QPainter* painter, const QRectF& rect)
{
    if (!m_isExporting)
        QChartView::drawBackground(painter, rect);
}

void PlotView::paintLayer(QPainter* painter)
{
    const QRectF area = plot();
    painter->save();
    painter->setClipRect(area);
    if (m_isExporting) {
        if (const auto* curves = std::get_if<CurveJob>(&m_job)) {
            CurveJob job = *curves;
            job.range = m_range;
            paintCurves(*painter, area, job);
        } else if (const auto* dots = std::get_if<DotJob>(&m_job)) {
            DotJob job = *dots;
            job.range = m_range;
            paintDots(*painter, area, job);
        }
    } else if (!m_image.isNull()) {
        const double left = m_range.across(m_imageRange.left);
        const double right = m_range.across(m_imageRange.right);
        const double low = m_range.up(m_imageRange.low);
        const double high = m_range.up(m_imageRange.high);
        const QRectF target(QPointF(area.left() + left * area.width(), area.bottom() - high * area.height()),
            QPointF(area.left() + right * area.width(), area.bottom() - low * area.height()));
        if (m_imageRange == m_range && m_image.size() == (area.size() * m_image.devicePixelRatio()).toSize())
            painter->drawImage(area.topLeft(), m_image);
        else if (target.isValid())
            painter->drawImage(target, m_image);
    }
    painter->restore();
}

void PlotView::drawForeground(QPainter* painter, const QRectF& rect)
{
    QChartView::drawForeground(painter, rect);
    const Roles& roles = m_theme.roles();
    const QRectF area = plot();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_marker && !m_range.isEmpty())
        paintMarker(*painter, m_theme, area, rect.top(),
            m_badge.isEmpty() ? QRectF() : badgeBox(m_theme, area, m_badge), pixelOf(*m_marker), m_markerLabel);
    if (m_dragFrom && !m_isPanning) {
        const QRectF box = boxOfDrag(area, *m_dragFrom, m_dragTo);
        painter->setPen(QPen(roles.accent, 1));
        painter->setBrush(Theme::alpha(roles.accent, 0.15));
        if (!box.isEmpty())
            painter->drawRect(box);
    }
    if (!m_badge.isEmpty())
        paintBadge(*painter, m_theme, area, m_badge);
    if (m_crosshair && !m_isExporting && !m_dragFrom)
        paintCrosshair(*painter, m_theme, area, m_range, *m_crosshair);
    if (!m_message.isEmpty()) {
        painter->setFont(m_theme.font(TextSize::body));
        painter->setPen(roles.text2);
        painter->drawText(area, Qt::AlignCenter | Qt::TextWordWrap, m_message);
    }
    // Draw the focus ring only if the keyboard is used.
    if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange) && !m_isExporting) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(roles.accent, 2));
        painter->drawRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

void PlotView::render(QPainter& painter, const QRectF& target)
{
    m_isExporting = true;
    painter.fillRect(target, m_theme.roles().base);
    QGraphicsView::render(&painter, target, viewport()->rect());
    m_isExporting = false;
}

// ------------------------------------------------------------------------------------------------------------------ by hand

/// In the plot both axes are zoomed around the pointer, beside an axis that one alone.
void PlotView::wheelEvent(QWheelEvent* event)
{
    const QRectF area = plot();
    if (event->angleDelta().y() == 0 || area.isEmpty()) {
        event->ignore();
        return;
    }
    const double factor = std::pow(0.8, event->angleDelta().y() / 120.0);
    const QPointF at = event->position();
    const QPointF around(std::clamp((at.x() - area.left()) / area.width(), 0.0, 1.0),
        std::clamp((area.bottom() - at.y()) / area.height(), 0.0, 1.0));
    zoomTo(scaledRange(m_range, {at.x() < area.left() ? 1 : factor, at.y() > area.bottom() ? 1 : factor}, around));
    event->accept();
}

void PlotView::mousePressEvent(QMouseEvent* event)
{
    if (!plot().contains(event->position()))
        return;
    m_dragFrom = event->position();
    m_dragTo = event->position();
    m_isPanning = event->button() == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
}

void PlotView::mouseMoveEvent(QMouseEvent* event)
{
    const QRectF area = plot();
    const QPointF at = event->position();
    if (m_dragFrom && m_isPanning && !area.isEmpty()) {
        const QPointF by((m_dragTo.x() - at.x()) / area.width(), (at.y() - m_dragTo.y()) / area.height());
        panBy({by.x(), m_isZoomedY ? by.y() : 0});
    }
    if (m_dragFrom) {
        m_dragTo = at;
        viewport()->update();
        return;
    }
    if (area.contains(at))
        emit hovered(unitsAt(at), reachAt(at));
    else
        emit hoverLeft();
}

/// Moves the range by shares of its size; it counts as zoomed then.
void PlotView::panBy(QPointF by)
{
    const PlotRange range = movedRange(m_range, by);
    setZoomed(true, m_isZoomedY);
    setRange(range);
    emit rangeChanged();
}

void PlotView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_dragFrom)
        return;
    const QPointF from = *std::exchange(m_dragFrom, std::nullopt);
    viewport()->update();
    if (m_isPanning)
        return;
    const QRectF box = boxOfDrag(plot(), from, event->position());
    if (box.isEmpty())
        emit pressed(unitsAt(from), reachAt(from), event->modifiers());
    else
        zoomTo(rangeOfBox(m_range, plot(), box));
}

void PlotView::mouseDoubleClickEvent(QMouseEvent*)
{
    showAll();
}

void PlotView::keyPressEvent(QKeyEvent* event)
{
    const bool isLeft = event->key() == Qt::Key_Left;
    if (isZoomInKey(*event))
        zoom(0.8);
    else if (isZoomOutKey(*event))
        zoom(1.25);
    else if (isShowAllKey(*event))
        showAll();
    else if (m_isZoomedX && (isLeft || event->key() == Qt::Key_Right))
        panBy({isLeft ? -0.1 : 0.1, 0});
    else
        event->ignore();
}

void PlotView::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    applyRange();
    drawSoon();
}

bool PlotView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        emit hoverLeft();
    return QChartView::viewportEvent(event);
}

} // namespace ui::charts
