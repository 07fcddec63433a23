// SPDX-License-Identifier: GPL-3.0-or-later
#include "heat_key.h"

#include "models/format.h"
#include "models/printable.h"
#include "ui/kit/theme.h"

#include <QPainter>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int stepWidth = 14;
constexpr int stepHeight = 10;

} // namespace

int heatStepOf(const models::QuantileScale& scale, double value, bool maximize)
{
    const double place = scale.placeOf(value);
    const bool isFlat = scale.valueAt(0) == scale.valueAt(1);
    return std::clamp(int((maximize || isFlat ? place : 1 - place) * Theme::heatSteps), 0, Theme::heatSteps - 1);
}

HeatKey::HeatKey(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&themeOf(*this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void HeatKey::setScale(const models::QuantileScale& scale, const QString& metric, bool maximize)
{
    m_metric.clear();
    m_worst.clear();
    m_best.clear();
    if (!scale.isEmpty()) {
        const QString low = u"≤ "_s + models::metricText(scale.valueAt(1.0 / Theme::heatSteps));
        const QString high = u"≥ "_s + models::metricText(scale.valueAt(1 - 1.0 / Theme::heatSteps));
        m_metric = models::printable(metric, 24);
        m_worst = maximize ? low : high;
        m_best = maximize ? high : low;
    }
    setAccessibleName(tr("Colours of %1: %2 to %3, by quantile").arg(m_metric, m_worst, m_best));
    setToolTip(tr("Colours follow quantiles: each step holds the same share of the trials, so that an outlier does not "
                  "flatten the "
                  "others."));
    updateGeometry();
    update();
}

QSize HeatKey::sizeHint() const
{
    const QFontMetrics wide(themeOf(*this).font(TextSize::caption));
    const QString words = m_metric + m_worst + m_best + tr("by quantile");
    return {wide.horizontalAdvance(words) + 4 * metrics::gap + stepWidth * Theme::heatSteps, 16};
}

void HeatKey::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(*this);
    QPainter painter(this);
    painter.setFont(theme.font(TextSize::caption));
    painter.setPen(theme.roles().text2);
    int x = 0;
    const auto write = [&](const QString& text) {
        const int width = painter.fontMetrics().horizontalAdvance(text) + 1;
        painter.drawText(QRect(x, 0, width, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + metrics::gap - 1;
    };
    write(m_metric);
    write(m_worst);
    for (int step = 0; step < Theme::heatSteps; ++step)
        painter.fillRect(
            QRect(x + step * stepWidth, (height() - stepHeight) / 2, stepWidth, stepHeight), theme.heatStep(step));
    x += stepWidth * Theme::heatSteps + metrics::gap;
    write(m_best);
    // A narrow card has no room for it; the tip says it, too.
    const QString how = tr("by quantile");
    if (x + painter.fontMetrics().horizontalAdvance(how) < width())
        write(how);
}

} // namespace ui
