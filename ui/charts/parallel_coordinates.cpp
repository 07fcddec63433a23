// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallel_coordinates.h"

#include "axis_ticks.h"

#include "models/background.h"
#include "models/format.h"
#include "models/printable.h"
#include "ui/kit/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

using namespace Qt::StringLiterals;

namespace ui::charts {

namespace {

constexpr double gripReach = 10;
constexpr double lineReach = 6;

/// Snaps an end of a range to the end of its axis if it is near.
double snapped(double place)
{
    return place < 0.02 ? 0 : place > 0.98 ? 1 : place;
}

} // namespace

double ParallelAxis::placeOf(double value) const
{
    if (isLog)
        return value > 0 ? std::log(value / low) / std::log(high / low) : std::numeric_limits<double>::quiet_NaN();
    return high > low ? (value - low) / (high - low) : 0.5;
}

double ParallelAxis::valueAt(double place) const
{
    return isLog ? low * std::pow(high / low, place) : low + place * (high - low);
}

ParallelCoordinates::ParallelCoordinates(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Parallel coordinates"));
    setMouseTracking(true);
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &ParallelCoordinates::startPainting);
    connect(&theme, &Theme::changed, this, &ParallelCoordinates::drawSoon);
    connect(this, &ParallelCoordinates::brushesChanged, this, &ParallelCoordinates::drawSoon);
}

void ParallelCoordinates::setData(
    std::vector<ParallelAxis> axes, std::shared_ptr<const std::vector<ParallelLine>> lines)
{
    if (axes == m_axes && lines && m_lines && *lines == *m_lines)
        return;
    QStringList before;
    QStringList after;
    for (const ParallelAxis& axis : m_axes)
        before.append(axis.name);
    for (const ParallelAxis& axis : axes)
        after.append(axis.name);
    m_axes = std::move(axes);
    m_lines = std::move(lines);
    m_lineOf.clear();
    for (size_t i = 0; m_lines && i < m_lines->size(); ++i)
        m_lineOf.insert((*m_lines)[i].trial, i);
    if (before != after && !m_brushes.empty()) {
        // Keep each range with its axis, whose index may have changed.
        std::vector<Brush> kept;
        for (Brush brush : m_brushes) {
            const qsizetype at = after.indexOf(before.value(brush.axis));
            brush.axis = int(at);
            if (at >= 0)
                kept.push_back(brush);
        }
        m_brushes = std::move(kept);
    }
    m_focusedAxis = std::clamp(m_focusedAxis, 0, std::max(0, int(m_axes.size()) - 1));
    drawSoon();
}

void ParallelCoordinates::setSelection(
    const QSet<core::TrialId>& selected, const core::TrialId& current, const core::TrialId& best)
{
    if (selected == m_selected && current == m_current && best == m_best)
        return;
    m_selected = selected;
    m_current = current;
    m_best = best;
    drawSoon();
}

void ParallelCoordinates::setColors(const QHash<core::TrialId, QColor>& colors, const QSet<core::TrialId>& hidden)
{
    if (colors == m_colors && hidden == m_hidden)
        return;
    m_colors = colors;
    m_hidden = hidden;
    drawSoon();
}

void ParallelCoordinates::setHovered(const core::TrialId& trial)
{
    if (trial == m_hovered)
        return;
    m_hovered = trial;
    update();
}

void ParallelCoordinates::hover(const core::TrialId& trial)
{
    if (trial == m_hovered)
        return;
    setHovered(trial);
    emit trialHovered(trial);
}

void ParallelCoordinates::leaveEvent(QEvent* event)
{
    hover({});
    QWidget::leaveEvent(event);
}

void ParallelCoordinates::clearBrushes()
{
    if (m_brushes.empty())
        return;
    m_brushes.clear();
    update();
    emit brushesChanged();
}

QSet<core::TrialId> ParallelCoordinates::brushed() const
{
    QSet<core::TrialId> out;
    if (!m_lines || m_brushes.empty())
        return out;
    for (const ParallelLine& line : *m_lines) {
        const bool fits = std::all_of(m_brushes.begin(), m_brushes.end(), [&](const Brush& brush) {
            const double place = double(line.places[size_t(brush.axis)]);
            return place >= brush.from - 1e-6 && place <= brush.to + 1e-6;
        });
        if (fits)
            out.insert(line.trial);
    }
    return out;
}

QRectF ParallelCoordinates::plot() const
{
    return QRectF(rect()).adjusted(48, 28, -56, -10);
}

double ParallelCoordinates::axisX(int axis) const
{
    const QRectF area = plot();
    return m_axes.size() < 2 ? area.center().x() : area.left() + area.width() * axis / double(m_axes.size() - 1);
}

