// SPDX-License-Identifier: GPL-3.0-or-later
#include "start_backoff.h"

#include <algorithm>
#include <array>

namespace engine {

/// The last one repeats: half a minute is soon enough to notice that there is room again.
static constexpr std::array<qint64, 5> delays = {1'000, 2'000, 5'000, 10'000, 30'000};
/// Of a Retry-After, which comes from outside.
static constexpr qint64 longestAsked = 3'600'000;

void StartBackoff::failed(const Place& place, const Message& why, qint64 now, qint64 atLeastMs)
{
    Rest& rest = m_backoff[place];
    rest.why = why;
    const qint64 asked = now + std::clamp<qint64>(atLeastMs, 0, longestAsked);
    if (now < rest.until) {
        rest.until = std::max(rest.until, asked);
        return;
    }
    const qint64 delay = delays[size_t(std::min<int>(rest.failures, int(delays.size()) - 1))];
    rest.until = std::max(now + delay, asked);
    ++rest.failures;
}

void StartBackoff::over(const Place& place)
{
    m_backoff.remove(place);
}

void StartBackoff::over(const PlatformId& platform, const MachineId& machine)
{
    erase_if(
        m_backoff, [&](const auto& rest) { return rest.key().platform == platform && rest.key().machine == machine; });
}

void StartBackoff::over(const PlatformId& platform)
{
    erase_if(m_backoff, [&](const auto& rest) { return rest.key().platform == platform; });
}

std::optional<core::Message> StartBackoff::whyResting(const Place& place, qint64 now) const
{
    const auto rest = m_backoff.constFind(place);
    return rest != m_backoff.cend() && now < rest->until ? std::optional(rest->why) : std::nullopt;
}

std::optional<qint64> StartBackoff::nextEnd(qint64 now) const
{
    std::optional<qint64> next;
    for (const Rest& rest : m_backoff)
        if (now < rest.until && (!next || rest.until < *next))
            next = rest.until;
    return next;
}

} // namespace engine
