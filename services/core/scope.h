// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "task.h"

#include <QObject>
#include <functional>
#include <stop_token>

namespace core {

/// Owner of running coroutines. Dropping a task does not stop it, so whoever starts one without awaiting it does so here, and
/// awaits drain() before anything that the coroutine uses is destroyed. Lives on one thread; no method is thread-safe.
class Scope
{
public:
    Scope();
    ~Scope(); ///< asserts that nothing runs any more
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    /// Starts `body` now. The callable, with its captures, is kept alive until the coroutine ends.
    void spawn(std::function<Task<>()> body);

    [[nodiscard]] std::stop_token stopToken() const;
    [[nodiscard]] int running() const { return m_running; }
    void requestStop();
    /// Requests the stop and waits for all. False when `deadlineMs` (real time) passed first.
    [[nodiscard]] Task<bool> drain(int deadlineMs = 10'000);

private:
    class Signal;
    Task<> hold(std::shared_ptr<std::function<Task<>()>> body);

    std::stop_source m_stop;
    std::unique_ptr<Signal> m_idle;
    int m_running = 0;
};

} // namespace core
