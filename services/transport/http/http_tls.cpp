// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_tls.h"

#include <QCryptographicHash>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

std::optional<QSslKey> readKey(const QByteArray& pem, const QByteArray& passphrase)
{
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        QSslKey key(pem, algorithm, QSsl::Pem, QSsl::PrivateKey, passphrase);
        if (!key.isNull())
            return key;
    }
    return std::nullopt;
}

/// 32 bytes of `AB:CD…`, or nothing.
std::optional<QByteArray> readFingerprint(QByteArray text)
{
    text = text.trimmed();
    text.replace(':', "");
    const QByteArray bytes = QByteArray::fromHex(text);
    if (bytes.size() != 32 || text.size() != 64)
        return std::nullopt;
    return bytes;
}

QByteArray fingerprintOf(const QSslCertificate& certificate)
{
    return certificate.digest(QCryptographicHash::Sha256);
}

} // namespace

Result<HttpTls> HttpTls::make(const TlsSettings& settings)
{
    HttpTls tls;
    QSslConfiguration common = QSslConfiguration::defaultConfiguration();
    common.setProtocol(QSsl::TlsV1_2OrLater);
    common.setPeerVerifyMode(QSslSocket::VerifyPeer);
    common.setAllowedNextProtocols({"http/1.1"});
    if (!settings.authorities.isEmpty()) {
        const QList<QSslCertificate> authorities = QSslCertificate::fromData(settings.authorities, QSsl::Pem);
        if (authorities.isEmpty())
            return fail(Kind::invalid, u"The certificate of the authority cannot be read: it must be PEM text."_m);
        common.setCaCertificates(authorities);
    }
    tls.m_foreign = common;
    tls.m_own = common;
    if (settings.certificate.isEmpty() != settings.key.isEmpty())
        return fail(Kind::invalid, u"A client certificate needs its key, and a key its certificate."_m);
    if (!settings.certificate.isEmpty()) {
        const QList<QSslCertificate> chain = QSslCertificate::fromData(settings.certificate, QSsl::Pem);
        const std::optional<QSslKey> key = readKey(settings.key, settings.passphrase);
        if (chain.isEmpty())
            return fail(Kind::invalid, u"The client certificate cannot be read: it must be PEM text."_m);
        if (!key)
            return fail(Kind::invalid,
                u"The key of the client certificate cannot be read: it must be a PEM text of an RSA or EC key, and its "
                "passphrase right."_m);
        tls.m_own.setLocalCertificateChain(chain);
        tls.m_own.setPrivateKey(*key);
    }
    if (!settings.fingerprint.isEmpty()) {
        const std::optional<QByteArray> fingerprint = readFingerprint(settings.fingerprint);
        if (!fingerprint)
            return fail(Kind::invalid, u"The fingerprint must be 64 hexadecimal digits: SHA-256 of the certificate."_m);
        tls.m_fingerprint = *fingerprint;
    }
    tls.m_serverName = settings.serverName;
    tls.m_isInsecure = settings.isInsecure;
    return tls;
}

void HttpTls::prepare(QSslSocket& socket, bool isOwn, bool offersHttp2) const
{
    QSslConfiguration configuration = isOwn ? m_own : m_foreign;
    if (offersHttp2)
        configuration.setAllowedNextProtocols({"h2", "http/1.1"});
    socket.setSslConfiguration(configuration);
    if (!isOwn || (m_fingerprint.isEmpty() && !m_isInsecure))
        return;
    QObject::connect(
        &socket, &QSslSocket::sslErrors, &socket, [&socket, fingerprint = m_fingerprint](const QList<QSslError>&) {
            if (fingerprint.isEmpty() || fingerprintOf(socket.peerCertificate()) == fingerprint)
                socket.ignoreSslErrors();
        });
}

QString HttpTls::peerName(const QString& host, bool isOwn) const
{
    return isOwn && !m_serverName.isEmpty() ? m_serverName : host;
}

bool HttpTls::isExpected(const QSslSocket& socket, bool isOwn) const
{
    return !isOwn || m_fingerprint.isEmpty() || fingerprintOf(socket.peerCertificate()) == m_fingerprint;
}

} // namespace transport
