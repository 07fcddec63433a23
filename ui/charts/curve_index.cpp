// SPDX-License-Identifier: GPL-3.0-or-later
#include "curve_index.h"

#include "curve_painter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ui::charts {

using models::SeriesColumn;
using models::SeriesCurve;

namespace {

constexpr int cells = 240;
/// Cells beside that of the pointer which are searched for spikes.
constexpr int mostBeside = 4;

/// Calls `use` for up to `most` entries with the smallest distance from y, within `reach`; returns how many there are within.
template <typename Entries, typename Use>
qsizetype aroundY(const Entries& entries, double y, double reach, size_t most, Use use)
{
    const auto below = [](const auto& entry, double value) { return double(entry.y) < value; };
    const auto first = std::lower_bound(entries.begin(), entries.end(), y - reach, below);
    const auto end = std::lower_bound(first, entries.end(), y + reach, below);
    auto up = std::lower_bound(first, end, y, below);
    auto down = up;
    for (size_t i = 0; i < most && (down != first || up != end); ++i) {
        const bool takesUp = down == first || (up != end && double(up->y) - y < y - double(std::prev(down)->y));
        use(takesUp ? *up++ : *--down);
    }
    return end - first;
}

} // namespace

CurveIndex::CurveIndex(models::SeriesDataPtr data, double left, double right, double smoothing)
    : m_data(std::move(data))
    , m_left(left)
    , m_step(right > left ? (right - left) / cells : 1)
    , m_smoothing(smoothing)
    , m_cells(cells + 1)
{
    m_numbers.reserve(qsizetype(m_data->curves.size()));
    for (quint32 i = 0; i < m_data->curves.size(); ++i) {
        m_numbers.insert(m_data->curves[i].trial, i);
        add(i, m_data->curves[i]);
    }
    const auto byY = [](const Entry& a, const Entry& b) { return a.y < b.y; };
    for (Cell& cell : m_cells) {
        std::sort(cell.lines.begin(), cell.lines.end(), byY);
        std::sort(cell.spikes.begin(), cell.spikes.end(), byY);
    }
}

void CurveIndex::add(quint32 number, const SeriesCurve& curve)
{
    std::vector<QPointF> points = pointsOf(curve);
    if (m_smoothing > 0)
        points = smoothed(std::move(points), m_smoothing);
    std::erase_if(points, [](const QPointF& p) { return !std::isfinite(p.y()) || !std::isfinite(p.x()); });
    if (points.empty())
        return;
    size_t next = 0;
    for (int i = 0; i <= cells; ++i) {
        const double x = m_left + i * m_step;
        double low = HUGE_VAL;
        double high = -HUGE_VAL;
        while (next < points.size() && points[next].x() < x + m_step / 2) {
            if (points[next].x() >= x - m_step / 2) {
                low = std::min(low, points[next].y());
                high = std::max(high, points[next].y());
            }
            ++next;
        }
        Cell& cell = m_cells[size_t(i)];
        if (low <= high) {
            cell.lines.push_back({float(low), number});
            if (high > low)
                cell.spikes.push_back({float(high), number});
        } else if (next > 0 && next < points.size()) {
            const QPointF& a = points[next - 1];
            const QPointF& b = points[next];
            const double share = b.x() > a.x() ? (x - a.x()) / (b.x() - a.x()) : 0;
            cell.lines.push_back({float(a.y() + (b.y() - a.y()) * share), number});
        }
    }
}

CurveIndex::Near CurveIndex::near(QPointF at, QPointF reach, size_t most) const
{
    Near out;
    const double place = (at.x() - m_left) / m_step;
    if (!(place > -1 && place < cells + 1))
        return out;
    const int middle = std::clamp(int(std::lround(place)), 0, cells);
    const int beside = std::clamp(int(std::ceil(reach.x() / m_step)), 0, mostBeside);
    struct Found
    {
        double far;
        quint32 curve;
    };
    std::vector<Found> found;
    const auto take = [&](const Entry& entry, double aside) {
        const double far = std::hypot((double(entry.y) - at.y()) / reach.y(), aside);
        const auto known =
            std::find_if(found.begin(), found.end(), [&](const Found& one) { return one.curve == entry.curve; });
        if (known == found.end())
            found.push_back({far, entry.curve});
        else
            known->far = std::min(known->far, far);
    };
    qsizetype within = 0;
    for (int i = std::max(0, middle - beside); i <= std::min(cells, middle + beside); ++i) {
        const Cell& cell = m_cells[size_t(i)];
        const double aside = std::abs(i - place) * m_step / reach.x();
        const qsizetype count = aroundY(
            cell.lines, at.y(), reach.y(), most, [&](const Entry& entry) { take(entry, i == middle ? 0 : aside); });
        (void)aroundY(
            cell.spikes, at.y(), reach.y(), most, [&](const Entry& entry) { take(entry, i == middle ? 0 : aside); });
        if (i == middle)
            within = count;
    }
    std::sort(found.begin(), found.end(),
        [](const Found& a, const Found& b) { return a.far != b.far ? a.far < b.far : a.curve < b.curve; });
    for (const Found& one : found) {
        if (out.points.size() == most)
            break;
        if (const auto point = nearestValue(m_data->curves[one.curve], at, reach))
            out.points.push_back(*point);
    }
    out.more = std::max<qsizetype>(within, qsizetype(found.size())) - qsizetype(out.points.size());
    return out;
}

