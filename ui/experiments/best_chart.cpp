// SPDX-License-Identifier: GPL-3.0-or-later
#include "best_chart.h"

#include "models/format.h"
#include "ui/charts/axis_ticks.h"
#include "ui/kit/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

BestChart::BestChart(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Objective by trial"));
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setMinimumHeight(160);
    connect(&themeOf(*this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void BestChart::setTrials(const std::vector<core::TrialPtr>& trials, bool maximize)
{
    m_maximize = maximize;
    m_dots.clear();
    m_best = -1;
    std::vector<double> values;
    double right = 1;
    for (const core::TrialPtr& trial : trials) {
        right = std::max(right, double(trial->sequenceId));
        if (!trial->bestMetric || !std::isfinite(*trial->bestMetric))
            continue;
        m_dots.push_back({double(trial->sequenceId), *trial->bestMetric, trial->id, trial->sequenceId});
        values.push_back(*trial->bestMetric);
    }
    std::sort(m_dots.begin(), m_dots.end(), [](const Dot& a, const Dot& b) { return a.x < b.x; });
    m_right = right;
    if (!values.empty()) {
        std::sort(values.begin(), values.end());
        m_low = values.front();
        m_high = values.back();
        const double pad = m_high > m_low ? (m_high - m_low) * 0.06 : std::max(1e-6, std::abs(m_high) * 0.05);
        m_low -= pad;
        m_high += pad;
        for (size_t i = 0; i < m_dots.size(); ++i)
            if (m_best < 0
                || (maximize ? m_dots[i].y > m_dots[size_t(m_best)].y : m_dots[i].y < m_dots[size_t(m_best)].y))
                m_best = int(i);
        setAccessibleDescription(tr("%n trial(s) with a value, best %1 by trial %2", nullptr, int(m_dots.size()))
                                     .arg(models::metricText(m_dots[size_t(m_best)].y))
                                     .arg(m_dots[size_t(m_best)].number));
    }
    m_current = std::min(m_current, int(m_dots.size()) - 1);
    update();
}

QRectF BestChart::plot() const
{
    return QRectF(52, 20, width() - 68, height() - 48);
}

QPointF BestChart::toPixel(const Dot& dot) const
{
    const QRectF p = plot();
    return {p.left() + dot.x / m_right * p.width(), p.bottom() - (dot.y - m_low) / (m_high - m_low) * p.height()};
}

void BestChart::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF p = plot();
    if (hasFocus()) {
        painter.setPen(QPen(c.accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), metrics::radiusControl, metrics::radiusControl);
    }
    painter.setFont(theme.font(TextSize::caption));
    if (m_dots.empty()) {
        painter.setPen(c.text2);
        painter.drawText(p, Qt::AlignCenter, tr("No value yet. The first one appears as soon as a trial reports it."));
        return;
    }
    for (const charts::Tick& tick : charts::ticksOf(m_low, m_high, std::max(2, int(p.height() / 44)))) {
        const double y = std::round(toPixel({0, tick.value, {}, 0}).y()) + 0.5;
        painter.setPen(QPen(c.line, 1));
        painter.drawLine(QPointF(p.left(), y), QPointF(p.right(), y));
        painter.setPen(c.text2);
        painter.drawText(QRectF(0, y - 9, p.left() - 8, 18), Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    for (const charts::Tick& tick : charts::ticksOf(0, m_right, std::max(2, int(p.width() / 90)))) {
        if (tick.value != std::floor(tick.value))
            continue; // of trials, which are whole
        const double x = p.left() + tick.value / m_right * p.width();
        painter.setPen(c.text2);
        painter.drawText(
            QRectF(x - 30, p.bottom() + 4, 60, 16), Qt::AlignCenter, models::countText(qint64(tick.value)));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::alpha(c.curve, m_dots.size() > 2'000 ? 0.25 : 0.55));
    // With many trials, skip a dot on the same pixel as the previous one.
    qint64 last = -1;
    for (const Dot& dot : m_dots) {
        const QPointF at = toPixel(dot);
        const qint64 pixel = qint64(at.x()) * 100'000 + qint64(at.y());
        if (m_dots.size() > 5'000 && pixel == last)
            continue;
        last = pixel;
        painter.drawEllipse(at, 2.5, 2.5);
    }
    QPainterPath steps;
    double best = m_dots.front().y;
    steps.moveTo(toPixel(m_dots.front()));
    for (const Dot& dot : m_dots) {
        if (m_maximize ? dot.y <= best : dot.y >= best)
            continue;
        steps.lineTo(toPixel({dot.x, best, {}, 0}));
        best = dot.y;
        steps.lineTo(toPixel(dot));
    }
    steps.lineTo(toPixel({m_right, best, {}, 0}));
    painter.setPen(QPen(c.ink, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(steps);
    const Dot& top = m_dots[size_t(m_best)];
    const QPointF at = toPixel(top);
    painter.setPen(QPen(c.ink, 2));
    painter.setBrush(c.base);
    painter.drawEllipse(at, 4, 4);
    painter.setFont(theme.font(TextSize::header, QFont::DemiBold));
    painter.setPen(c.text);
    const QString words = tr("%1, trial %2").arg(models::metricText(top.y)).arg(top.number);
    const double w = painter.fontMetrics().horizontalAdvance(words);
    const double x = std::clamp(at.x() - w / 2, p.left(), p.right() - w);
    painter.drawText(QRectF(x, std::max(0.0, at.y() - 22), w + 2, 16), Qt::AlignCenter, words);
    if (m_current >= 0 && hasFocus()) {
        painter.setPen(QPen(c.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(toPixel(m_dots[size_t(m_current)]), 6, 6);
    }
}

int BestChart::dotAt(const QPointF& at) const
{
    int nearest = -1;
    double least = 64;
    for (size_t i = 0; i < m_dots.size(); ++i) {
        const QPointF d = toPixel(m_dots[i]) - at;
        const double distance = QPointF::dotProduct(d, d);
        if (distance < least) {
            least = distance;
            nearest = int(i);
        }
    }
    return nearest;
}

void BestChart::mousePressEvent(QMouseEvent* event)
{
    const int dot = dotAt(event->position());
    if (dot >= 0)
        emit trialChosen(m_dots[size_t(dot)].trial);
}

bool BestChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int dot = dotAt(help->pos());
    if (dot < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(),
            tr("Trial %1: %2").arg(m_dots[size_t(dot)].number).arg(models::metricText(m_dots[size_t(dot)].y)), this);
    return true;
}

void BestChart::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step != 0 && !m_dots.empty()) {
        m_current = std::clamp(m_current + step, 0, int(m_dots.size()) - 1);
        setAccessibleDescription(tr("Trial %1: %2")
                                     .arg(m_dots[size_t(m_current)].number)
                                     .arg(models::metricText(m_dots[size_t(m_current)].y)));
        update();
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current >= 0) {
        emit trialChosen(m_dots[size_t(m_current)].trial);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace ui
