// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to a server: by TCP, or through a command of the person's.
#include "ssh_login.h"

#include "services/core/one_shot.h"
#include "services/transport/child_process.h"

#include <QNetworkProxy>
#include <QTcpSocket>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace transport {

Task<Result<int>> connectTcp(QString host, int port, int timeoutMs, Clock* clock)
{
    auto* socket = new QTcpSocket;
    OneShot<Result<int>> shot;
    QObject::connect(socket, &QTcpSocket::connected, socket, [socket, shot]() mutable {
        // Ours is a copy: Qt reads nothing from it, as its own is gone before the next turn of the loop.
        const int copy = ::fcntl(int(socket->socketDescriptor()), F_DUPFD_CLOEXEC, 3);
        const int error = errno;
        if (copy < 0) {
            shot.set(fail(Kind::resource, u"No more connections can be made: %1."_m.arg(qt_error_string(error))));
            return;
        }
        const int on = 1;
        ::setsockopt(copy, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        ::setsockopt(copy, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
        shot.set(copy);
    });
    QObject::connect(socket, &QAbstractSocket::errorOccurred, socket,
        [socket, host, port, shot](QAbstractSocket::SocketError error) mutable {
            Message message = u"%1 cannot be reached at port %2: %3."_m.arg(host).arg(port).arg(socket->errorString());
            if (error == QAbstractSocket::HostNotFoundError)
                message = u"No computer is known by the name %1."_m.arg(host);
            else if (error == QAbstractSocket::ConnectionRefusedError)
                message =
                    u"%1 refused the connection at port %2: no SSH server listens there. Start one on it, or correct "
                    u"the port."_m.arg(host)
                        .arg(port);
            shot.set(fail(Kind::network, message));
        });
    const auto deadline = clock->after(timeoutMs, [shot, host, port, timeoutMs]() mutable {
        shot.set(fail(Kind::timeout,
            u"%1 did not answer at port %2 within %3 seconds."_m.arg(host).arg(port).arg(timeoutMs / 1'000)));
    });
    socket->setProxy(QNetworkProxy::NoProxy);
    socket->connectToHost(host, quint16(port));
    const Result<int> connected = co_await shot.wait();
    socket->disconnect(socket);
    socket->abort();
    socket->deleteLater(); // this may run inside one of its signals
    co_return connected;
}

Result<int> startProxyCommand(const QString& command)
{
    std::array<int, 2> pair{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
        return fail(Kind::resource, u"The ProxyCommand cannot be started: %1."_m.arg(qt_error_string(errno)));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pair[1], 0);
    posix_spawn_file_actions_adddup2(&actions, pair[1], 1);
    const pid_t pid = spawnChild({"/bin/sh", "-c", "exec " + command.toLocal8Bit()}, actions);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pair[1]);
    if (pid < 0) {
        ::close(pair[0]);
        return fail(Kind::platform, u"The ProxyCommand cannot be started: %1."_m.arg(qt_error_string(-pid)));
    }
    reapChild(pid);
    return pair[0];
}

} // namespace transport
