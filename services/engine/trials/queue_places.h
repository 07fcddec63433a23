// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <utility>
#include <vector>

namespace engine {

/// Room left between two neighbours of the queue, so that a move touches only what moves.
inline constexpr qint64 queueSpacing = 1 << 20;

/// Places for `count` entries directly before `before` (an index into `others`; its size: at the end). `others` are the places of
/// everything that stays, ascending. `moved` are the new places; where there is no room between, `pushed` lists which of the
/// others move up, and where to. Pure.
struct QueuePlaces
{
    std::vector<qint64> moved;
    std::vector<std::pair<size_t, qint64>> pushed;
};
[[nodiscard]] QueuePlaces queuePlaces(const std::vector<qint64>& others, size_t before, size_t count);

} // namespace engine
