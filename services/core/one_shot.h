// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <coroutine>
#include <memory>
#include <optional>

namespace core {

/// A value that comes later, once: one coroutine does `co_await shot.wait()`, something else on the same thread calls set(), which
/// goes on with that coroutine before it returns. Copies share the value. Whoever holds one must set it in the end: a coroutine
/// that waits for ever is never freed.
template <typename T>
class OneShot
{
    struct State
    {
        std::optional<T> value;
        std::coroutine_handle<> waiting;
    };

public:
    class Awaiter
    {
    public:
        explicit Awaiter(std::shared_ptr<State> state)
            : m_state(std::move(state))
        {
        }
        [[nodiscard]] bool await_ready() const noexcept { return m_state->value.has_value(); }
        void await_suspend(std::coroutine_handle<> handle) noexcept
        {
            Q_ASSERT_X(!m_state->waiting, "OneShot", "awaited twice");
            m_state->waiting = handle;
        }
        T await_resume() { return std::move(*m_state->value); }

    private:
        std::shared_ptr<State> m_state;
    };

    /// False, and nothing happens, when it was set before.
    bool set(T value)
    {
        const std::shared_ptr<State> state = m_state; // the awaiter may destroy this object
        if (state->value)
            return false;
        state->value.emplace(std::move(value));
        if (const auto waiting = std::exchange(state->waiting, {}))
            waiting.resume();
        return true;
    }
    [[nodiscard]] bool isSet() const { return m_state->value.has_value(); }
    [[nodiscard]] Awaiter wait() const { return Awaiter(m_state); }

private:
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

} // namespace core
