// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/token_store.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace app;

class TestTokenStore : public QObject
{
    Q_OBJECT
private slots:
    void refused_data();
    void refused();
    void writtenAndReadAgain();

private:
    static QByteArray entry(const QByteArray& name, const QByteArray& hash)
    {
        return "{\"name\":\"" + name + "\",\"scope\":\"run\",\"sha256\":\"" + hash + "\",\"createdTime\":1}";
    }
};

void TestTokenStore::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    const QByteArray hash = QByteArray("ab").repeated(32);
    const auto row = [](const char* name, const QByteArray& entries, const QString& words) {
        QTest::newRow(name) << "{\"tokens\":[" + entries + "]}" << words;
    };
    row("two of one name", entry("a", hash) + ',' + entry("a", hash), u"two tokens of the name a"_s);
    row("the owner's name", entry("owner", hash), u"cannot be understood"_s);
    row("letters beside the hash", entry("a", "xy" + hash), u"cannot be understood"_s);
    row("a short hash", entry("a", "abcd"), u"cannot be understood"_s);
    row("a number", "7", u"tokens.json"_s);
    QTest::newRow("no list") << QByteArray("{\"tokens\":{}}") << u"no list of tokens"_s;
    QTest::newRow("an array") << QByteArray("[]") << u"no list of tokens"_s;
}

void TestTokenStore::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, words);
    const auto read = parseTokens(text, u"tokens.json"_s);
    QVERIFY(!read);
    QVERIFY2(read.error().message.contains(words), qPrintable(read.error().message));
}

void TestTokenStore::writtenAndReadAgain()
{
    const QList<http::TokenRecord> records{{u"laptop"_s, http::Scope::run, http::tokenHash("secret"), 5, {}},
        {u"phone"_s, http::Scope::read, http::tokenHash("other"), 6, 7}};
    const QByteArray text = tokensText(records);
    QVERIFY(!text.contains("secret"));
    const auto read = parseTokens(text, u"tokens.json"_s);
    QVERIFY(read);
    QCOMPARE(*read, records);
}

QTEST_GUILESS_MAIN(TestTokenStore)
#include "tst_token_store.moc"
