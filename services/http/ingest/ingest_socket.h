// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"

#include <utility>

namespace http {

using namespace core;

/// A bound, listening socket. It is bound before the engine opens, because the environment of trials contains its port. Connections made before the
/// server accepts stay in the backlog.
class IngestSocket
{
public:
    /// `address`: one of this computer's, or localhost; port 0: a free one. Kind::conflict: the port is taken; Kind::invalid: it is no address.
    [[nodiscard]] static Result<IngestSocket> bind(const QString& address, quint16 port);

    IngestSocket(IngestSocket&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
        , m_port(other.m_port)
        , m_isSix(other.m_isSix)
        , m_isLoopback(other.m_isLoopback)
    {
    }
    IngestSocket& operator=(IngestSocket&&) = delete;
    ~IngestSocket();

    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] bool isLoopback() const { return m_isLoopback; }
    [[nodiscard]] bool isSix() const { return m_isSix; } ///< IPv6
    /// The descriptor, which is the caller's from now on.
    [[nodiscard]] int release() { return std::exchange(m_fd, -1); }

private:
    IngestSocket() = default;

    int m_fd = -1;
    quint16 m_port = 0;
    bool m_isSix = false;
    bool m_isLoopback = false;
};

/// How trials reach the socket without a name of their own for it: its address, or, where it is bound to all of them, the name of this host.
[[nodiscard]] QString ingestUrl(const QString& address, quint16 port, bool tls);

} // namespace http
