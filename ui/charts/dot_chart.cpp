// SPDX-License-Identifier: GPL-3.0-or-later
#include "dot_chart.h"

#include "plot_export.h"
#include "plot_view.h"

#include "models/csv.h"
#include "ui/kit/theme.h"

#include <QVBoxLayout>

#include <cmath>

namespace ui::charts {

DotChart::DotChart(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_plot(new PlotView(theme, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusProxy(m_plot);
    m_plot->setAccessibleName(tr("Trials as dots"));
    m_plot->setHoverText([this](QPointF at, QPointF reach) {
        const TrialDot* dot = dotAt(at, reach);
        return dot && m_text ? m_text(*dot) : QString();
    });
    connect(m_plot, &PlotView::pressed, this, [this](QPointF at, QPointF reach) {
        if (const TrialDot* dot = dotAt(at, reach))
            emit trialPressed(dot->trial);
    });
    connect(m_plot, &PlotView::imageReady, this, &DotChart::imageReady);
    connect(&theme, &Theme::changed, this, &DotChart::apply);
}

void DotChart::setDots(std::vector<TrialDot> dots, bool logX, bool logY)
{
    m_dots = std::move(dots);
    std::erase_if(m_dots, [&](const TrialDot& dot) {
        return !std::isfinite(dot.x) || !std::isfinite(dot.y) || (logX && dot.x <= 0) || (logY && dot.y <= 0);
    });
    double left = HUGE_VAL;
    double right = -HUGE_VAL;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (const TrialDot& dot : m_dots) {
        left = std::min(left, dot.x);
        right = std::max(right, dot.x);
        low = std::min(low, dot.y);
        high = std::max(high, dot.y);
    }
    PlotRange range;
    range.logX = logX;
    range.logY = logY;
    std::tie(range.left, range.right) = aired(left, right, 0.03, logX);
    std::tie(range.low, range.high) = aired(low, high, 0.12, logY);
    m_plot->setWholeRange(range);
    apply();
}

void DotChart::setSteps(std::vector<QPointF> steps, std::optional<QPointF> marker, const QString& markerText)
{
    m_steps = std::move(steps);
    m_plot->setMarker(marker, markerText);
    apply();
}

void DotChart::setSelection(const QSet<core::TrialId>& selected)
{
    if (selected == m_selected)
        return;
    m_selected = selected;
    apply();
}

void DotChart::setMessage(const QString& text)
{
    m_plot->setMessage(text);
}

void DotChart::apply()
{
    const Roles& roles = m_theme.roles();
    DotJob job;
    job.dots.reserve(m_dots.size());
    for (const TrialDot& dot : m_dots)
        job.dots.push_back({dot.x, dot.y, m_selected.contains(dot.trial)});
    job.each = Theme::alpha(roles.curve, m_dots.size() > 2000 ? 0.25 : 0.45);
    job.chosen = roles.accent;
    m_plot->setJob(std::move(job));
    m_plot->setLine(0, m_steps, roles.ink, 1.5);
}

const TrialDot* DotChart::dotAt(QPointF at, QPointF reach) const
{
    const TrialDot* nearest = nullptr;
    double best = 1;
    for (const TrialDot& dot : m_dots) {
        const double far = std::hypot((dot.x - at.x()) / reach.x(), (dot.y - at.y()) / reach.y());
        if (far < best) {
            best = far;
            nearest = &dot;
        }
    }
    return nearest;
}

core::Result<> DotChart::exportImage(const QString& file)
{
    return exportPlot(*m_plot, file);
}

QByteArray DotChart::csv() const
{
    QByteArray out = "trial,x,y\n";
    for (const TrialDot& dot : m_dots)
        out += models::csvLine({dot.trial.value, QString::number(dot.x, 'g', 17), QString::number(dot.y, 'g', 17)});
    return out;
}

} // namespace ui::charts
