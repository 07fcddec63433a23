// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_clock.h"

namespace fakes {

class FakeClock::Handle : public core::TimerHandle
{
public:
    Handle(std::weak_ptr<Timers> timers, std::shared_ptr<std::function<void()>> callback)
        : m_timers(std::move(timers))
        , m_callback(std::move(callback))
    {
    }
    ~Handle() override
    {
        if (auto timers = m_timers.lock())
            std::erase_if(*timers, [this](const auto& entry) { return entry.second == m_callback; });
    }

private:
    std::weak_ptr<Timers> m_timers;
    std::shared_ptr<std::function<void()>> m_callback;
};

FakeClock::FakeClock(qint64 nowMs)
    : m_now(nowMs)
{
}

std::unique_ptr<core::TimerHandle> FakeClock::after(qint64 delayMs, std::function<void()> callback)
{
    auto shared = std::make_shared<std::function<void()>>(std::move(callback));
    m_timers->emplace(m_steady + std::max<qint64>(0, delayMs), shared);
    return std::make_unique<Handle>(m_timers, shared);
}

void FakeClock::advance(qint64 ms)
{
    const qint64 end = m_steady + ms;
    while (!m_timers->empty() && m_timers->begin()->first <= end) {
        const auto [due, callback] = *m_timers->begin();
        m_timers->erase(m_timers->begin());
        m_now += std::max<qint64>(0, due - m_steady);
        m_steady = std::max(m_steady, due);
        (*callback)();
    }
    m_now += end - m_steady;
    m_steady = end;
}

} // namespace fakes
