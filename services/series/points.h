// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of one metric of one trial, in columns.
#pragma once

#include <QtGlobal>

#include <vector>

namespace series {

/// Points of one metric in the order in which they were reported. The columns always have the same length.
struct Points
{
    std::vector<qint64> sequence; ///< number of the record in its trial, counted from 0
    std::vector<double> step;     ///< what the trial called the step; NaN where it named none
    std::vector<qint64> time;     ///< milliseconds since the epoch
    std::vector<double> value;    ///< NaN and infinities are kept

    [[nodiscard]] size_t size() const { return value.size(); }
    void reserve(size_t n);
    void append(qint64 pointSequence, double pointStep, qint64 pointTime, double pointValue);
    /// Bit for bit, so NaN equals itself.
    bool operator==(const Points& other) const;
};

} // namespace series