int ParallelCoordinates::axisNear(double x, double reach) const
{
    for (int i = 0; i < int(m_axes.size()); ++i) {
        if (std::abs(axisX(i) - x) <= reach)
            return i;
    }
    return -1;
}

double ParallelCoordinates::placeAt(double y) const
{
    const QRectF area = plot();
    return (area.bottom() - y) / std::max(1.0, area.height());
}

double ParallelCoordinates::yOf(double place) const
{
    const QRectF area = plot();
    return area.bottom() - place * area.height();
}

Brush* ParallelCoordinates::brushOf(int axis)
{
    const auto it = std::find_if(m_brushes.begin(), m_brushes.end(), [&](const Brush& b) { return b.axis == axis; });
    return it == m_brushes.end() ? nullptr : &*it;
}

void ParallelCoordinates::removeBrush(int axis)
{
    std::erase_if(m_brushes, [&](const Brush& b) { return b.axis == axis; });
}

QString ParallelCoordinates::endText(int axis, double place) const
{
    const ParallelAxis& a = m_axes[size_t(axis)];
    if (!a.words.isEmpty())
        return a.words[std::clamp(qRound(a.valueAt(place)), 0, int(a.words.size()) - 1)];
    return models::parameterText(QString::number(a.valueAt(place), 'g', 3).toDouble());
}

void ParallelCoordinates::drawSoon()
{
    m_isDirty = true;
    if (!m_isPainting && !m_soon.isActive())
        m_soon.start(0);
    update();
}

LinesJob ParallelCoordinates::linesJob() const
{
    const Roles& roles = m_theme.roles();
    LinesJob job;
    job.lines = m_lines;
    for (int i = 0; i < int(m_axes.size()); ++i)
        job.x.push_back(axisX(i));
    job.top = plot().top();
    job.bottom = plot().bottom();
    job.selected = m_selected;
    job.current = m_current;
    job.best = m_best;
    job.colors = m_colors;
    job.hidden = m_hidden;
    job.areAllHeated = m_selected.isEmpty() && m_brushes.empty();
    const qsizetype count = m_lines ? qsizetype(m_lines->size()) : 0;
    job.each = Theme::alpha(roles.curve, count > 500 ? 0.045 : count > 50 ? 0.15 : 0.4);
    const qsizetype heated = job.areAllHeated ? count : m_selected.size();
    for (int step = 0; step < Theme::heatSteps; ++step)
        job.heat.push_back(Theme::alpha(m_theme.heatStep(step), heated > 1000 ? 0.25 : heated > 200 ? 0.45 : 0.85));
    job.accent = roles.accent;
    job.ink = roles.ink;
    return job;
}

void ParallelCoordinates::startPainting()
{
    if (m_isPainting)
        return;
    m_isDirty = false;
    m_isPainting = true;
    models::inBackground(
        this,
        [job = linesJob(), size = size(), ratio = devicePixelRatioF()] {
            QImage image((QSizeF(size) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
            if (image.isNull())
                return image; // the widget has no size yet
            image.setDevicePixelRatio(ratio);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            paintLines(painter, job);
            return image;
        },
        [this](const QImage& image) {
            m_isPainting = false;
            m_image = image;
            update();
            if (m_isDirty)
                startPainting();
            else
                emit imageReady();
        });
}

void ParallelCoordinates::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintAll(painter, false);
}

void ParallelCoordinates::paintAll(QPainter& painter, bool isExport)
{
    painter.fillRect(rect(), m_theme.roles().base);
    if (isExport)
        paintLines(painter, linesJob()); // as vectors, where the format has them
    else if (!m_image.isNull())
        painter.drawImage(QRectF(rect()), m_image);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter, isExport);
    paintBrushes(painter);
    const auto hovered = m_lineOf.constFind(m_hovered);
    if (isExport || hovered == m_lineOf.cend() || m_hidden.contains(m_hovered))
        return;
    LinesJob axes;
    for (int i = 0; i < int(m_axes.size()); ++i)
        axes.x.push_back(axisX(i));
    axes.top = plot().top();
    axes.bottom = plot().bottom();
    const Roles& roles = m_theme.roles();
    const QColor color = m_colors.value(m_hovered, m_hovered == m_best ? roles.ink : roles.accent);
    paintMarkedLine(painter, axes, (*m_lines)[*hovered], color, roles.base);
}

