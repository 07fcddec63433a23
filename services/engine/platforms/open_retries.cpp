// SPDX-License-Identifier: GPL-3.0-or-later
#include "open_retries.h"

#include <algorithm>

namespace engine {

std::optional<qint64> OpenRetries::failed(const PlatformId& id, Kind kind, double random)
{
    if (kind == Kind::invalid || kind == Kind::cancelled) {
        over(id);
        return std::nullopt;
    }
    constexpr qint64 firstMs = 5'000;
    constexpr qint64 lastMs = 300'000;
    int& failures = m_failures[id];
    const qint64 delay = std::min(firstMs << failures, lastMs);
    failures = std::min(failures + 1, 10);
    return std::clamp(qint64(double(delay) * (0.8 + 0.4 * random)), firstMs, lastMs);
}

} // namespace engine
