// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/// A free port of 127.0.0.1 that the system gives to nobody else meanwhile, for a server that sets SO_REUSEADDR. Until one listens there,
/// connections are refused.
class HeldPort
{
public:
    HeldPort()
    {
        const int yes = 1;
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof at;
        auto* const address = reinterpret_cast<sockaddr*>(&at);
        if (::setsockopt(m_socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
            && ::bind(m_socket, address, size) == 0 && ::getsockname(m_socket, address, &size) == 0)
            m_number = ntohs(at.sin_port);
    }
    ~HeldPort() { ::close(m_socket); }
    HeldPort(const HeldPort&) = delete;
    HeldPort& operator=(const HeldPort&) = delete;

    [[nodiscard]] int number() const { return m_number; } ///< 0: there is none

private:
    const int m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int m_number = 0;
};
