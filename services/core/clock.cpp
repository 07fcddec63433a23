// SPDX-License-Identifier: GPL-3.0-or-later
#include "clock.h"

#include <QDateTime>
#include <QTimer>

#include <chrono>

namespace core {

namespace {

class QtTimerHandle : public TimerHandle
{
public:
    QtTimerHandle(qint64 delayMs, std::function<void()> callback)
    {
        m_timer.setSingleShot(true);
        m_timer.setTimerType(delayMs < 2'000 ? Qt::PreciseTimer : Qt::CoarseTimer);
        // Moved out before the call: the callback may destroy this handle.
        m_timer.callOnTimeout([callback = std::move(callback)]() mutable {
            auto call = std::move(callback);
            call();
        });
        m_timer.start(std::chrono::milliseconds(std::max<qint64>(0, delayMs)));
    }

private:
    QTimer m_timer;
};

} // namespace

qint64 SystemClock::nowMs() const
{
    return QDateTime::currentMSecsSinceEpoch();
}

qint64 SystemClock::steadyMs() const
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

std::unique_ptr<TimerHandle> SystemClock::after(qint64 delayMs, std::function<void()> callback)
{
    return std::make_unique<QtTimerHandle>(delayMs, std::move(callback));
}

} // namespace core
