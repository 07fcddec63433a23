// SPDX-License-Identifier: GPL-3.0-or-later
#include "access.h"

#include <QCryptographicHash>

#include <arpa/inet.h>

namespace http {

static QByteArray hashOf(QByteArrayView token)
{
    return QCryptographicHash::hash(token, QCryptographicHash::Sha256);
}

Access::Access(QByteArray token, QStringList names, bool beyondLoopback, bool tls)
    : m_tokenHash(hashOf(token))
    , m_hasToken(!token.isEmpty())
    , m_names(std::move(names))
    , m_beyondLoopback(beyondLoopback)
    , m_tls(tls)
{
}

bool Access::acceptsHost(QByteArrayView host) const
{
    QByteArray name;
    QByteArrayView port;
    if (host.startsWith('[')) {
        const qsizetype close = host.indexOf(']');
        if (close < 0)
            return false;
        name = host.sliced(1, close - 1).toByteArray();
        port = host.sliced(close + 1);
    } else {
        const qsizetype colon = host.indexOf(':');
        name = (colon < 0 ? host : host.first(colon)).toByteArray().toLower();
        port = colon < 0 ? QByteArrayView() : host.sliced(colon);
    }
    if (!port.isEmpty()) {
        bool good = false;
        port.sliced(1).toByteArray().toUShort(&good);
        if (port.front() != ':' || !good)
            return false;
    }

    in_addr four{};
    in6_addr six{};
    if (inet_pton(AF_INET, name.constData(), &four) == 1)
        return m_beyondLoopback || (ntohl(four.s_addr) >> 24) == 127;
    if (inet_pton(AF_INET6, name.constData(), &six) == 1)
        return m_beyondLoopback || IN6_IS_ADDR_LOOPBACK(&six);
    if (name == "localhost")
        return true;
    return m_names.contains(QString::fromLatin1(name), Qt::CaseInsensitive);
}

bool Access::acceptsOrigin(QByteArrayView origin, QByteArrayView host) const
{
    const QByteArray own = QByteArray(m_tls ? "https://" : "http://") + host.toByteArray();
    return origin.toByteArray().compare(own, Qt::CaseInsensitive) == 0;
}

bool Access::acceptsAuthorization(QByteArrayView authorization) const
{
    constexpr QByteArrayView scheme = "bearer ";
    bool good = m_hasToken && authorization.size() > scheme.size()
        && authorization.first(scheme.size()).compare(scheme, Qt::CaseInsensitive) == 0;
    // Hashes have one length and say nothing of the token's bytes: comparing them byte by byte leaks nothing.
    const QByteArray hash = hashOf(good ? authorization.sliced(scheme.size()).trimmed() : QByteArrayView());
    uchar difference = 0;
    for (qsizetype i = 0; i < hash.size(); ++i)
        difference |= uchar(hash[i]) ^ uchar(m_tokenHash[i]);
    return good && difference == 0;
}

} // namespace http