void ParallelCoordinates::paintAxes(QPainter& painter, bool isExport)
{
    const Roles& roles = m_theme.roles();
    const QRectF area = plot();
    const QFont caption = m_theme.font(TextSize::caption);
    const QFont name = m_theme.font(TextSize::header, QFont::DemiBold);
    for (int i = 0; i < int(m_axes.size()); ++i) {
        const ParallelAxis& axis = m_axes[size_t(i)];
        const double x = axisX(i);
        const bool isLast = i == int(m_axes.size()) - 1 && i > 0;
        painter.setPen(QPen(roles.control, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));

        std::vector<Tick> ticks;
        if (axis.words.isEmpty()) {
            ticks = ticksOf(axis.low, axis.high, axis.isLog ? 4 : 3, AxisUnit::number, axis.isLog);
        } else {
            const int stride = int(axis.words.size()) / 12 + 1;
            for (int w = 0; w < int(axis.words.size()); w += stride)
                ticks.push_back({double(w), models::printable(axis.words[w], 24)});
        }
        painter.setFont(caption);
        for (const Tick& tick : ticks) {
            const double y = yOf(axis.placeOf(tick.value));
            painter.setPen(QPen(roles.control, 1));
            painter.drawLine(QPointF(x - 4, y), QPointF(x + 4, y));
            // The ends of a brush say their values where the last axis has its words.
            const bool isCovered = isLast && std::any_of(m_brushes.begin(), m_brushes.end(), [&](const Brush& brush) {
                return brush.axis == i
                    && ((brush.to < 1 && std::abs(yOf(brush.to) - y) < 16)
                        || (brush.from > 0 && std::abs(yOf(brush.from) - y) < 16));
            });
            if (isCovered)
                continue;
            const double width = painter.fontMetrics().horizontalAdvance(tick.label);
            const QRectF box(isLast ? x + 8 : x - 10 - width, y - 7, width + 2, 14);
            if (i > 0 && !isLast)
                painter.fillRect(box, Theme::alpha(roles.base, 0.75));
            painter.setPen(roles.text2);
            painter.drawText(box, Qt::AlignCenter, tick.label);
        }
        painter.setFont(name);
        painter.setPen(roles.text);
        const QString title = painter.fontMetrics().elidedText(axis.name, Qt::ElideMiddle, 140);
        const double width = painter.fontMetrics().horizontalAdvance(title);
        double left = std::clamp(x - width / 2, 0.0, std::max(0.0, this->width() - width));
        if (m_grip == Grip::name && m_gripAxis == i)
            painter.setPen(roles.accent);
        painter.drawText(QRectF(left, 0, width + 1, 20), Qt::AlignLeft | Qt::AlignVCenter, title);
        if (hasFocus() && !isExport && i == m_focusedAxis) {
            painter.setPen(QPen(roles.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(left - 4, 1, width + 8, 19), 3, 3);
        }
    }
}

void ParallelCoordinates::paintBrushes(QPainter& painter)
{
    const Roles& roles = m_theme.roles();
    for (const Brush& brush : m_brushes) {
        const double x = axisX(brush.axis);
        const QRectF box(QPointF(x - 6, yOf(brush.to)), QPointF(x + 6, yOf(brush.from)));
        painter.setPen(QPen(roles.accent, 1.5));
        painter.setBrush(Theme::alpha(roles.accent, 0.3));
        painter.drawRoundedRect(box, 2, 2);
        painter.setPen(QPen(roles.accent, 3));
        for (const double y : {box.top(), box.bottom()})
            painter.drawLine(QPointF(x - 6, y), QPointF(x + 6, y));
        painter.setFont(m_theme.font(TextSize::caption, QFont::DemiBold));
        for (const bool isTop : {true, false}) {
            if ((isTop && brush.to >= 1) || (!isTop && brush.from <= 0))
                continue;
            const QString text = endText(brush.axis, isTop ? brush.to : brush.from);
            const double width = painter.fontMetrics().horizontalAdvance(text) + 10;
            const double y = isTop ? box.top() : box.bottom();
            const double left = x + 12 + width > this->width() ? x - 12 - width : x + 12;
            const QRectF label(left, std::clamp(y - 8, 20.0, height() - 17.0), width, 16);
            painter.setPen(QPen(roles.accent, 1));
            painter.setBrush(roles.base);
            painter.drawRoundedRect(label, 3, 3);
            painter.setPen(roles.accent);
            painter.drawText(label, Qt::AlignCenter, text);
        }
    }
}

core::Result<> ParallelCoordinates::exportImage(const QString& file, const PictureText& text)
{
    return exportPicture(file, m_theme, size(), text, [this](QPainter& painter, const QRectF& target) {
        painter.translate(target.topLeft());
        paintAll(painter, true);
    });
}

void ParallelCoordinates::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    drawSoon();
}

// ------------------------------------------------------------------------------------------------------------------ by hand

