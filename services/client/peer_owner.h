// SPDX-License-Identifier: GPL-3.0-or-later
// Whose program is at the other end of a connection within this computer. A port says nothing of it: when a service ends, anyone may
// listen on its port.
#pragma once

#include <QByteArray>
#include <QSet>
#include <QString>

#include <optional>

namespace client {

/// One end of a TCP connection.
struct SocketEnd
{
    QByteArray ip; ///< as inet_ntop writes it: `127.0.0.1`, `::1`
    quint16 port = 0;
};

/// The users who may hold the other end (`server`) of the connection from `client`, by their number; empty when it is not known.
/// `tables` are the texts of /proc/net/tcp and /proc/net/tcp6 (Documentation/networking/proc_net_tcp.rst of Linux), read after the
/// connection was made. As long as nothing has accepted it, it may be accepted by any listener of that port. Pure.
[[nodiscard]] QSet<uint> ownersOfConnection(const QByteArray& tables, const SocketEnd& server, const SocketEnd& client);

/// Reads the tables of this computer.
[[nodiscard]] QByteArray connectionTables();

/// The user who holds the other end of a connected Unix socket, as the kernel noted when it began to listen.
[[nodiscard]] std::optional<uint> ownerOfUnixPeer(int descriptor);

/// 127.0.0.0/8, ::1 and `localhost`.
[[nodiscard]] bool isLoopback(const QString& host);

} // namespace client
