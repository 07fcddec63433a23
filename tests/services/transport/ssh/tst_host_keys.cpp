// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/transport/ssh/host_keys.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QTest>
#include <QtEndian>

Q_DECLARE_METATYPE(transport::HostKey)

using namespace Qt::StringLiterals;
using namespace transport;
using Verdict = HostKeyVerdict::Kind;

namespace {

HostKey key(const QByteArray& type, const QByteArray& body)
{
    QByteArray blob(4, '\0');
    qToBigEndian(quint32(type.size()), blob.data());
    return {type, blob + type + body};
}

const HostKey ed = key("ssh-ed25519", "one");
const HostKey ed2 = key("ssh-ed25519", "two");
const HostKey rsa = key("ssh-rsa", "three");

QByteArray line(const QByteArray& hosts, const HostKey& key)
{
    return hosts + ' ' + key.type + ' ' + key.blob.toBase64() + " comment\n";
}

QByteArray hashed(const QByteArray& host)
{
    const QByteArray salt("0123456789abcdefghij");
    return "|1|" + salt.toBase64() + '|'
        + QMessageAuthenticationCode::hash(host, salt, QCryptographicHash::Sha1).toBase64();
}

} // namespace

class TestHostKeys : public QObject
{
    Q_OBJECT
private slots:
    void verdicts_data();
    void verdicts();
    void firstFileDecides();
    void types();
    void fingerprint();
    void rewriting();
};

void TestHostKeys::verdicts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("port");
    QTest::addColumn<HostKey>("shown");
    QTest::addColumn<int>("verdict");
    const auto row = [](const char* name, const QByteArray& text, int port, const HostKey& shown, Verdict verdict) {
        QTest::newRow(name) << text << port << shown << int(verdict);
    };
    row("nothing", "", 22, ed, Verdict::unknown);
    row("known", line("lab1,10.0.0.1", ed), 22, ed, Verdict::known);
    row("another host", line("lab2", ed), 22, ed, Verdict::unknown);
    row("changed", line("lab1", ed2), 22, ed, Verdict::changed);
    row("another type only", line("lab1", rsa), 22, ed, Verdict::changed);
    row("one of two", line("lab1", rsa) + line("lab1", ed), 22, ed, Verdict::known);
    row("pattern", line("lab*,!lab2", ed), 22, ed, Verdict::known);
    row("hashed", line(hashed("lab1"), ed), 22, ed, Verdict::known);
    row("hashed, changed", line(hashed("lab1"), ed2), 22, ed, Verdict::changed);
    row("hashed, other", line(hashed("lab2"), ed), 22, ed, Verdict::unknown);
    row("port", line("[lab1]:2222", ed), 2222, ed, Verdict::known);
    row("hashed port", line(hashed("[lab1]:2222"), ed), 2222, ed, Verdict::known);
    row("another port", line("[lab1]:2222", ed), 22, ed, Verdict::unknown);
    row("without the port, agrees", line("lab1", ed), 2222, ed, Verdict::known);
    row("without the port, does not", line("lab1", ed2), 2222, ed, Verdict::unknown);
    row("revoked", line("lab1", ed) + "@revoked " + line("*", ed), 22, ed, Verdict::revoked);
    row("authority", "@cert-authority " + line("lab1", ed), 22, ed, Verdict::unknown);
    row("comments and rubbish",
        "# lab1 ssh-ed25519 AAAA\n\nlab1\nlab1 ssh-ed25519\nlab1 ssh-ed25519 !!!!\n|1|x|y z w\n", 22, ed,
        Verdict::unknown);
    row("type that lies", "lab1 ssh-rsa " + ed.blob.toBase64() + '\n', 22, ed, Verdict::unknown);
}

void TestHostKeys::verdicts()
{
    QFETCH(QByteArray, text);
    QFETCH(int, port);
    QFETCH(HostKey, shown);
    QFETCH(int, verdict);
    KnownHosts known;
    known.add(text, u"/file"_s);
    QCOMPARE(int(known.check(u"lab1"_s, port, shown).kind), verdict);
    QCOMPARE(int(known.check(u"LAB1"_s, port, shown).kind), verdict);
}

void TestHostKeys::firstFileDecides()
{
    KnownHosts known;
    known.add(line("lab1", ed2), u"/ours"_s);
    known.add("\n" + line("lab1", ed) + line("lab9", rsa), u"/theirs"_s);
    QCOMPARE(known.check(u"lab1"_s, 22, ed2).kind, Verdict::known);
    const HostKeyVerdict old = known.check(u"lab1"_s, 22, ed);
    QCOMPARE(old.kind, Verdict::changed);
    QCOMPARE(old.place, u"/ours:1"_s);
    QCOMPARE(old.fingerprint, fingerprintOf(ed2));
    QCOMPARE(known.check(u"lab9"_s, 22, ed).place, u"/theirs:3"_s);
}

void TestHostKeys::types()
{
    KnownHosts known;
    known.add(
        line("lab1", rsa) + line(hashed("lab1"), ed) + "@revoked " + line("lab1", key("ecdsa-sha2-nistp256", "x")),
        u"/f"_s);
    QCOMPARE(known.typesOf(u"lab1"_s, 22), (QList<QByteArray>{"ssh-rsa", "ssh-ed25519"}));
}

void TestHostKeys::fingerprint()
{
    // As ssh-keygen -l prints it.
    const HostKey real{
        "ssh-ed25519", QByteArray::fromBase64("AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl")};
    QCOMPARE(fingerprintOf(real), u"SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU"_s);
}

void TestHostKeys::rewriting()
{
    const QByteArray text = line("[lab1]:7", ed) + "# note\n" + line("lab2", rsa);
    QCOMPARE(withoutHost(text, u"[lab1]:7"_s), "# note\n" + line("lab2", rsa));
    QCOMPARE(withoutHost(text, u"lab1"_s), text);
    KnownHosts known;
    known.add(knownHostLine(knownHostName(u"lab1"_s, 22), ed2), u"/f"_s);
    QCOMPARE(known.check(u"lab1"_s, 22, ed2).kind, Verdict::known);
}

QTEST_GUILESS_MAIN(TestHostKeys)
#include "tst_host_keys.moc"
