// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_keys.h"

#include "ssh_config.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QtEndian>

using namespace Qt::StringLiterals;

namespace transport {

namespace {

/// The type that stands inside a key's blob; empty when it is none.
QByteArray typeInside(const QByteArray& blob)
{
    if (blob.size() < 4)
        return {};
    const auto length = qFromBigEndian<quint32>(blob.constData());
    if (length > 64 || qsizetype(length) > blob.size() - 4)
        return {};
    return blob.mid(4, qsizetype(length));
}

QList<QByteArray> wordsOf(const QByteArray& line)
{
    QList<QByteArray> words;
    for (const QByteArray& word : line.simplified().split(' ')) {
        if (!word.isEmpty())
            words += word;
    }
    return words;
}

} // namespace

QString fingerprintOf(const HostKey& key)
{
    const QByteArray hash = QCryptographicHash::hash(key.blob, QCryptographicHash::Sha256);
    return u"SHA256:"_s + QString::fromLatin1(hash.toBase64(QByteArray::OmitTrailingEquals));
}

void KnownHosts::add(const QByteArray& text, const QString& file)
{
    m_files += file;
    int number = 0;
    for (const QByteArray& raw : text.split('\n')) {
        ++number;
        QList<QByteArray> words = wordsOf(raw);
        if (words.isEmpty() || words.first().startsWith('#'))
            continue;
        Entry entry;
        if (words.first().startsWith('@')) {
            // Certificates of hosts are not requested, so an authority's key does not apply to a plain one.
            if (words.first() != "@revoked")
                continue;
            entry.revoked = true;
            words.removeFirst();
        }
        if (words.size() < 3)
            continue;
        const auto blob = QByteArray::fromBase64Encoding(words[2], QByteArray::AbortOnBase64DecodingErrors);
        if (!blob || typeInside(*blob) != words[1])
            continue;
        entry.key = HostKey{words[1], *blob};
        if (words[0].startsWith("|1|")) {
            const QList<QByteArray> parts = words[0].split('|');
            if (parts.size() != 4)
                continue;
            entry.salt = QByteArray::fromBase64(parts[2]);
            entry.hash = QByteArray::fromBase64(parts[3]);
            if (entry.salt.isEmpty() || entry.hash.size() != 20)
                continue;
        } else {
            entry.patterns = QString::fromUtf8(words[0]).split(u',', Qt::SkipEmptyParts);
        }
        entry.file = int(m_files.size()) - 1;
        entry.line = number;
        m_entries += entry;
    }
}

bool KnownHosts::matches(const Entry& entry, const QString& name) const
{
    if (!entry.hash.isEmpty()) {
        return QMessageAuthenticationCode::hash(name.toLower().toUtf8(), entry.salt, QCryptographicHash::Sha1)
            == entry.hash;
    }
    return matchesSshPatterns(entry.patterns, name);
}

QString KnownHosts::placeOf(const Entry& entry) const
{
    return u"%1:%2"_s.arg(m_files.value(entry.file)).arg(entry.line);
}

HostKeyVerdict KnownHosts::check(const QString& host, int port, const HostKey& key) const
{
    using Verdict = HostKeyVerdict::Kind;
    const QString name = knownHostName(host, port);
    HostKeyVerdict verdict;
    int decided = -1; // the file that knows the host
    for (const Entry& entry : m_entries) {
        if (!matches(entry, name))
            continue;
        if (entry.revoked) {
            // Also if another line or file accepts it.
            if (entry.key == key)
                return {Verdict::revoked, placeOf(entry), fingerprintOf(entry.key)};
            continue;
        }
        if (decided >= 0 && entry.file != decided)
            continue;
        decided = entry.file;
        if (entry.key == key) {
            verdict = {Verdict::known, placeOf(entry), fingerprintOf(entry.key)};
        } else if (verdict.kind == Verdict::unknown
            || (verdict.kind == Verdict::changed && entry.key.type == key.type)) {
            verdict = {Verdict::changed, placeOf(entry), fingerprintOf(entry.key)};
        }
    }
    // An older entry without the port is believed when it agrees; when it does not, it may be another server of that host.
    if (verdict.kind == Verdict::unknown && port != 22) {
        HostKeyVerdict plain = check(host, 22, key);
        if (plain.kind == Verdict::known || plain.kind == Verdict::revoked)
            return plain;
    }
    return verdict;
}

QList<QByteArray> KnownHosts::typesOf(const QString& host, int port) const
{
    QList<QByteArray> types;
    const QString name = knownHostName(host, port);
    for (const Entry& entry : m_entries) {
        if (!entry.revoked && !types.contains(entry.key.type) && matches(entry, name))
            types += entry.key.type;
    }
    return types;
}

QString knownHostName(const QString& host, int port)
{
    return port == 22 ? host : u"[%1]:%2"_s.arg(host).arg(port);
}

QByteArray knownHostLine(const QString& name, const HostKey& key)
{
    return name.toUtf8() + ' ' + key.type + ' ' + key.blob.toBase64() + '\n';
}

QByteArray withoutHost(const QByteArray& text, const QString& name)
{
    QByteArray out;
    for (const QByteArray& line : text.split('\n')) {
        if (!line.isEmpty() && wordsOf(line).value(0) != name.toUtf8())
            out += line + '\n';
    }
    return out;
}

} // namespace transport
