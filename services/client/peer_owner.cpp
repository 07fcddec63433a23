// SPDX-License-Identifier: GPL-3.0-or-later
#include "peer_owner.h"

#include <QFile>
#include <QHostAddress>
#include <QList>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace client {

namespace {

constexpr int stateListen = 0x0a;

QByteArray hexWord(quint32 word)
{
    return QByteArray::number(word, 16).rightJustified(8, '0').toUpper();
}

/// How the tables write an address: words of memory as numbers; an IPv4 address also as IPv6 sockets see it.
QList<QByteArray> spellings(const QByteArray& ip)
{
    in_addr four{};
    if (inet_pton(AF_INET, ip.constData(), &four) == 1) {
        const quint32 mark = htonl(0xffff);
        return {hexWord(four.s_addr), QByteArray(16, '0') + hexWord(mark) + hexWord(four.s_addr)};
    }
    in6_addr six{};
    if (inet_pton(AF_INET6, ip.constData(), &six) != 1)
        return {};
    quint32 words[4];
    memcpy(words, &six, sizeof words);
    return {hexWord(words[0]) + hexWord(words[1]) + hexWord(words[2]) + hexWord(words[3])};
}

QByteArray portText(quint16 port)
{
    return QByteArray::number(port, 16).rightJustified(4, '0').toUpper();
}

bool isAny(const QByteArray& address)
{
    return address.count('0') == address.size();
}

} // namespace

QSet<uint> ownersOfConnection(const QByteArray& tables, const SocketEnd& server, const SocketEnd& client)
{
    const QList<QByteArray> servers = spellings(server.ip);
    const QList<QByteArray> clients = spellings(client.ip);
    const QByteArray serverPort = portText(server.port);
    const QByteArray clientPort = portText(client.port);
    QSet<uint> listeners;
    bool isWaiting = false;
    for (const QByteArray& line : tables.split('\n')) {
        // sl, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode
        const QList<QByteArray> cells = line.simplified().split(' ');
        if (cells.size() < 10)
            continue;
        const qsizetype localColon = cells[1].indexOf(':');
        const qsizetype remoteColon = cells[2].indexOf(':');
        if (localColon < 0 || remoteColon < 0 || cells[1].mid(localColon + 1) != serverPort)
            continue;
        const QByteArray local = cells[1].first(localColon);
        bool good = false;
        const uint uid = cells[7].toUInt(&good);
        if (!good)
            continue;
        if (cells[3].toInt(nullptr, 16) == stateListen) {
            if (servers.contains(local) || isAny(local))
                listeners.insert(uid);
            continue;
        }
        if (!servers.contains(local) || !clients.contains(cells[2].first(remoteColon))
            || cells[2].mid(remoteColon + 1) != clientPort)
            continue;
        if (cells[9] != "0")
            return {uid};
        isWaiting = true; // not accepted yet: no process has it
    }
    return isWaiting ? listeners : QSet<uint>();
}

QByteArray connectionTables()
{
    QByteArray tables;
    for (const QString& name : {u"/proc/net/tcp"_s, u"/proc/net/tcp6"_s}) {
        QFile file(name);
        if (file.open(QIODevice::ReadOnly))
            tables += file.readAll();
    }
    return tables;
}

std::optional<uint> ownerOfUnixPeer(int descriptor)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return std::nullopt;
    return uint(peer.uid);
}

bool isLoopback(const QString& host)
{
    return host == u"localhost" || QHostAddress(host).isLoopback();
}

} // namespace client
