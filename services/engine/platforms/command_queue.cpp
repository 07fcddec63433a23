// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_queue.h"

namespace engine {

CommandQueue::Turn::Turn(CommandQueue* queue, PlatformId id)
    : m_queue(queue)
    , m_id(std::move(id))
{
}

CommandQueue::Turn::Turn(Turn&& other) noexcept
    : m_queue(std::exchange(other.m_queue, nullptr))
    , m_id(std::move(other.m_id))
{
}

CommandQueue::Turn::~Turn()
{
    if (m_queue)
        m_queue->next(m_id);
}

Task<CommandQueue::Turn> CommandQueue::turn(PlatformId id)
{
    const auto [running, isFree] = m_waiting.try_emplace(id);
    if (!isFree) {
        OneShot<bool> shot;
        running->second.push_back(shot);
        co_await shot.wait();
    }
    co_return Turn(this, id);
}

void CommandQueue::next(const PlatformId& id)
{
    const auto running = m_waiting.find(id);
    Q_ASSERT(running != m_waiting.end());
    if (running->second.empty()) {
        m_waiting.erase(running);
        return;
    }
    OneShot<bool> shot = running->second.front();
    running->second.pop_front();
    QMetaObject::invokeMethod(
        &m_context, [shot]() mutable { shot.set(true); }, Qt::QueuedConnection);
}

} // namespace engine
