// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "task.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <map>
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

    /// Starts `body` now. The callable, with its captures, is kept alive until the coroutine ends. `file` and `line` are the
    /// caller's; std::source_location would do, but clang 14 lacks what libstdc++ makes it of.
    void spawn(std::function<Task<>()> body, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE());

    [[nodiscard]] std::stop_token stopToken() const;
    [[nodiscard]] int running() const { return m_running; }
    /// Where what still runs was started, `file:line (n times)`, for the log of an ending that takes too long.
    [[nodiscard]] QStringList origins() const;
    void requestStop();
    /// Requests the stop and waits for all. False when `deadlineMs` (real time) passed first.
    [[nodiscard]] Task<bool> drain(int deadlineMs = 10'000);

private:
    class Signal;
    using Origin = std::pair<const char*, unsigned>; ///< file and line
    Task<> hold(std::shared_ptr<std::function<Task<>()>> body, Origin origin);

    std::stop_source m_stop;
    std::unique_ptr<Signal> m_idle;
    std::map<Origin, int> m_origins;
    int m_running = 0;
};

} // namespace core
