// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/exec_credential.h"
#include "services/platforms/kubernetes/jwt_expiry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

class TestExecCredential : public QObject
{
    Q_OBJECT
private slots:
    void told();
    void answers();
    void faults_data();
    void faults();
    void failures_data();
    void failures();
    void jwts_data();
    void jwts();
};

namespace {

const QString execV1 = u"client.authentication.k8s.io/v1"_s;

QByteArray answer(const QByteArray& status)
{
    return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)" + status + "}";
}

QByteArray jwt(const QByteArray& claims)
{
    return "eyJhbGciOiJub25lIn0." + claims.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)
        + ".c2ln";
}

} // namespace

void TestExecCredential::told()
{
    QCOMPARE(execInfo(execV1, Json()),
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}})"_ba);
    const QByteArray told = execInfo(execV1 + u"beta1"_s, Json{{"server", "h:6443"}, {"config", nullptr}});
    QCOMPARE(told,
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":{"interactive":false,"cluster":{"server":"h:6443","config":null}}})"_ba);
}

void TestExecCredential::answers()
{
    const auto token =
        readExecCredential(answer(R"({"token":" abc\n","expirationTimestamp":"2026-01-02T03:04:05Z"})") + "\n", execV1);
    QVERIFY2(token, token ? "" : qPrintable(token.error().message));
    QCOMPARE(token->token, "abc"_ba);
    QCOMPARE(token->expiresMs.value_or(0), 1'767'323'045'000);
    const auto offset =
        readExecCredential(answer(R"({"token":"a","expirationTimestamp":"2026-01-02T03:04:05.5+01:00"})"), execV1);
    QCOMPARE(offset->expiresMs.value_or(0), 1'767'319'445'500);
    const auto certificate = readExecCredential(
        answer(R"({"clientCertificateData":"C","clientKeyData":"K","token":null,"later":1})"), execV1);
    QCOMPARE(*certificate, (ExecCredential{{}, "C", "K", {}}));
}

