// SPDX-License-Identifier: GPL-3.0-or-later
// Time as a thing that is passed in, so that tests own it.
#pragma once

#include <QtGlobal>
#include <functional>
#include <memory>

namespace core {

/// A pending call; destroying it cancels the call.
class TimerHandle
{
public:
    virtual ~TimerHandle() = default;
};

/// Used on one thread; callbacks come on that thread, never from inside after().
class Clock
{
public:
    virtual ~Clock() = default;
    /// Wall clock, milliseconds since the epoch. May jump; for what people read, never for measuring.
    [[nodiscard]] virtual qint64 nowMs() const = 0;
    /// Milliseconds that never jump; from an arbitrary start.
    [[nodiscard]] virtual qint64 steadyMs() const = 0;
    /// Calls `callback` once, `delayMs` from now.
    [[nodiscard]] virtual std::unique_ptr<TimerHandle> after(qint64 delayMs, std::function<void()> callback) = 0;
};

class SystemClock : public Clock
{
public:
    [[nodiscard]] qint64 nowMs() const override;
    [[nodiscard]] qint64 steadyMs() const override;
    [[nodiscard]] std::unique_ptr<TimerHandle> after(qint64 delayMs, std::function<void()> callback) override;
};

} // namespace core
