// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster_pace.h"

#include <algorithm>

namespace platforms {

qint64 nextAskMs(qint64 intervalMs, int failures, double chance)
{
    constexpr qint64 longestMs = 120'000;
    const int doublings = std::clamp(failures, 0, 10);
    const qint64 base = std::max(intervalMs, std::min(intervalMs << doublings, longestMs));
    return base + qint64(double(base) / 10 * std::clamp(chance, 0.0, 1.0));
}

qint64 wordWithinMs(qint64 leastMs, qint64 intervalMs)
{
    constexpr qint64 answerMs = 5'000;
    return std::max(leastMs, 2 * intervalMs + answerMs);
}

} // namespace platforms