/// The value that was reported nearest to the place, in both directions, within `reach` of x; without one the nearest in x.
std::optional<CurvePoint> CurveIndex::nearestValue(const SeriesCurve& curve, QPointF at, QPointF reach) const
{
    std::optional<CurvePoint> best;
    double nearest = HUGE_VAL;
    const auto from = std::lower_bound(curve.columns.begin(), curve.columns.end(), at.x() - reach.x(),
        [](const SeriesColumn& column, double x) { return column.lastX < x; });
    for (auto column = from; column != curve.columns.end() && column->firstX <= at.x() + reach.x(); ++column) {
        for (const auto& [x, y] : {std::pair(column->firstX, column->first), std::pair(column->lastX, column->last),
                 std::pair(column->firstX, column->min), std::pair(column->firstX, column->max)}) {
            const double far = std::hypot((x - at.x()) / reach.x(), (y - at.y()) / reach.y());
            if (std::isfinite(far) && far < nearest) {
                nearest = far;
                best = {&curve, x, y, y};
            }
        }
    }
    if (!best || m_smoothing > 0)
        return valueAt(curve.trial, at.x());
    return best;
}

std::optional<CurvePoint> CurveIndex::valueAt(const core::TrialId& trial, double x) const
{
    const SeriesCurve* curve = this->curve(trial);
    if (!curve || curve->columns.empty())
        return {};
    std::optional<CurvePoint> best;
    double nearest = HUGE_VAL;
    auto next = std::lower_bound(curve->columns.begin(), curve->columns.end(), x,
        [](const SeriesColumn& column, double value) { return column.lastX < value; });
    const bool isOutside = next == curve->columns.end() ? x > curve->columns.back().lastX + m_step
                                                        : x < curve->columns.front().firstX - m_step;
    if (isOutside)
        return {};
    if (next != curve->columns.begin())
        --next;
    for (int i = 0; i < 3 && next != curve->columns.end(); ++i, ++next) {
        for (const auto& [at, y] : {std::pair(next->firstX, next->first), std::pair(next->lastX, next->last)}) {
            if (std::isfinite(y) && std::abs(at - x) < nearest) {
                nearest = std::abs(at - x);
                best = {curve, at, y, y};
            }
        }
    }
    if (best)
        best->shown = shownAt(*curve, best->x, best->raw);
    return best;
}

std::optional<CurvePoint> CurveIndex::bestOf(const core::TrialId& trial, bool maximize) const
{
    const SeriesCurve* curve = this->curve(trial);
    std::optional<CurvePoint> best;
    if (!curve)
        return best;
    for (const SeriesColumn& column : curve->columns) {
        const double y = maximize ? column.max : column.min;
        if (!std::isfinite(y) || (best && !(maximize ? y > best->raw : y < best->raw)))
            continue;
        const double x = y == column.last ? column.lastX : column.firstX;
        best = {curve, x, y, y};
    }
    if (best)
        best->shown = shownAt(*curve, best->x, best->raw);
    return best;
}

double CurveIndex::shownAt(const SeriesCurve& curve, double x, double raw) const
{
    if (m_smoothing <= 0)
        return raw;
    const std::vector<QPointF> points = smoothed(pointsOf(curve), m_smoothing);
    const auto at = std::lower_bound(
        points.begin(), points.end(), x, [](const QPointF& point, double value) { return point.x() < value; });
    return at == points.end() || !std::isfinite(at->y()) ? raw : at->y();
}

const SeriesCurve* CurveIndex::curve(const core::TrialId& trial) const
{
    const auto at = m_numbers.constFind(trial);
    return at == m_numbers.cend() ? nullptr : &m_data->curves[*at];
}

} // namespace ui::charts
