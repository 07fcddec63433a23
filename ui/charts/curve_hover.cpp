// SPDX-License-Identifier: GPL-3.0-or-later
#include "curve_hover.h"

#include "plot_view.h"

#include "models/background.h"
#include "models/format.h"
#include "ui/kit/theme.h"

#include <algorithm>

namespace ui::charts {

namespace {

constexpr size_t mostRows = 8;
/// Curves are near within this many times the reach of a press.
constexpr double nearY = 3;

} // namespace

CurveHover::CurveHover(Theme& theme, PlotView& plot, QObject* parent)
    : QObject(parent)
    , m_theme(theme)
    , m_plot(plot)
{
    connect(&plot, &PlotView::hovered, this, [this](QPointF at, QPointF reach) {
        m_pointer = {at, {reach.x(), reach.y() * nearY}};
        m_elsewhere = {};
        if (m_isStale)
            build();
        show();
    });
    connect(&plot, &PlotView::hoverLeft, this, &CurveHover::leave);
}

void CurveHover::setCurves(const models::SeriesDataPtr& data, double smoothing)
{
    if (data == m_data && smoothing == m_smoothing)
        return;
    m_data = data;
    m_smoothing = smoothing;
    m_isStale = true;
    if (!data) {
        m_index.reset();
        leave();
        show();
    } else if (m_pointer || !m_elsewhere.isEmpty()) {
        build();
    }
}

void CurveHover::setColors(const QHash<core::TrialId, QColor>& colors, const QSet<core::TrialId>& hidden)
{
    m_colors = colors;
    m_hidden = hidden;
    show();
}

void CurveHover::showTrial(const core::TrialId& trial, bool maximize)
{
    m_maximize = maximize;
    if (m_pointer || trial == m_elsewhere)
        return;
    m_elsewhere = trial;
    if (m_isStale && !trial.isEmpty())
        build();
    show();
}

/// One at a time; the newest curves next.
void CurveHover::build()
{
    if (m_isBuilding || !m_data)
        return;
    m_isBuilding = true;
    const PlotRange& range = m_plot.range();
    models::inBackground(
        this,
        [data = m_data, left = range.left, right = range.right, smoothing = m_smoothing] {
            return std::make_shared<const CurveIndex>(data, left, right, smoothing);
        },
        [this, data = m_data, smoothing = m_smoothing](const std::shared_ptr<const CurveIndex>& index) {
            m_isBuilding = false;
            if (!m_data)
                return;
            m_index = index;
            m_isStale = data != m_data || smoothing != m_smoothing;
            if (m_isStale && (m_pointer || !m_elsewhere.isEmpty()))
                build();
            show();
        });
}

QColor CurveHover::colorOf(const core::TrialId& trial) const
{
    return m_colors.value(trial, m_theme.roles().curve);
}

void CurveHover::show()
{
    if (!m_index || (!m_pointer && m_elsewhere.isEmpty())) {
        m_plot.setCrosshair({});
        return;
    }
    Crosshair crosshair;
    if (!m_pointer) {
        const auto best = m_hidden.contains(m_elsewhere) ? std::nullopt : m_index->bestOf(m_elsewhere, m_maximize);
        if (best)
            crosshair.marks.push_back({best->at(), colorOf(m_elsewhere), true});
        m_plot.setCrosshair(std::move(crosshair));
        return;
    }
    const auto& [at, reach] = *m_pointer;
    CurveIndex::Near found = m_index->near(at, reach, mostRows + size_t(m_hidden.size()));
    std::erase_if(found.points, [this](const CurvePoint& point) { return m_hidden.contains(point.curve->trial); });
    while (found.points.size() > mostRows) {
        found.points.pop_back();
        ++found.more;
    }
    const core::TrialId nearest = found.points.empty() ? core::TrialId() : found.points.front().curve->trial;
    addFew(found.points, at.x());
    const double x = found.points.empty() ? at.x() : found.points.front().x;
    for (size_t i = 1; i < found.points.size(); ++i) {
        if (const auto value = m_index->valueAt(found.points[i].curve->trial, x))
            found.points[i] = *value;
    }
    std::sort(found.points.begin(), found.points.end(),
        [](const CurvePoint& a, const CurvePoint& b) { return a.shown > b.shown; });
    crosshair.x = x;
    crosshair.place = m_placeText ? m_placeText(x) : QString::number(x);
    crosshair.more = found.more;
    for (const CurvePoint& point : found.points) {
        const core::TrialId& trial = point.curve->trial;
        const QString name = m_index->curves().size() == 1 ? QString() : m_number ? m_number(trial) : trial.value;
        crosshair.rows.push_back({name, models::metricText(point.shown),
            point.x == x || !m_placeText ? QString() : m_placeText(point.x), colorOf(trial), trial == nearest});
        crosshair.marks.push_back({point.at(), colorOf(trial), trial == nearest});
    }
    if (!crosshair.rows.empty())
        crosshair.title = crosshair.place;
    for (auto one = m_colors.cbegin(); one != m_colors.cend(); ++one) {
        const bool isListed = std::any_of(found.points.begin(), found.points.end(),
            [&](const CurvePoint& point) { return point.curve->trial == one.key(); });
        if (isListed || m_hidden.contains(one.key()))
            continue;
        if (const auto value = m_index->valueAt(one.key(), x))
            crosshair.marks.push_back({value->at(), one.value(), false});
    }
    m_place = x;
    m_plot.setCrosshair(std::move(crosshair));
    setNearest(nearest);
    emit changed();
}

/// Of a few curves all are listed, near or not.
void CurveHover::addFew(std::vector<CurvePoint>& points, double x) const
{
    if (m_index->curves().size() > mostRows)
        return;
    for (const models::SeriesCurve& curve : m_index->curves()) {
        const bool isThere =
            std::any_of(points.begin(), points.end(), [&](const CurvePoint& point) { return point.curve == &curve; });
        const auto value = isThere || m_hidden.contains(curve.trial) ? std::nullopt : m_index->valueAt(curve.trial, x);
        if (value)
            points.push_back(*value);
    }
}

void CurveHover::leave()
{
    if (!m_pointer)
        return;
    m_pointer.reset();
    m_place.reset();
    m_plot.setCrosshair({});
    setNearest({});
    emit changed();
}

void CurveHover::setNearest(const core::TrialId& trial)
{
    if (trial == m_nearest)
        return;
    m_nearest = trial;
    emit trialHovered(trial);
}

QString CurveHover::placeText() const
{
    return m_place && m_placeText ? m_placeText(*m_place) : QString();
}

std::optional<CurvePoint> CurveHover::valueOf(const core::TrialId& trial) const
{
    return m_index && m_place ? m_index->valueAt(trial, *m_place) : std::nullopt;
}

} // namespace ui::charts
