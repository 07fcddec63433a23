// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_certificates.h"

#include <QCryptographicHash>
#include <QFile>
#include <QProcess>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>

using namespace Qt::StringLiterals;

bool TestCertificates::run(const QStringList& arguments) const
{
    QProcess openssl;
    openssl.setWorkingDirectory(m_folder.path());
    openssl.start(u"openssl"_s, arguments);
    return openssl.waitForFinished() && openssl.exitStatus() == QProcess::NormalExit && openssl.exitCode() == 0;
}

bool TestCertificates::make()
{
    const QStringList newKey = {u"-newkey"_s, u"ec"_s, u"-pkeyopt"_s, u"ec_paramgen_curve:prime256v1"_s, u"-nodes"_s};
    const auto pair = [&](const QString& name, const QStringList& more) {
        return run(QStringList{u"req"_s, u"-x509"_s, u"-days"_s, u"2"_s, u"-subj"_s, u"/CN="_s + name, u"-keyout"_s,
                       name + u".key"_s, u"-out"_s, name + u".pem"_s}
            + newKey + more);
    };
    const QStringList signedByUs = {
        u"-CA"_s, u"ca.pem"_s, u"-CAkey"_s, u"ca.key"_s, u"-addext"_s, u"basicConstraints=critical,CA:FALSE"_s};
    if (pair(u"ca"_s, {})
        && pair(u"server"_s, signedByUs + QStringList{u"-addext"_s, u"subjectAltName=IP:127.0.0.1,DNS:localhost"_s}))
        return pair(u"client"_s, signedByUs);
    return false;
}

QByteArray TestCertificates::file(const QString& name) const
{
    QFile file(m_folder.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QSslConfiguration TestCertificates::server(bool wantsClient) const
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setLocalCertificate(QSslCertificate(file(u"server.pem"_s)));
    configuration.setPrivateKey(QSslKey(file(u"server.key"_s), QSsl::Ec));
    configuration.setCaCertificates({QSslCertificate(file(u"ca.pem"_s))});
    configuration.setPeerVerifyMode(wantsClient ? QSslSocket::VerifyPeer : QSslSocket::VerifyNone);
    return configuration;
}

QByteArray TestCertificates::fingerprint() const
{
    return QSslCertificate(file(u"server.pem"_s)).digest(QCryptographicHash::Sha256).toHex();
}
