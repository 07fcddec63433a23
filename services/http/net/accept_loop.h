// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "link.h"

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>
#include <memory>

namespace http {

/// Accepts connections until it is destroyed. Without a free descriptor it tries again after 100 ms.
template <typename AcceptorType>
class AcceptLoop
{
public:
    using SocketType = typename AcceptorType::protocol_type::socket::template rebind_executor<Executor>::other;

    /// `acceptor` listens already. `accepted` is called on the acceptor's executor; `failed` when there is no room for one more.
    AcceptLoop(AcceptorType acceptor, std::function<void(SocketType)> accepted, std::function<void(error_code)> failed)
        : m_acceptor(std::move(acceptor))
        , m_retry(m_acceptor.get_executor())
        , m_accepted(std::move(accepted))
        , m_failed(std::move(failed))
    {
        next();
    }

    [[nodiscard]] const AcceptorType& acceptor() const { return m_acceptor; }

private:
    void next()
    {
        m_acceptor.async_accept([this, alive = std::weak_ptr(m_alive)](error_code ec, SocketType socket) {
            if (alive.expired() || ec == net::error::operation_aborted)
                return; // destroyed, perhaps while this was queued
            if (!ec) {
                m_accepted(std::move(socket));
                next();
                return;
            }
            m_failed(ec);
            m_retry.expires_after(std::chrono::milliseconds(100));
            m_retry.async_wait([this, alive](error_code cancelled) {
                if (!cancelled && !alive.expired())
                    next();
            });
        });
    }

    AcceptorType m_acceptor;
    net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>, Executor> m_retry;
    std::function<void(SocketType)> m_accepted;
    std::function<void(error_code)> m_failed;
    const std::shared_ptr<bool> m_alive =
        std::make_shared<bool>(); ///< handlers that are queued already are called all the same
};

} // namespace http
