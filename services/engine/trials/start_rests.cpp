// SPDX-License-Identifier: GPL-3.0-or-later
#include "start_rests.h"

#include <algorithm>
#include <array>

namespace engine {

/// The last one goes on: half a minute is soon enough to notice that somebody made room.
static constexpr std::array<qint64, 5> delays = {1'000, 2'000, 5'000, 10'000, 30'000};

void StartRests::failed(const Place& place, const QString& why, qint64 now)
{
    Rest& rest = m_rests[place];
    rest.why = why;
    if (now < rest.until)
        return;
    rest.until = now + delays[size_t(std::min<int>(rest.failures, int(delays.size()) - 1))];
    ++rest.failures;
}

void StartRests::over(const Place& place)
{
    m_rests.remove(place);
}

void StartRests::over(const PlatformId& platform)
{
    erase_if(m_rests, [&](const auto& rest) { return rest.key().platform == platform; });
}

std::optional<QString> StartRests::whyResting(const Place& place, qint64 now) const
{
    const auto rest = m_rests.constFind(place);
    return rest != m_rests.cend() && now < rest->until ? std::optional(rest->why) : std::nullopt;
}

std::optional<qint64> StartRests::nextEnd(qint64 now) const
{
    std::optional<qint64> next;
    for (const Rest& rest : m_rests)
        if (now < rest.until && (!next || rest.until < *next))
            next = rest.until;
    return next;
}

} // namespace engine
