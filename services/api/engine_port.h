// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "change.h"
#include "command.h"

#include <functional>

namespace api {

/// The engine as other threads see it: values in, values out. Both methods may be called from any thread.
class EnginePort
{
public:
    virtual ~EnginePort() = default;

    /// Executes on the service thread. `done` is called there, exactly once, after what must be durable is on disk; a caller
    /// from another thread posts the value home. Replies and changes keep their order: a change that a command caused is
    /// given to listeners before `done` of that command is called.
    virtual void execute(Command command, std::function<void(Result<Reply>)> done) = 0;

    /// `changed` is called on the service thread: first with the full state, then with each change. Returns a number for
    /// stopListening(), after which (once it returned, when called on the service thread; else soon) no call comes any more.
    virtual int listen(std::function<void(ChangePtr)> changed) = 0;
    virtual void stopListening(int listener) = 0;
};

} // namespace api
