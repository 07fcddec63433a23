// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_settings.h"

#include <QSslConfiguration>
#include <QSslError>

class QSslSocket;

namespace transport {

/// Whom a connection with TLS trusts and what it shows of us. Read once; a connection takes a copy.
class HttpTls
{
public:
    /// Kind::invalid when a certificate, key or fingerprint of the settings cannot be read.
    [[nodiscard]] static Result<HttpTls> make(const TlsSettings& settings);

    /// Prepares a socket and decides about its certificate when it comes. At `isOwn` origin, that of the base URL, everything of the
    /// settings holds; at another one, after a redirect, neither our certificate nor fingerprint, name and insecure do.
    void prepare(QSslSocket& socket, bool isOwn, bool offersHttp2) const;
    /// For QSslSocket::connectToHostEncrypted().
    [[nodiscard]] QString peerName(const QString& host, bool isOwn) const;
    /// After the handshake: whether the certificate is the one of the fingerprint, where one is set.
    [[nodiscard]] bool isExpected(const QSslSocket& socket, bool isOwn) const;

private:
    QSslConfiguration m_own;
    QSslConfiguration m_foreign;
    QByteArray m_fingerprint; ///< 32 bytes, or empty
    QString m_serverName;
    bool m_isInsecure = false;
};

} // namespace transport
