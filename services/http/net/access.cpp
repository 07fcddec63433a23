// SPDX-License-Identifier: GPL-3.0-or-later
#include "access.h"

#include "services/core/json_text.h"

#include <QCryptographicHash>

#include <algorithm>
#include <arpa/inet.h>

namespace http {

static constexpr QStringView scopeNames[] = {u"read", u"run", u"admin"};

QString scopeName(Scope scope)
{
    return scopeNames[size_t(scope)].toString();
}

std::optional<Scope> scopeFromName(QStringView name)
{
    for (const Scope scope : {Scope::read, Scope::run, Scope::admin})
        if (name == scopeNames[size_t(scope)])
            return scope;
    return std::nullopt;
}

QByteArray tokenHash(QByteArrayView token)
{
    return QCryptographicHash::hash(token, QCryptographicHash::Sha256);
}

Access::Access(QList<TokenRecord> tokens, QStringList names, bool beyondLoopback, bool tls)
    : m_tokens(std::move(tokens))
    , m_names(std::move(names))
    , m_beyondLoopback(beyondLoopback)
    , m_tls(tls)
{
}

bool Access::acceptsHost(QByteArrayView host) const
{
    // inet_pton() reads up to a NUL, toUShort() passes over blanks: what they accepted another reader could take for another name.
    if (std::any_of(host.begin(), host.end(), [](char c) { return uchar(c) <= ' ' || c == 0x7f; }))
        return false;
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
        if (port.front() != ':' || !good || !isDigit(port[1]))
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

bool Access::acceptsSite(QByteArrayView site)
{
    return site == "same-origin" || site == "none";
}

std::optional<Caller> Access::caller(QByteArrayView authorization, qint64 nowMs) const
{
    constexpr QByteArrayView scheme = "bearer ";
    const bool isBearer = authorization.size() > scheme.size()
        && authorization.first(scheme.size()).compare(scheme, Qt::CaseInsensitive) == 0;
    const QByteArrayView token = isBearer ? authorization.sliced(scheme.size()).trimmed() : QByteArrayView();
    // Hashes have one length and say nothing of the token's bytes: comparing them byte by byte leaks nothing.
    const QByteArray hash = tokenHash(token);
    const TokenRecord* known = nullptr;
    for (const TokenRecord& record : m_tokens) {
        uchar difference = record.sha256.size() == hash.size() ? 0 : 1;
        for (qsizetype i = 0; i < std::min(hash.size(), record.sha256.size()); ++i)
            difference |= uchar(hash[i]) ^ uchar(record.sha256[i]);
        if (difference == 0)
            known = &record;
    }
    if (token.isEmpty() || !known || (known->expiryTime && *known->expiryTime <= nowMs))
        return std::nullopt;
    return Caller{known->name, known->scope};
}

} // namespace http
