// SPDX-License-Identifier: GPL-3.0-or-later
#include "dot_chart.h"

#include "plot_view.h"

#include "models/format.h"
#include "ui/kit/theme.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

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
    connect(m_plot, &PlotView::hovered, this, [this](QPointF at, QPointF reach) {
        const TrialDot* dot = dotAt(at, reach);
        const core::TrialId trial = dot ? dot->trial : core::TrialId();
        if (std::exchange(m_isHere, true) && trial == m_hovered)
            return;
        m_hovered = trial;
        showCrosshair();
        emit trialHovered(trial);
    });
    connect(m_plot, &PlotView::hoverLeft, this, [this] {
        if (!std::exchange(m_isHere, false))
            return;
        m_hovered = {};
        showCrosshair();
        emit trialHovered({});
    });
    connect(m_plot, &PlotView::pressed, this, [this](QPointF at, QPointF reach, Qt::KeyboardModifiers modifiers) {
        if (const TrialDot* dot = dotAt(at, reach))
            emit trialPressed(dot->trial, modifiers.testFlag(Qt::ControlModifier));
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
    std::sort(m_dots.begin(), m_dots.end(), [](const TrialDot& a, const TrialDot& b) { return a.x < b.x; });
    m_places.clear();
    m_places.reserve(qsizetype(m_dots.size()));
    for (size_t i = 0; i < m_dots.size(); ++i)
        m_places.insert(m_dots[i].trial, i);
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

void DotChart::setSelection(const QSet<core::TrialId>& selected, const core::TrialId& current)
{
    if (selected == m_selected && current == m_current)
        return;
    m_selected = selected;
    m_current = current;
    apply();
}

void DotChart::setColors(const QHash<core::TrialId, QColor>& colors, const QSet<core::TrialId>& hidden)
{
    if (colors == m_colors && hidden == m_hidden)
        return;
    m_colors = colors;
    m_hidden = hidden;
    apply();
}

void DotChart::setHovered(const core::TrialId& trial)
{
    if (m_isHere || trial == m_hovered)
        return;
    m_hovered = trial;
    showCrosshair();
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
    for (const TrialDot& dot : m_dots) {
        if (m_hidden.contains(dot.trial))
            continue;
        const QColor own = dot.trial == m_current ? m_colors.value(dot.trial, roles.accent) : m_colors.value(dot.trial);
        job.dots.push_back({dot.x, dot.y, m_selected.contains(dot.trial), own});
    }
    job.each = Theme::alpha(roles.curve, m_dots.size() > 2000 ? 0.25 : 0.45);
    job.chosen = m_colors.isEmpty() ? roles.accent : Theme::alpha(roles.curve, 0.8);
    job.rim = roles.base;
    m_plot->setJob(std::move(job));
    m_plot->setLine(0, m_steps, roles.ink, 1.5);
    showCrosshair();
}

void DotChart::showCrosshair()
{
    const auto place = m_places.constFind(m_hovered);
    if (place == m_places.cend() || m_hidden.contains(m_hovered)) {
        m_plot->setCrosshair({});
        return;
    }
    const TrialDot& dot = m_dots[*place];
    Crosshair crosshair;
    crosshair.x = dot.x;
    crosshair.place = models::parameterText(dot.x);
    crosshair.marks = {{{dot.x, dot.y}, m_colors.value(dot.trial, m_theme.roles().accent), true}};
    if (m_isHere && m_text)
        crosshair.title = m_text(dot);
    m_plot->setCrosshair(std::move(crosshair));
}

/// The dots within reach of x alone are looked at.
const TrialDot* DotChart::dotAt(QPointF at, QPointF reach) const
{
    const TrialDot* nearest = nullptr;
    double best = 1;
    const auto from = std::lower_bound(
        m_dots.begin(), m_dots.end(), at.x() - reach.x(), [](const TrialDot& dot, double x) { return dot.x < x; });
    for (auto dot = from; dot != m_dots.end() && dot->x <= at.x() + reach.x(); ++dot) {
        const double far = std::hypot((dot->x - at.x()) / reach.x(), (dot->y - at.y()) / reach.y());
        if (far < best && !m_hidden.contains(dot->trial)) {
            best = far;
            nearest = &*dot;
        }
    }
    return nearest;
}

core::Result<> DotChart::exportImage(const QString& file, const PictureText& text)
{
    return exportPlot(*m_plot, m_theme, text, file);
}

} // namespace ui::charts
