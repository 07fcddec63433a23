// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_places.h"

namespace engine {

QueuePlaces queuePlaces(const std::vector<qint64>& others, size_t before, size_t count)
{
    QueuePlaces places;
    if (before >= others.size()) {
        qint64 last = others.empty() ? 0 : others.back();
        for (size_t i = 0; i < count; ++i)
            places.moved.push_back(last += queueSpacing);
        return places;
    }
    qint64 low = before == 0 ? others.front() - queueSpacing * qint64(count + 1) : others[before - 1];
    const qint64 step = (others[before] - low) / qint64(count + 1);
    if (step > 0) {
        for (size_t i = 0; i < count; ++i)
            places.moved.push_back(low += step);
        return places;
    }
    for (size_t i = 0; i < count; ++i)
        places.moved.push_back(low += queueSpacing);
    for (size_t i = before; i < others.size() && others[i] <= low; ++i)
        places.pushed.emplace_back(i, low += queueSpacing);
    return places;
}

} // namespace engine
