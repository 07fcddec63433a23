// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/one_shot.h"
#include "services/core/records.h"
#include "services/core/task.h"

#include <QObject>

#include <deque>
#include <map>

namespace engine {

using namespace core;

/// Serialises commands that wait: those of one platform run one after the other, in the order in which they asked for their turn;
/// those of different platforms run beside each other. Service thread only; outlives every Turn.
class CommandQueue
{
public:
    /// Held by the command that runs. Its end lets the next command of the same platform run, in a later turn of the event loop,
    /// so that this one is answered first.
    class [[nodiscard]] Turn
    {
    public:
        Turn(CommandQueue* queue, PlatformId id);
        ~Turn();
        Turn(Turn&& other) noexcept;
        Turn& operator=(Turn&&) = delete;

    private:
        CommandQueue* m_queue;
        PlatformId m_id;
    };

    /// Resolves when every earlier command of that platform has ended, at once when there is none. A command that holds a turn
    /// must not ask for another one of the same platform.
    [[nodiscard]] Task<Turn> turn(PlatformId id);

private:
    void next(const PlatformId& id);

    std::map<PlatformId, std::deque<OneShot<bool>>>
        m_waiting;     ///< an entry exists as long as a command of the platform runs
    QObject m_context; ///< of calls in a later turn of the event loop
};

} // namespace engine
