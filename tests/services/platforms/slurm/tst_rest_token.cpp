// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/slurm/wire/rest_token.h"

#include <QCoroTask>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::slurm;

namespace {

core::Result<QByteArray> tokenOf(RestToken& source, const QByteArray& rejected = {})
{
    return QCoro::waitFor(source.authorization(rejected, {}));
}

void writeToken(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

class TestRestToken : public QObject
{
    Q_OBJECT
private slots:
    void forms();
    void aValue();
    void aFileThatIsRenewed();
    void nothing();
};

void TestRestToken::forms()
{
    QCOMPARE(tokenIn("SLURM_JWT=abc.def\n"), "abc.def");
    QCOMPARE(tokenIn(" abc.def "), "abc.def");
    QCOMPARE(tokenIn("\n"), "");
}

void TestRestToken::aValue()
{
    RestToken source(transport::Secret(u"SLURM_JWT=abc"_s), {});
    QCOMPARE(tokenOf(source).value_or(QByteArray()), "abc");
    const auto again = tokenOf(source, "abc");
    QVERIFY(!again);
    QCOMPARE(again.error().kind, core::Kind::auth);
    QVERIFY(!again.error().message.text().contains(u"abc"));
}

void TestRestToken::aFileThatIsRenewed()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"jwt"_s);
    writeToken(path, "SLURM_JWT=first\n");
    RestToken source(transport::Secret(u"unused"_s), path);
    QCOMPARE(tokenOf(source).value_or(QByteArray()), "first");
    const auto same = tokenOf(source, "first");
    QVERIFY(!same);
    QVERIFY(same.error().message.text().contains(path));
    QVERIFY(!same.error().message.text().contains(u"first"));
    writeToken(path, "second");
    QCOMPARE(tokenOf(source, "first").value_or(QByteArray()), "second");
}

void TestRestToken::nothing()
{
    RestToken none({}, {});
    QCOMPARE(tokenOf(none).error().kind, core::Kind::auth);
    RestToken missing({}, u"/nonexistent/jwt"_s);
    QCOMPARE(tokenOf(missing).error().kind, core::Kind::auth);
    QVERIFY(tokenOf(missing).error().message.text().contains(u"/nonexistent/jwt"));
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"empty"_s);
    writeToken(path, "\n");
    RestToken empty({}, path);
    QCOMPARE(tokenOf(empty).error().kind, core::Kind::auth);
}

QTEST_GUILESS_MAIN(TestRestToken)
#include "tst_rest_token.moc"