void ParallelCoordinates::mousePressEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    m_pressedAt = at;
    m_grip = Grip::none;
    if (at.y() < plot().top() - 6) {
        m_gripAxis = axisNear(at.x(), 60);
        m_grip = m_gripAxis >= 0 ? Grip::name : Grip::none;
        update();
        return;
    }
    m_gripAxis = axisNear(at.x(), gripReach);
    if (m_gripAxis < 0)
        return;
    m_focusedAxis = m_gripAxis;
    m_gripPlace = placeAt(at.y());
    const Brush* brush = brushOf(m_gripAxis);
    if (brush && std::abs(at.y() - yOf(brush->to)) <= 5)
        m_grip = Grip::high;
    else if (brush && std::abs(at.y() - yOf(brush->from)) <= 5)
        m_grip = Grip::low;
    else if (brush && m_gripPlace > brush->from && m_gripPlace < brush->to)
        m_grip = Grip::range;
    else
        m_grip = Grip::fresh;
}

void ParallelCoordinates::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (m_grip == Grip::none) {
        const bool isName = at.y() < plot().top() - 6 && axisNear(at.x(), 60) >= 0;
        const bool isAxis = axisNear(at.x(), gripReach) >= 0;
        setCursor(isName ? Qt::OpenHandCursor : isAxis ? Qt::SizeVerCursor : Qt::ArrowCursor);
        const ParallelLine* line = isName || isAxis ? nullptr : lineNear(linesJob(), at, lineReach);
        hover(line ? line->trial : core::TrialId());
        return;
    }
    if (m_grip == Grip::name)
        return;
    const double place = snapped(placeAt(at.y()));
    Brush* brush = brushOf(m_gripAxis);
    if (m_grip == Grip::fresh) {
        if (std::abs(at.y() - m_pressedAt.y()) < 4)
            return;
        if (!brush)
            brush = &m_brushes.emplace_back(Brush{m_gripAxis, place, place});
        brush->from = snapped(std::min(place, m_gripPlace));
        brush->to = snapped(std::max(place, m_gripPlace));
    } else if (!brush) {
        return;
    } else if (m_grip == Grip::high) {
        brush->to = std::max(place, brush->from);
    } else if (m_grip == Grip::low) {
        brush->from = std::min(place, brush->to);
    } else {
        const double moved = std::clamp(placeAt(at.y()) - m_gripPlace, -brush->from, 1 - brush->to);
        brush->from += moved;
        brush->to += moved;
        m_gripPlace += moved;
    }
    update();
    emit brushesChanged();
}

void ParallelCoordinates::mouseReleaseEvent(QMouseEvent* event)
{
    const Grip grip = std::exchange(m_grip, Grip::none);
    const QPointF at = event->position();
    update();
    if (grip == Grip::name) {
        const double width = plot().width() / std::max<double>(1, double(m_axes.size()) - 1);
        const int to = std::clamp(qRound((at.x() - plot().left()) / width), 0, int(m_axes.size()) - 1);
        if (to != m_gripAxis)
            emit axisMoved(m_gripAxis, to);
        return;
    }
    const bool isClick = std::abs(at.y() - m_pressedAt.y()) < 4 && std::abs(at.x() - m_pressedAt.x()) < 4;
    if (isClick && m_gripAxis >= 0 && grip != Grip::none && brushOf(m_gripAxis)) {
        removeBrush(m_gripAxis);
        emit brushesChanged();
        return;
    }
    if (!isClick || grip != Grip::none || !m_lines)
        return;
    const ParallelLine* nearest = lineNear(linesJob(), at, lineReach);
    if (nearest)
        emit trialPressed(nearest->trial, event->modifiers().testFlag(Qt::ControlModifier));
}

void ParallelCoordinates::keyPressEvent(QKeyEvent* event)
{
    const int count = int(m_axes.size());
    if (count == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_focusedAxis = std::clamp(m_focusedAxis + (event->key() == Qt::Key_Left ? -1 : 1), 0, count - 1);
        update();
        return;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        Brush* brush = brushOf(m_focusedAxis);
        if (!brush)
            brush = &m_brushes.emplace_back(Brush{m_focusedAxis, 0.4, 0.6});
        const double step = event->key() == Qt::Key_Up ? 0.02 : -0.02;
        if (event->modifiers().testFlag(Qt::ShiftModifier)) {
            brush->to = std::clamp(brush->to + step, brush->from, 1.0);
        } else {
            const double moved = std::clamp(step, -brush->from, 1 - brush->to);
            brush->from += moved;
            brush->to += moved;
        }
        update();
        emit brushesChanged();
        return;
    }
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        removeBrush(m_focusedAxis);
        update();
        emit brushesChanged();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace ui::charts
