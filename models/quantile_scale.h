// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace models {

/// Maps values to places by their rank among others, so that an outlier moves none of the others: half of the values are below
/// place 0.5. A value; pure.
class QuantileScale
{
public:
    QuantileScale() = default;
    /// Those that are not finite are left out. Takes n log n.
    explicit QuantileScale(std::vector<double> values);

    [[nodiscard]] size_t count() const { return m_count; }
    [[nodiscard]] bool isEmpty() const { return m_quantiles.empty(); }
    /// 0 the smallest to 1 the largest value, in between by rank; equal values have one place, the middle of theirs. Values beyond the
    /// ends have the place of the end. 1 if all values are equal.
    [[nodiscard]] double placeOf(double value) const;
    /// The value at a place, 0 to 1; the inverse of placeOf().
    [[nodiscard]] double valueAt(double place) const;

private:
    size_t m_count = 0;
    std::vector<double> m_quantiles; ///< at equal distances, the ends included
};

} // namespace models
