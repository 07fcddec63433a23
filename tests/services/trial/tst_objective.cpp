// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/record_json.h"
#include "services/trial/objective.h"

#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace trial;

class TestObjective : public QObject
{
    Q_OBJECT

private slots:
    void values_data()
    {
        QTest::addColumn<QByteArray>("metric");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* metric, const QString& name, const QString& value) {
            QTest::newRow(qPrintable(name + u": "_s + QString::fromUtf8(metric)))
                << QByteArray(metric) << name << value;
        };
        const QString d = u"default"_s;
        row("0.93", d, u"0.93"_s);
        row("NaN", d, u"nan"_s);
        row("-Infinity", d, u"-inf"_s);
        row("\"0.93\"", d, u"none"_s);
        row("[1]", d, u"none"_s);
        row("{\"default\": 0.5, \"loss\": 2}", d, u"0.5"_s);
        row("{\"default\": NaN}", d, u"nan"_s);
        row("{\"default\": \"0.5\"}", d, u"none"_s);
        row("{\"default\": {\"a\": 1}}", d, u"none"_s);
        row("{\"loss\": 2}", d, u"none"_s);
        row("0.93", u"loss"_s, u"none"_s);
        row("{\"default\": 0.5, \"loss\": 2}", u"loss"_s, u"2"_s);
        row("{\"loss\": Infinity}", u"loss"_s, u"inf"_s);
        row("{\"l\\u006fss\": 3}", u"loss"_s, u"3"_s);
        row("{\"a\": {\"loss\": 3}}", u"loss"_s, u"none"_s);
    }
    void values()
    {
        QFETCH(QByteArray, metric);
        QFETCH(QString, name);
        QFETCH(QString, value);
        const auto got = objectiveValue(parseMetricValue(metric), Objective{name, true});
        QCOMPARE(got ? QString::number(*got) : u"none"_s, value);
    }

    void best()
    {
        const Objective up{u"default"_s, true};
        const Objective down{u"default"_s, false};
        const double nan = std::nan("");
        QVERIFY(isBetter(1, std::nullopt, up));
        QVERIFY(isBetter(1, nan, up));
        QVERIFY(!isBetter(nan, std::nullopt, up));
        QVERIFY(!isBetter(nan, 1, down));
        QVERIFY(isBetter(2, 1, up) && !isBetter(2, 1, down));
        QVERIFY(!isBetter(1, 1, up) && !isBetter(1, 1, down));
        std::optional<double> best;
        QList<bool> took;
        for (const char* text : {"NaN", "0.5", "\"x\"", "0.4", "NaN", "0.7", "{\"default\": 0.9}"})
            took.append(takeBest(best, parseMetricValue(text), up));
        QCOMPARE(took, (QList<bool>{false, true, false, false, false, true, true}));
        QCOMPARE(best, 0.9);
    }
};

QTEST_GUILESS_MAIN(TestObjective)
#include "tst_objective.moc"
