// SPDX-License-Identifier: GPL-3.0-or-later
// The best value up to now, as a line of steps. Pure.
#pragma once

#include <QtGlobal>
#include <span>
#include <vector>

namespace series {

enum class Direction { maximize, minimize };

/// An improvement: from here on this was the best.
struct BestStep
{
    qint64 index = 0; ///< which of the values added, counting all, from 0
    double value = 0;
    bool operator==(const BestStep&) const = default;
};

/// Takes the values one by one, in the order in which they count (usually that in which trials ended). NaN is passed
/// over but counted; an infinity is a value like another; a tie is no improvement.
class BestSoFar
{
public:
    explicit BestSoFar(Direction direction);

    /// True when this value is the best now.
    bool add(double value);
    /// Each better than the one before.
    [[nodiscard]] const std::vector<BestStep>& steps() const { return m_steps; }

private:
    Direction m_direction;
    qint64 m_count = 0;
    std::vector<BestStep> m_steps;
};

[[nodiscard]] std::vector<BestStep> bestSoFar(std::span<const double> values, Direction direction);

} // namespace series
