// SPDX-License-Identifier: GPL-3.0-or-later
// Certificates of an authority that a test makes for itself with the program openssl.
#pragma once

#include <QByteArray>
#include <QSslConfiguration>
#include <QTemporaryDir>

class TestCertificates
{
public:
    /// False when there is no openssl.
    [[nodiscard]] bool make();

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] QByteArray file(
        const QString& name) const; ///< `ca.pem`, `server.pem`, `server.key`, `client.pem`, `client.key`
    /// Of a server for 127.0.0.1 and localhost. `wantsClient`: it refuses clients without a certificate of the authority.
    [[nodiscard]] QSslConfiguration server(bool wantsClient = false) const;
    /// SHA-256 of the server's certificate, hexadecimal.
    [[nodiscard]] QByteArray fingerprint() const;

private:
    [[nodiscard]] bool run(const QStringList& arguments) const;
    QTemporaryDir m_folder;
};
