// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/search/search_space.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace search;

class TestSearchSpace : public QObject
{
    Q_OBJECT

private slots:
    void keepsOrderAndSpelling()
    {
        const QByteArray text =
            R"({"z":{"_type":"choice","_value":[1,"a",null,[1,2],{"k":1}]},)"
            R"("lr":{"_type":"loguniform","_value":[1e-05,1]},"n":{"_type":"randint","_value":[-3,7]},)"
            R"("a":{"_type":"quniform","_value":[0,1.0,0.1]},"m":{"_type":"qlognormal","_value":[0,1,2]}})";
        const auto space = parseSearchSpace(*parseJson(text));
        QVERIFY2(space, qPrintable(space ? QString() : space.error().message.text()));
        QCOMPARE(dumpJson(toJson(*space)), text);
        QCOMPARE(space->parameters.size(), 5u);
        QCOMPARE(space->parameters[0].count, 5u);
        QVERIFY(!space->parameters[0].nested);
        QCOMPARE(space->parameters[1].low, 1e-5);
        QCOMPARE(space->parameters[2].first, -3);
        QCOMPARE(space->parameters[2].count, 10u);
        QCOMPARE(space->parameters[3].q, 0.1);
        QCOMPARE(space->parameters[4].sigma, 1.0);
        QCOMPARE(space->parameters[4].q, 2.0);
        QVERIFY(*parseSearchSpace(toJson(*space)) == *space);

        Json other = toJson(*space);
        other["lr"]["_value"][1] = 2;
        QVERIFY(!(*parseSearchSpace(other) == *space));
    }

    void nestedChoiceIsFlattenedAndAssembled()
    {
        const auto space = parseSearchSpace(*parseJson(R"({"opt": {"_type": "choice", "_value": [
            {"_name": "sgd", "momentum": {"_type": "uniform", "_value": [0, 1]},
             "schedule": {"_type": "choice", "_value": [{"_name": "none"},
                {"_name": "step", "n": {"_type": "randint", "_value": [1, 9]}}]}},
            {"_name": "adam"}]}, "batch": {"_type": "choice", "_value": [16, 32]}})"));
        QVERIFY2(space, qPrintable(space ? QString() : space.error().message.text()));
        const auto flat = flatten(*space);
        QStringList names;
        QList<int> parents;
        for (const FlatParameter& parameter : flat) {
            names.append(parameter.spec->name);
            parents.append(parameter.parent);
        }
        QCOMPARE(names, QStringList({u"opt"_s, u"momentum"_s, u"schedule"_s, u"n"_s, u"batch"_s}));
        QCOMPARE(parents, QList<int>({-1, 0, 0, 2, -1}));
        QCOMPARE(flat[3].option, 1u);

        std::vector<Pick> picks(5);
        picks[1].number = 0.25;
        picks[2].index = 1;
        picks[3].index = 4;
        picks[4].index = 1;
        QCOMPARE(dumpJson(assemble(*space, picks)),
            R"({"opt":{"_name":"sgd","momentum":0.25,"schedule":{"_name":"step","n":5}},"batch":32})"_ba);
        picks[0].index = 1;
        QCOMPARE(dumpJson(assemble(*space, picks)), R"({"opt":{"_name":"adam"},"batch":32})"_ba);
    }

    void extremeIntegers()
    {
        const auto space =
            parseSearchSpace(*parseJson(R"({"n":{"_type":"randint","_value":[-9007199254740993, 9007199254740993]}})"));
        QVERIFY(space);
        std::vector<Pick> picks(1);
        picks[0].index = space->parameters[0].count - 1;
        QCOMPARE(dumpJson(assemble(*space, picks)), R"({"n":9007199254740992})"_ba);
    }

    void refusesByName_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* name, const QByteArray& text, const QStringList& words) {
            QTest::newRow(name) << text << words;
        };
        row("list", "[]", {u"object"_s});
        row("empty", "{}", {u"empty"_s});
        row("no type", R"({"lr": 3})", {u"lr"_s, u"_type"_s, u"3"_s});
        row("unknown type", R"({"lr": {"_type": "gauss", "_value": [1, 2]}})", {u"lr"_s, u"gauss"_s, u"loguniform"_s});
        row("type no string", R"({"lr": {"_type": 4, "_value": [1, 2]}})", {u"lr"_s, u"4"_s});
        row("unknown member", R"({"lr": {"_type": "choice", "_value": [1], "_default": 1}})", {u"lr"_s, u"_default"_s});
        row("value no list", R"({"lr": {"_type": "uniform", "_value": 4}})", {u"lr"_s, u"list"_s});
        row("empty choice", R"({"act": {"_type": "choice", "_value": []}})", {u"act"_s, u"at least one"_s});
        row("low equals high", R"({"lr": {"_type": "uniform", "_value": [1, 1]}})", {u"lr"_s, u"less than"_s});
        row("low above high", R"({"lr": {"_type": "qloguniform", "_value": [2, 1, 1]}})", {u"lr"_s, u"2"_s, u"1"_s});
        row("log of zero", R"({"lr": {"_type": "loguniform", "_value": [0, 1]}})", {u"lr"_s, u"above 0"_s});
        row("q zero", R"({"b": {"_type": "quniform", "_value": [0, 1, 0]}})", {u"b"_s, u"q must"_s});
        row("q negative", R"({"b": {"_type": "qnormal", "_value": [0, 1, -2]}})", {u"b"_s, u"-2"_s});
        row("sigma", R"({"b": {"_type": "normal", "_value": [0, 0]}})", {u"b"_s, u"sigma"_s});
        row("too few", R"({"b": {"_type": "quniform", "_value": [0, 1]}})", {u"b"_s, u"3 values"_s, u"low, high, q"_s});
        row("too many", R"({"b": {"_type": "normal", "_value": [0, 1, 2]}})", {u"b"_s, u"mu, sigma"_s});
        row("no number", R"({"b": {"_type": "uniform", "_value": ["0", 1]}})", {u"b"_s, u"\"0\""_s});
        row("randint fraction", R"({"n": {"_type": "randint", "_value": [0.5, 4]}})", {u"n"_s, u"0.5"_s});
        row("randint empty", R"({"n": {"_type": "randint", "_value": [4, 4]}})", {u"n"_s, u"4"_s});
        row("randint huge", R"({"n": {"_type": "randint", "_value": [0, 18446744073709551615]}})",
            {u"n"_s, u"18446744073709551615"_s});
        row("half named", R"({"o": {"_type": "choice", "_value": [{"_name": "a"}, 1]}})", {u"o"_s, u"_name"_s});
        row("bad name", R"({"o": {"_type": "choice", "_value": [{"_name": 3}]}})", {u"o"_s, u"string"_s});
        row("inside",
            R"({"o": {"_type": "choice", "_value": [{"_name": "a", "x": {"_type": "uniform", "_value": [3, 2]}}]}})",
            {u"o.a.x"_s, u"less than"_s});
        row("reserved", R"({"_name": {"_type": "choice", "_value": [1]}})", {u"reserved"_s});
        row("nameless", R"({"": {"_type": "choice", "_value": [1]}})", {u"empty name"_s});
    }

    void refusesByName()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, words);
        const auto space = parseSearchSpace(*parseJson(text));
        QVERIFY(!space);
        QCOMPARE(space.error().kind, Kind::invalid);
        for (const QString& word : words)
            QVERIFY2(space.error().message.contains(word), qPrintable(space.error().message + u" lacks "_s + word));
    }
};

QTEST_GUILESS_MAIN(TestSearchSpace)
#include "tst_search_space.moc"