void TestExecCredential::faults_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("why");
    QTest::newRow("nothing") << " \n"_ba << u"it printed nothing."_s;
    QTest::newRow("words") << "hunter2: logged in"_ba << u"what it printed is no JSON."_s;
    QTest::newRow("words before") << "hunter2\n" + answer(R"({"token":"hunter2"})") << u"what it printed is no JSON."_s;
    QTest::newRow("a list") << R"(["hunter2"])"_ba << u"what it printed is no ExecCredential."_s;
    QTest::newRow("another kind") << R"({"kind":"hunter2","status":{"token":"hunter2"}})"_ba
                                  << u"what it printed is no ExecCredential."_s;
    QTest::newRow("another version")
        << answer(R"({"token":"hunter2"})").replace("io/v1\"", "io/v1beta1\"")
        << u"in another version than the kubeconfig's client.authentication.k8s.io/v1: correct apiVersion there."_s;
    QTest::newRow("no status") << answer("null") << u"it printed no status: it gave no credentials."_s;
    QTest::newRow("status of another type")
        << answer("\"hunter2\"") << u"it printed no status: it gave no credentials."_s;
    QTest::newRow("an empty status") << answer("{}") << u"it gave neither a token nor a client certificate."_s;
    QTest::newRow("a token of another type") << answer(R"({"token":["hunter2"]})") << u"its token is no text."_s;
    QTest::newRow("a token of two lines")
        << answer(R"({"token":"hunter2\r\nX: y"})") << u"its token holds characters that none has."_s;
    QTest::newRow("certificate without a key")
        << answer(R"({"clientCertificateData":"hunter2"})")
        << u"it gave a client certificate without its key, or a key without its certificate."_s;
    QTest::newRow("key without a certificate")
        << answer(R"({"token":"hunter2","clientKeyData":"hunter2"})")
        << u"it gave a client certificate without its key, or a key without its certificate."_s;
    QTest::newRow("odd time") << answer(R"({"token":"hunter2","expirationTimestamp":"tomorrow"})")
                              << u"its expirationTimestamp is no time."_s;
    QTest::newRow("time of another type")
        << answer(R"({"token":"hunter2","expirationTimestamp":7})") << u"its expirationTimestamp is no text."_s;
    QTest::newRow("nested too deep") << QByteArray(100'000, '[') << u"what it printed is no JSON."_s;
}

void TestExecCredential::faults()
{
    QFETCH(QByteArray, output);
    QFETCH(QString, why);
    const auto given = readExecCredential(output, execV1);
    QVERIFY(!given);
    QCOMPARE(given.error().kind, Kind::auth);
    QCOMPARE(given.error().message.text(),
        u"The plugin that gives the cluster's credentials answered, but %1 Run it by hand to see what it prints."_s.arg(
            why));
    QVERIFY(given.error().detail.isEmpty());
}

void TestExecCredential::failures_data()
{
    QTest::addColumn<ExecEnd>("end");
    QTest::addColumn<QString>("hint");
    QTest::addColumn<QString>("shown");
    const QString who = u"The program aws, which gives the cluster's credentials, "_s;
    QTest::newRow("silent") << ExecEnd{3, false, false, {}} << QString()
                            << u"auth: "_s + who + u"failed (exit code 3) and said nothing."_s;
    QTest::newRow("words") << ExecEnd{255, false, false, "one\ntwo\nthree\n\nUnable to locate credentials\n"}
                           << QString()
                           << u"auth: "_s + who
            + u"failed (exit code 255): two / three / Unable to locate credentials"_s;
    QTest::newRow("control characters") << ExecEnd{1, false, false, "\x1b[31mno\x07"} << QString()
                                        << u"auth: "_s + who + u"failed (exit code 1): ␛[31mno␇"_s;
    QTest::newRow("secrets") << ExecEnd{1, false, false, "refused token=hunter2hunter2 Bearer hunter2hunter2"}
                             << QString() << u"auth: "_s + who + u"failed (exit code 1): refused token=… Bearer …"_s;
    QTest::newRow("late") << ExecEnd{-1, true, false, "Open https://login\n"} << QString()
                          << u"timeout: "_s + who + u"did not end in time. Run it by hand: it may want a login."_s;
    QTest::newRow("too much") << ExecEnd{-1, false, true, {}} << QString()
                              << u"auth: "_s + who + u"printed more than any credentials."_s;
    QTest::newRow("not there") << ExecEnd{127, false, false, "aws: not found\n"} << QString()
                               << u"auth: "_s + who
            + u"is not there. Install it, or give its path in the kubeconfig."_s;
    QTest::newRow("not there, with a hint") << ExecEnd{127, false, false, {}} << u"\x1b[2JInstall\nit: https://x\n"_s
                                            << u"auth: "_s + who
            + u"is not there. Install it, or give its path in the kubeconfig. The kubeconfig says: ␛[2JInstall⏎it: https://x"_s;
    QTest::newRow("not executable") << ExecEnd{126, false, false, {}} << QString()
                                    << u"auth: "_s + who + u"cannot be executed."_s;
}

void TestExecCredential::failures()
{
    QFETCH(ExecEnd, end);
    QFETCH(QString, hint);
    QFETCH(QString, shown);
    ExecPlugin plugin;
    plugin.command = u"aws"_s;
    plugin.installHint = hint;
    const Error error = execError(plugin, end);
    QCOMPARE(kindName(error.kind) + u": "_s + error.message, shown);
    QVERIFY(!error.detail.contains(u"hunter2"_s));
}

void TestExecCredential::jwts_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<qint64>("expires"); ///< -1: none
    QTest::newRow("seconds") << jwt(R"({"sub":"ada","exp":1750000000})") << qint64(1'750'000'000'000);
    QTest::newRow("with a fraction") << jwt(R"({"exp":1750000000.5})") << qint64(1'750'000'000'500);
    QTest::newRow("letters that plain base64 lacks") << jwt(R"({"a":"??>>~~","exp":1})") << qint64(1'000);
    QTest::newRow("without an end") << jwt(R"({"sub":"ada"})") << qint64(-1);
    QTest::newRow("an end of another type") << jwt(R"({"exp":"soon"})") << qint64(-1);
    QTest::newRow("negative") << jwt(R"({"exp":-1})") << qint64(-1);
    QTest::newRow("huge") << jwt(R"({"exp":1e300})") << qint64(-1);
    QTest::newRow("opaque") << "abcdef"_ba << qint64(-1);
    QTest::newRow("two parts") << "a.b"_ba << qint64(-1);
    QTest::newRow("no base64") << "a.!.b"_ba << qint64(-1);
    QTest::newRow("no JSON") << "a.YWJj.b"_ba << qint64(-1);
    QTest::newRow("empty") << QByteArray() << qint64(-1);
    QTest::newRow("dots") << "..."_ba << qint64(-1);
}

void TestExecCredential::jwts()
{
    QFETCH(QByteArray, token);
    QFETCH(qint64, expires);
    QCOMPARE(jwtExpiryMs(token).value_or(-1), expires);
}

QTEST_APPLESS_MAIN(TestExecCredential)
#include "tst_exec_credential.moc"
