// SPDX-License-Identifier: GPL-3.0-or-later
// Which keys of hosts are known (known_hosts, sshd(8)). Pure: files come in as texts.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace transport {

/// A host's public key, as it travels.
struct HostKey
{
    QByteArray type; ///< `ssh-ed25519`
    QByteArray blob; ///< as in known_hosts, decoded

    bool operator==(const HostKey&) const = default;
};

/// `SHA256:…`, as OpenSSH prints it.
[[nodiscard]] QString fingerprintOf(const HostKey& key);

struct HostKeyVerdict
{
    enum class Kind {
        known,
        unknown,
        changed, ///< the host is known by another key; also by one of another type, which an impostor could choose
        revoked,
    };
    Kind kind = Kind::unknown;
    QString place;       ///< `FILE:LINE` of the entry that decided
    QString fingerprint; ///< of that entry
};

class KnownHosts
{
public:
    /// Files of more weight first: the first file that knows the host decides.
    void add(const QByteArray& text, const QString& file);

    [[nodiscard]] HostKeyVerdict check(const QString& host, int port, const HostKey& key) const;
    /// Types of the keys that are known of the host: what to ask it for, so that it proves what we can check.
    [[nodiscard]] QList<QByteArray> typesOf(const QString& host, int port) const;
    [[nodiscard]] qsizetype size() const { return m_entries.size(); }

private:
    struct Entry
    {
        QStringList patterns;
        QByteArray salt; ///< of a hashed name, with `hash`
        QByteArray hash;
        HostKey key;
        bool revoked = false;
        int file = 0;
        int line = 0;
    };
    [[nodiscard]] bool matches(const Entry& entry, const QString& name) const;
    [[nodiscard]] QString placeOf(const Entry& entry) const;

    QList<Entry> m_entries;
    QStringList m_files;
};

/// How known_hosts names a host: `host`, or `[host]:port`.
[[nodiscard]] QString knownHostName(const QString& host, int port);
/// A line, with its end, that makes the key known under that name.
[[nodiscard]] QByteArray knownHostLine(const QString& name, const HostKey& key);
/// The text without lines of just this name: a new key takes the place of an old one.
[[nodiscard]] QByteArray withoutHost(const QByteArray& text, const QString& name);

} // namespace transport
