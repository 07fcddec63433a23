// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/search/parameter_spec.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace search;

class TestParameterSpec : public QObject
{
    Q_OBJECT

private slots:
    void reads_data()
    {
        QTest::addColumn<QString>("spec");
        QTest::addColumn<QByteArray>("entry");
        const auto row = [](const char* spec, const QByteArray& type, const QByteArray& values) {
            QTest::newRow(spec) << QString::fromUtf8(spec) << "{\"_type\":\"" + type + "\",\"_value\":" + values + '}';
        };
        row("1e-4..1e-1", "uniform", "[0.0001,0.1]");
        row("-1..1", "uniform", "[-1,1]");
        row("0...5", "uniform", "[0,0.5]");
        row("log:1e-4..1e-1", "loguniform", "[0.0001,0.1]");
        row("int:1..9", "randint", "[1,10]");
        row("int:-2..-2", "randint", "[-2,-1]");
        row("1,2,4", "choice", "[1,2,4]");
        row("adam,sgd", "choice", R"(["adam","sgd"])");
        row("1, 0.5 ,x", "choice", R"([1,0.5,"x"])");
        row("x", "choice", R"(["x"])");
        row("3", "choice", "[3]");
        row("1e3", "choice", "[1000.0]");
        row("007", "choice", R"(["007"])");
        row("0x10,nan,inf,1e999", "choice", R"(["0x10","nan","inf","1e999"])");
        row("true", "choice", R"(["true"])");
        row("../data", "choice", R"(["../data"])");
        row("a..b", "choice", R"(["a..b"])");
        row("../a,../b", "choice", R"(["../a","../b"])");
        row("9223372036854775807", "choice", "[9223372036854775807]");
        row("größe", "choice", R"(["größe"])");
    }

    void reads()
    {
        QFETCH(QString, spec);
        QFETCH(QByteArray, entry);
        const auto made = specToSearchSpaceEntry(spec);
        QVERIFY2(made, qPrintable(made ? QString() : made.error().message.text()));
        QCOMPARE(dumpJson(*made), entry);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("spec");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* spec, const char* word) {
            QTest::newRow(spec) << QString::fromUtf8(spec) << QString::fromUtf8(word);
        };
        row("", "missing");
        row("a,,b", "empty value");
        row("1,", "empty value");
        row("2..1", "less than");
        row("1..1", "less than");
        row("1..", "both sides");
        row("..1", "both sides");
        row("1..x", "both sides");
        row("log:0..1", "above 0");
        row("log:3", "log: takes a range");
        row("log:1,2", "log: takes a range");
        row("int:3", "int: takes a range");
        row("int:1..2.5", "whole numbers");
        row("int:5..4", "more than");
        row("int:0..9223372036854775807", "too large");
    }

    void refuses()
    {
        QFETCH(QString, spec);
        QFETCH(QString, word);
        const auto made = specToSearchSpaceEntry(spec);
        QVERIFY(!made);
        QCOMPARE(made.error().kind, Kind::invalid);
        QVERIFY2(made.error().message.contains(word), qPrintable(made.error().message));
    }

    void assignments()
    {
        const auto space = parseAssignments({u"lr=log:1e-4..1e-1"_s, u"batch=16,32"_s, u"flag=a=b"_s});
        QVERIFY(space);
        QCOMPARE(dumpJson(*space),
            R"({"lr":{"_type":"loguniform","_value":[0.0001,0.1]},"batch":{"_type":"choice","_value":[16,32]},)"
            R"("flag":{"_type":"choice","_value":["a=b"]}})"_ba);
        QCOMPARE(dumpJson(*parseAssignments({})), "{}"_ba);
        for (const auto& [words, sentence] : std::vector<std::pair<QStringList, QString>>{{{u"lr"_s}, u"NAME=SPEC"_s},
                 {{u"=3"_s}, u"NAME=SPEC"_s}, {{u"a=1"_s, u"a=2"_s}, u"a is given twice"_s},
                 {{u"lr=2..1"_s}, u"lr: "_s}, {{u"_name=1"_s}, u"reserved"_s}}) {
            const auto refused = parseAssignments(words);
            QVERIFY(!refused);
            QVERIFY2(refused.error().message.contains(sentence), qPrintable(refused.error().message));
        }
    }
};

QTEST_GUILESS_MAIN(TestParameterSpec)
#include "tst_parameter_spec.moc"
