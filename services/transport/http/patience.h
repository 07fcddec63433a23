// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/clock.h"
#include "services/core/one_shot.h"
#include "services/core/result.h"
#include "services/core/task.h"

#include <limits>
#include <stop_token>

namespace transport {

using namespace core;

inline constexpr qint64 never = std::numeric_limits<qint64>::max();

/// How long an operation on a network may take.
struct Patience
{
    std::stop_token stop;
    qint64 endMs = never; ///< of Clock::steadyMs()
    int silenceMs = 0;    ///< without progress; 0: any time

    /// When waiting that begins now ends.
    [[nodiscard]] qint64 until(const Clock& clock) const
    {
        return silenceMs > 0 ? std::min(endMs, clock.steadyMs() + silenceMs) : endMs;
    }
};

/// Waits for `shot`; sets it to `late` at `untilMs` of the steady clock, and to `stopped` when the stop is requested.
template <typename T>
[[nodiscard]] Task<T> patiently(OneShot<T> shot, Clock* clock, qint64 untilMs, std::stop_token stop, T late, T stopped)
{
    std::unique_ptr<TimerHandle> timer;
    if (untilMs != never)
        timer = clock->after(untilMs - clock->steadyMs(), [shot, late]() mutable { shot.set(late); });
    const std::stop_callback stopping(stop, [shot, stopped]() mutable { shot.set(stopped); });
    T value = co_await shot.wait();
    timer.reset();
    co_return value;
}

/// True after `delayMs`; false when the stop was requested before.
[[nodiscard]] inline Task<bool> pause(Clock* clock, qint64 delayMs, std::stop_token stop)
{
    const OneShot<bool> shot;
    auto waiting = patiently(shot, clock, clock->steadyMs() + delayMs, stop, true, false);
    co_return co_await waiting;
}

/// Stops when either of two stops is requested, or by itself.
class JoinedStop
{
    struct Pass
    {
        std::stop_source source;
        void operator()() const
        {
            std::stop_source kept = source; // what is stopped may destroy this object
            kept.request_stop();
        }
    };

public:
    JoinedStop(const std::stop_token& one, const std::stop_token& other)
        : m_one(one, Pass{m_source})
        , m_other(other, Pass{m_source})
    {
    }
    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    void request() { Pass{m_source}(); }

private:
    std::stop_source m_source;
    std::stop_callback<Pass> m_one;
    std::stop_callback<Pass> m_other;
};

[[nodiscard]] inline Error cancelledError()
{
    return {Kind::cancelled, u"The request was cancelled."_m, {}};
}

} // namespace transport
