// SPDX-License-Identifier: GPL-3.0-or-later
#include "best_so_far.h"

#include <cmath>

namespace series {

BestSoFar::BestSoFar(Direction direction)
    : m_direction(direction)
{
}

bool BestSoFar::add(double value)
{
    const qint64 index = m_count++;
    if (std::isnan(value))
        return false;
    if (!m_steps.empty()) {
        const double best = m_steps.back().value;
        if (!(m_direction == Direction::maximize ? value > best : value < best))
            return false;
    }
    m_steps.push_back({index, value});
    return true;
}

std::vector<BestStep> bestSoFar(std::span<const double> values, Direction direction)
{
    BestSoFar best(direction);
    for (const double value : values)
        best.add(value);
    return best.steps();
}

} // namespace series
