// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantile_scale.h"

#include <algorithm>
#include <cmath>

namespace models {

namespace {

constexpr size_t mostQuantiles = 241;

} // namespace

QuantileScale::QuantileScale(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    std::sort(values.begin(), values.end());
    m_count = values.size();
    if (values.size() <= mostQuantiles) {
        m_quantiles = std::move(values);
        return;
    }
    m_quantiles.reserve(mostQuantiles);
    for (size_t i = 0; i < mostQuantiles; ++i)
        m_quantiles.push_back(values[i * (values.size() - 1) / (mostQuantiles - 1)]);
}

double QuantileScale::placeOf(double value) const
{
    if (m_quantiles.empty() || m_quantiles.front() == m_quantiles.back() || value >= m_quantiles.back())
        return 1;
    if (value <= m_quantiles.front())
        return 0;
    const auto last = double(m_quantiles.size() - 1);
    const auto [first, end] = std::equal_range(m_quantiles.begin(), m_quantiles.end(), value);
    if (first != end)
        return (double(first - m_quantiles.begin()) + double(end - m_quantiles.begin()) - 1) / 2 / last;
    const double share = (value - *(first - 1)) / (*first - *(first - 1));
    return (double(first - m_quantiles.begin()) - 1 + share) / last;
}

double QuantileScale::valueAt(double place) const
{
    if (m_quantiles.empty())
        return std::nan("");
    const double at = std::clamp(place, 0.0, 1.0) * double(m_quantiles.size() - 1);
    const auto below = size_t(at);
    const size_t above = std::min(below + 1, m_quantiles.size() - 1);
    return m_quantiles[below] + (m_quantiles[above] - m_quantiles[below]) * (at - double(below));
}

} // namespace models
