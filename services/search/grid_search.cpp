// SPDX-License-Identifier: GPL-3.0-or-later
#include "grid_search.h"

#include "distribution.h"

#include <cmath>
#include <set>

namespace search {

/// Halving 52 times uses up the digits of a share; a continuous parameter has met 2^52 values by then.
static constexpr int maxRounds = 52;

static bool isLess(const Parameter& parameter, double p, double r)
{
    const auto value = [&](double share) {
        const double x = quantile(parameter, share);
        return std::isinf(x) ? x : reported(parameter, x);
    };
    return value(p) < value(r);
}

quint64 GridSearch::Dimension::size() const
{
    switch (parameter.spec->type) {
    case ParameterType::choice:
        return options.size();
    case ParameterType::randint:
        return parameter.spec->count;
    default:
        return points.size();
    }
}

/// Halves every interval whose halves may still hold a value of their own. The ends 0 and 1 are not values of the grid
/// themselves, so at those a middle counts also if it equals the end. True when points were added.
bool GridSearch::Dimension::divide()
{
    const size_t before = points.size();
    std::vector<std::pair<double, double>> halves;
    for (const auto& [left, right] : intervals) {
        const double middle = (left + right) / 2;
        const bool lower = isLess(*parameter.spec, left, middle);
        const bool upper = isLess(*parameter.spec, middle, right);
        if ((lower || left == 0) && (upper || right == 1))
            points.push_back(middle);
        if (lower)
            halves.emplace_back(left, middle);
        if (upper)
            halves.emplace_back(middle, right);
    }
    intervals = std::move(halves);
    return points.size() > before;
}

GridSearch::GridSearch(SearchSpace space)
    : m_space(std::make_shared<const SearchSpace>(std::move(space)))
{
    for (const FlatParameter& parameter : flatten(*m_space)) {
        const Parameter& spec = *parameter.spec;
        Dimension dimension;
        dimension.parameter = parameter;
        if (spec.type == ParameterType::choice) {
            std::set<QByteArray> seen;
            for (size_t i = 0; i < spec.options.size(); ++i)
                if (seen.insert(dumpJson(spec.values[i])).second)
                    dimension.options.push_back(i);
        } else if (!spec.isCategorical()) {
            dimension.points = {0.5};
            if (isLess(spec, 0, 0.5))
                dimension.intervals.emplace_back(0, 0.5);
            if (isLess(spec, 0.5, 1))
                dimension.intervals.emplace_back(0.5, 1);
        }
        m_dimensions.push_back(std::move(dimension));
    }
}

std::optional<Json> GridSearch::next()
{
    if (!advance())
        return std::nullopt;
    std::vector<Pick> picks(m_dimensions.size());
    for (size_t i = 0; i < m_dimensions.size(); ++i) {
        const Dimension& dimension = m_dimensions[i];
        const Parameter& spec = *dimension.parameter.spec;
        if (spec.isCategorical())
            picks[i].index = optionOf(i);
        else
            picks[i].number = reported(spec, quantile(spec, dimension.points[m_vector[i]]));
    }
    return assemble(*m_space, picks);
}

void GridSearch::skip(quint64 n)
{
    while (n-- > 0 && advance()) { }
}

bool GridSearch::advance()
{
    while (!m_exhausted) {
        if (!nextVector()) {
            m_exhausted = !refine();
        } else if (!isOld()) {
            ++m_position;
            return true;
        }
    }
    return false;
}

quint64 GridSearch::optionOf(size_t dimension) const
{
    const std::vector<size_t>& options = m_dimensions[dimension].options;
    return options.empty() ? m_vector[dimension] : options[m_vector[dimension]];
}

/// Counts up like an odometer, over the dimensions that exist with the options chosen now. False at the end of the
/// round.
bool GridSearch::nextVector()
{
    const size_t count = m_dimensions.size();
    if (m_vector.empty()) {
        m_vector.assign(count, 0);
        return count > 0;
    }
    std::vector<bool> active(count);
    for (size_t i = 0; i < count; ++i) {
        const FlatParameter& parameter = m_dimensions[i].parameter;
        const auto parent = size_t(parameter.parent);
        active[i] = parameter.parent < 0 || (active[parent] && optionOf(parent) == parameter.option);
    }
    for (size_t i = count; i-- > 0;) {
        if (!active[i])
            continue;
        if (m_vector[i] + 1 < m_dimensions[i].size()) {
            ++m_vector[i];
            return true;
        }
        m_vector[i] = 0;
    }
    m_vector.clear();
    return false;
}

/// Whether an earlier round has visited this combination. Dimensions that do not exist stand at 0, which is always
/// known.
bool GridSearch::isOld() const
{
    for (size_t i = 0; i < m_dimensions.size(); ++i)
        if (m_vector[i] >= m_dimensions[i].known)
            return false;
    return true;
}

bool GridSearch::refine()
{
    for (Dimension& dimension : m_dimensions)
        dimension.known = dimension.size();
    bool added = false;
    while (!added && ++m_round < maxRounds)
        for (Dimension& dimension : m_dimensions)
            added |= dimension.divide();
    return added;
}

} // namespace search
