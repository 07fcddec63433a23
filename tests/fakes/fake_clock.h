// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/clock.h"

#include <map>
#include <memory>

namespace fakes {

/// Time that stands still until the test moves it. Callbacks run inside advance(), in the order of their due time.
class FakeClock : public core::Clock
{
public:
    explicit FakeClock(qint64 nowMs = 1'750'000'000'000);

    [[nodiscard]] qint64 nowMs() const override { return m_now; }
    [[nodiscard]] qint64 steadyMs() const override { return m_steady; }
    [[nodiscard]] std::unique_ptr<core::TimerHandle> after(qint64 delayMs, std::function<void()> callback) override;

    /// Moves both clocks on and runs what comes due, also what callbacks add on the way.
    void advance(qint64 ms);
    /// Moves the wall clock alone, as a person or NTP does.
    void jump(qint64 ms) { m_now += ms; }
    [[nodiscard]] int pending() const { return int(m_timers->size()); }

private:
    using Timers = std::multimap<qint64, std::shared_ptr<std::function<void()>>>;
    class Handle;

    qint64 m_now;
    qint64 m_steady = 1'000'000;
    std::shared_ptr<Timers> m_timers = std::make_shared<Timers>();
};

} // namespace fakes
