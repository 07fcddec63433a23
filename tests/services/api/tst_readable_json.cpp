// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/api/readable_json.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

static QByteArray nested(int levels)
{
    return QByteArray(levels, '[') + QByteArray(levels, ']');
}

class TestReadableJson : public QObject
{
    Q_OBJECT

private slots:
    void whatParsesIsTheSame()
    {
        int skipped = 0;
        const auto json = api::readableJson("{\"trials\": [{\"a\": 1}], \"revision\": 5}", &skipped);
        QVERIFY(json);
        QCOMPARE(dumpJson(*json), "{\"trials\":[{\"a\":1}],\"revision\":5}");
        QCOMPARE(skipped, 0);
    }

    void aRecordThatIsTooDeepIsLeftOut()
    {
        const QByteArray text = "{'epoch': 'x', 'trials': [{'id': '1'}, {'deep': " + nested(200)
            + "}, {'id': '\\']3'}], 'odd': " + nested(300) + ", 'revision': 7}";
        int skipped = 0;
        const auto json = api::readableJson(QByteArray(text).replace('\'', '"'), &skipped);
        QVERIFY(json);
        QCOMPARE(skipped, 2);
        QCOMPARE(dumpJson(*json),
            QByteArray("{'epoch':'x','trials':[{'id':'1'},{'id':'\\']3'}],'odd':[],'revision':7}").replace('\'', '"'));
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("{\"a\": ");
        QTest::newRow("a list") << nested(200);
        QTest::newRow("beyond every scan") << "{\"a\": " + nested(5'000) + '}';
        QTest::newRow("never closed") << "{\"a\": " + QByteArray(200, '[');
    }
    void refused()
    {
        QFETCH(QByteArray, text);
        const auto json = api::readableJson(text);
        QVERIFY(!json);
        QCOMPARE(json.error().kind, Kind::invalid);
    }
};

QTEST_GUILESS_MAIN(TestReadableJson)
#include "tst_readable_json.moc"
