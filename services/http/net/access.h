// SPDX-License-Identifier: GPL-3.0-or-later
// Who may speak to us, and what for: tokens, and against pages in a browser the Host (DNS rebinding),
// Origin and Sec-Fetch-Site headers.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <optional>

namespace http {

using namespace core;

/// What a token may be used for. Each includes those before it.
enum class Scope : quint8 { read, run, admin };
[[nodiscard]] QString scopeName(Scope scope); ///< `read`
[[nodiscard]] std::optional<Scope> scopeFromName(QStringView name);

/// A token as it is kept: never itself, only its hash.
struct TokenRecord
{
    QString name; ///< unique; `owner` is the one of the data directory's token file
    Scope scope = Scope::read;
    QByteArray sha256; ///< of the token, 32 bytes
    qint64 createdTime = 0;
    std::optional<qint64> expiryTime;

    bool operator==(const TokenRecord&) const = default;
};
/// The name of the token in the data directory, whose scope is admin.
inline constexpr QStringView ownerToken = u"owner";
[[nodiscard]] QByteArray tokenHash(QByteArrayView token);

struct Caller
{
    QString name; ///< of the token
    Scope scope = Scope::read;
};

class Access
{
public:
    /// `names` are host names that a client may use for us beside localhost; addresses other than loopback are accepted once we
    /// listen `beyondLoopback`: an address cannot be rebound.
    Access(QList<TokenRecord> tokens, QStringList names, bool beyondLoopback, bool tls);

    [[nodiscard]] const QList<TokenRecord>& tokens() const { return m_tokens; }
    void setTokens(QList<TokenRecord> tokens) { m_tokens = std::move(tokens); }

    /// The value of the one Host header: `name`, `name:port`, `[::1]:port`.
    [[nodiscard]] bool acceptsHost(QByteArrayView host) const;
    /// An Origin that is the address the request was sent to.
    [[nodiscard]] bool acceptsOrigin(QByteArrayView origin, QByteArrayView host) const;
    /// The value of Sec-Fetch-Site, with which browsers say where a request comes from that has no Origin (an image, a link): of
    /// our own address, or of a person who typed it.
    [[nodiscard]] static bool acceptsSite(QByteArrayView site);
    /// Of `Bearer TOKEN`; nothing for a token that is unknown or has expired. Takes the same time whatever is wrong.
    [[nodiscard]] std::optional<Caller> caller(QByteArrayView authorization, qint64 nowMs) const;

private:
    QList<TokenRecord> m_tokens;
    QStringList m_names;
    bool m_beyondLoopback = false;
    bool m_tls = false;
};

} // namespace http
