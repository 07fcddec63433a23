// SPDX-License-Identifier: GPL-3.0-or-later
#include "points.h"

#include <algorithm>
#include <bit>

namespace series {

namespace {

bool sameBits(const std::vector<double>& a, const std::vector<double>& b)
{
    const auto equal = [](double x, double y) { return std::bit_cast<quint64>(x) == std::bit_cast<quint64>(y); };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

} // namespace

void Points::reserve(size_t n)
{
    sequence.reserve(n);
    step.reserve(n);
    time.reserve(n);
    value.reserve(n);
}

void Points::append(qint64 pointSequence, double pointStep, qint64 pointTime, double pointValue)
{
    sequence.push_back(pointSequence);
    step.push_back(pointStep);
    time.push_back(pointTime);
    value.push_back(pointValue);
}

bool Points::operator==(const Points& other) const
{
    return sequence == other.sequence && time == other.time && sameBits(step, other.step)
        && sameBits(value, other.value);
}

} // namespace series
