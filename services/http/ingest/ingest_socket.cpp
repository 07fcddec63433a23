// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest_socket.h"

#include <QUrl>

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace http {

namespace {

union AnyAddress {
    sockaddr any;
    sockaddr_in four;
    sockaddr_in6 six;
};

/// IPv4 or IPv6 in figures; the length of the structure, or 0.
socklen_t parseAddress(const QString& text, quint16 port, AnyAddress& out)
{
    const QByteArray name = text == u"localhost" ? QByteArray("127.0.0.1") : text.toLatin1();
    std::memset(&out, 0, sizeof out);
    if (::inet_pton(AF_INET, name.constData(), &out.four.sin_addr) == 1) {
        out.four.sin_family = AF_INET;
        out.four.sin_port = htons(port);
        return sizeof out.four;
    }
    if (::inet_pton(AF_INET6, name.constData(), &out.six.sin6_addr) == 1) {
        out.six.sin6_family = AF_INET6;
        out.six.sin6_port = htons(port);
        return sizeof out.six;
    }
    return 0;
}

} // namespace

IngestSocket::~IngestSocket()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

Result<IngestSocket> IngestSocket::bind(const QString& address, quint16 port)
{
    AnyAddress wanted;
    const socklen_t size = parseAddress(address, port, wanted);
    if (size == 0)
        return fail(Kind::invalid,
            u"\"%1\" is not an address to listen on; give one of this computer's addresses, such as 127.0.0.1 or 0.0.0.0."_m
                .arg(address));
    IngestSocket out;
    out.m_isSix = wanted.any.sa_family == AF_INET6;
    out.m_isLoopback =
        out.m_isSix ? IN6_IS_ADDR_LOOPBACK(&wanted.six.sin6_addr) : (ntohl(wanted.four.sin_addr.s_addr) >> 24) == 127;
    out.m_fd = ::socket(wanted.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int one = 1;
    AnyAddress bound;
    socklen_t boundSize = sizeof bound;
    const bool isBound = out.m_fd >= 0 && ::setsockopt(out.m_fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0
        && ::bind(out.m_fd, &wanted.any, size) == 0 && ::listen(out.m_fd, SOMAXCONN) == 0
        && ::getsockname(out.m_fd, &bound.any, &boundSize) == 0;
    if (!isBound) {
        const int error = errno;
        const QString where = address + u':' + QString::number(port);
        if (error == EADDRINUSE)
            return fail(Kind::conflict,
                u"The address %1 is in use by another program; choose another port, or 0 for a free one."_m.arg(where));
        return fail(Kind::resource, u"It is not possible to listen on %1: %2."_m.arg(where, qt_error_string(error)));
    }
    out.m_port = ntohs(out.m_isSix ? bound.six.sin6_port : bound.four.sin_port);
    return out;
}

QString ingestUrl(const QString& address, quint16 port, bool tls)
{
    QUrl url;
    url.setScheme(tls ? u"https"_s : u"http"_s);
    if (address == u"0.0.0.0" || address == u"::") {
        char name[256] = {};
        ::gethostname(name, sizeof name - 1);
        url.setHost(QString::fromLocal8Bit(name));
    } else {
        url.setHost(address == u"localhost" ? u"127.0.0.1"_s : address);
    }
    url.setPort(port);
    return url.toString(QUrl::StripTrailingSlash);
}

} // namespace http
