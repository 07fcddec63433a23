// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_harness.h"

#include "app/cli/json_view.h"
#include "app/commands/ids.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace commands;

class TestIds : public QObject
{
    Q_OBJECT
private slots:
    void readsTexts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("good");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("word");
        QTest::addColumn<int>("sequence");
        QTest::addColumn<QString>("experiment");
        const auto row = [](const QString& text, TrialText::Kind kind, const QString& word, int sequence,
                             const QString& experiment) {
            QTest::newRow(qPrintable(text)) << text << true << int(kind) << word << sequence << experiment;
        };
        using K = TrialText::Kind;
        row(u"t00abc"_s, K::word, u"t00abc"_s, 0, {});
        row(u"abc"_s, K::word, u"abc"_s, 0, {});
        row(u"12"_s, K::sequence, {}, 12, {});
        row(u"0"_s, K::sequence, {}, 0, {});
        row(u"007"_s, K::sequence, {}, 7, {});
        row(u"e1/12"_s, K::sequence, {}, 12, u"e1"_s);
        row(u"@last"_s, K::last, {}, 0, {});
        row(u"e1/@last"_s, K::last, {}, 0, u"e1"_s);
        row(u"@last/3"_s, K::sequence, {}, 3, u"@last"_s);
        row(u"12a"_s, K::word, u"12a"_s, 0, {});
        row(u"-1"_s, K::word, u"-1"_s, 0, {});
        row(u"my.client:id-7"_s, K::word, u"my.client:id-7"_s, 0, {});
        for (const QString& bad : {u""_s, u"/"_s, u"e1/"_s, u"/12"_s, u"e1/t5"_s, u"a/b/3"_s, u"@first"_s})
            QTest::newRow(qPrintable(u"bad "_s + bad)) << bad << false << 0 << QString() << 0 << QString();
    }
    void readsTexts()
    {
        QFETCH(QString, text);
        QFETCH(bool, good);
        const Result<TrialText> parsed = parseTrialText(text);
        QCOMPARE(parsed.has_value(), good);
        if (!good) {
            QCOMPARE(parsed.error().kind, core::Kind::invalid);
            return;
        }
        QFETCH(int, kind);
        QFETCH(QString, word);
        QFETCH(int, sequence);
        QFETCH(QString, experiment);
        QCOMPARE(*parsed, (TrialText{TrialText::Kind(kind), word, sequence, experiment}));
    }

    void picks_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<int>("kind"); // of the error
        QTest::newRow("whole") << u"t1aa"_s << u"t1aa"_s << -1;
        QTest::newRow("whole although a beginning of another") << u"t1"_s << u"t1"_s << -1;
        QTest::newRow("beginning") << u"t2"_s << u"t2bb"_s << -1;
        QTest::newRow("end") << u"bb"_s << u"t2bb"_s << -1;
        QTest::newRow("several") << u"t"_s << QString() << int(core::Kind::conflict);
        QTest::newRow("middle is not enough") << u"2b"_s << QString() << int(core::Kind::not_found);
        QTest::newRow("none") << u"x"_s << QString() << int(core::Kind::not_found);
        QTest::newRow("empty") << QString() << QString() << int(core::Kind::invalid);
    }
    void picks()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QFETCH(int, kind);
        const Result<QString> id = pickId(text, {u"t1"_s, u"t1aa"_s, u"t2bb"_s, u"t3cc"_s}, u"trial"_s);
        if (kind < 0)
            QCOMPARE(*id, expected);
        else
            QCOMPARE(int(id.error().kind), kind);
    }

    void namesTheCandidates()
    {
        const Result<QString> id = pickId(u"t"_s, {u"t1"_s, u"t2"_s, u"t3"_s, u"t4"_s, u"t5"_s, u"t6"_s}, u"trial"_s);
        QCOMPARE(id.error().message, u"`t` fits 6 trials: t1, t2, t3, t4 and 2 more. Write more of it."_s);
    }

    void findsTrials_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("whole") << u"t9zz"_s << u"t9zz"_s;
        QTest::newRow("end") << u"zz"_s << u"t9zz"_s;
        QTest::newRow("sequence of the newest experiment") << u"1"_s << u"t9zz"_s;
        QTest::newRow("sequence of another") << u"e1/0"_s << u"t1aa"_s;
        QTest::newRow("experiment by its end") << u"old/0"_s << u"t1aa"_s;
        QTest::newRow("last") << u"@last"_s << u"t9zz"_s;
        QTest::newRow("ambiguous") << u"t"_s << QString();
        QTest::newRow("no such sequence") << u"7"_s << QString();
        QTest::newRow("no such experiment") << u"e7/1"_s << QString();
    }
    void findsTrials()
    {
        Harness harness;
        harness.fake.json("GET /api/v1/experiments",
            R"({"experiments":[{"id":"e1old","createdTime":5},{"id":"e2","createdTime":9}]})");
        harness.fake.on("GET /api/v1/trials", [](const FakeService::Request& request) -> FakeService::Reply {
            const QByteArray query = request.query();
            if (query.contains("order=desc"))
                return {200, R"({"trials":[{"id":"t9zz"}],"next":null})"};
            if (query.contains("experimentId=e1old"))
                return {200, R"({"trials":[{"id":"t1aa","sequenceId":0}],"next":null})"};
            // Two pages, to see that the second is asked for.
            if (query.contains("after=page%2B2"))
                return {200, R"({"trials":[{"id":"t9zz","sequenceId":1}],"next":null})"};
            return {200, R"({"trials":[{"id":"t5aa","sequenceId":0}],"next":"page+2"})"};
        });
        for (const char* id : {"t9zz", "t1aa", "t5aa"})
            harness.fake.json(QByteArray("GET /api/v1/trials/") + id, QByteArray("{\"id\":\"") + id + "\"}");
        QFETCH(QString, text);
        QFETCH(QString, expected);
        ServiceClient client({harness.fake.url(), {}, 0, {}}, "secret");
        const Result<Json> trial = findTrial(client, text);
        QCOMPARE(trial ? textOf(*trial, "id") : QString(), expected);
    }
};

QTEST_GUILESS_MAIN(TestIds)
#include "tst_trial_ids.moc"
