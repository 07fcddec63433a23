// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/trial/log_scan.h"
#include "services/trial/pattern_stream.h"

#include <QTest>

#include <ctime>

using namespace Qt::StringLiterals;
using namespace trial;

class TestLogScan : public QObject
{
    Q_OBJECT

private:
    static QStringList names(const QList<PatternCandidate>& found)
    {
        QStringList out;
        for (const PatternCandidate& one : found)
            out.append(one.name);
        return out;
    }
    /// What the pattern reads when it is the experiment's own.
    static std::vector<double> read(const PatternCandidate& candidate, const QByteArray& output)
    {
        auto stream = PatternStream::create(candidate.pattern, {}, 0);
        std::vector<ParsedMetric> parsed;
        if (stream) {
            (*stream)->allow(60'000);
            (*stream)->feed(0, output, parsed);
            (*stream)->finish(parsed);
        }
        std::vector<double> out;
        for (const ParsedMetric& one : parsed)
            out.push_back(one.value.number);
        return out;
    }

private slots:
    void finds_data()
    {
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QStringList>("expected");
        QTest::addColumn<std::vector<double>>("values"); // of the first
        using Values = std::vector<double>;
        const auto row = [](const char* name, const QByteArray& output, const QStringList& expected,
                             const Values& values, const QString& metric = {}) {
            QTest::newRow(name) << output << metric << expected << values;
        };
        row("words", "epoch 1 acc 0.51\nepoch 2 acc 0.66\nepoch 3 acc 0.81\n", {u"acc"_s}, Values{0.51, 0.66, 0.81});
        row("equals and commas", "Epoch: 1, loss=0.9, val_loss=0.8\nEpoch: 2, loss=0.5, val_loss=0.6\n",
            {u"val_loss"_s, u"loss"_s}, Values{0.8, 0.6});
        row("the metric's own name first", "loss 0.9 val_acc 0.5\nloss 0.8 val_acc 0.6\n", {u"loss"_s, u"val_acc"_s},
            Values{0.9, 0.8}, u"loss"_s);
        row("part of another name", "val_acc 0.5 acc 0.7\nval_acc 0.6 acc 0.8\n", {u"acc"_s, u"val_acc"_s},
            Values{0.7, 0.8}, u"acc"_s);
        row("aligned columns", "acc:  0.5\nacc: -0.25\nacc:    3\n", {u"acc"_s}, Values{0.5, -0.25, 3});
        row("exponents and sentences", "loss is 1e-05.\nloss is 2.5E+3.\nloss is .5\n", {u"loss"_s},
            Values{1e-05, 2500, 0.5});
        row("JSON", "{\"epoch\": 1, \"f1\": 0.3}\n{\"epoch\": 2, \"f1\": 0.4}\n", {u"f1"_s}, Values{0.3, 0.4});
        row("progress bars", "10%| loss=0.9\r20%| loss=0.8\r\n10%| loss=0.7\r30%| loss=0.6\n", {u"loss"_s},
            Values{0.8, 0.6});
        row("no times, counters, settings",
            "step 1/3 took 0.31s lr 0.1 gpu 40C seed 7\nstep 2/3 took 0.33s lr 0.05 gpu 41C seed 7\n", {}, {});
        row("a count without a name of one", "foo 3\nfoo 4\nfoo 5\n", {}, {});
        row("a number of unknown name", "foo 0.3\nfoo 0.1\n", {u"foo"_s}, Values{0.3, 0.1});
        row("said once", "2024-05-01 10:00:01 starting v1.2.3\nfinal accuracy: 0.93\n", {u"accuracy"_s}, Values{0.93});
        row("odd names", "val.acc(top1) 3 x.acc = 0.5 y[0] acc) 0.1\nx.acc = 0.6 acc) 0.2\n",
            {u"acc"_s, u"x.acc"_s, u"top1"_s}, Values{0.1, 0.2});
        row("colours", "\x1b[32macc 0.5\x1b[0m\n\x1b[32macc 0.6\x1b[0m\n", {u"acc"_s}, Values{0.5, 0.6});
        row("arrows",
            "[001] goodness -> 0.5 after 512\n[002] goodness -> 0.6 after 1024\n[003] goodness -> 0.7 after 1536\n",
            {u"goodness"_s}, Values{0.5, 0.6, 0.7});
        row("an arrow without spaces", "fit=>0.5\nfit=>0.75\n", {u"fit"_s}, Values{0.5, 0.75});
        row("a bar between columns",
            "epoch | 1 | quality | 0.5\nepoch | 2 | quality | 0.4\nepoch | 3 | quality | 0.3\n", {u"quality"_s},
            Values{0.5, 0.4, 0.3});
        row("dashes", "quality - 0.5\nquality - 0.4\n", {u"quality"_s}, Values{0.5, 0.4});
        row("nothing", "hello\n\n\r\n", {}, {});
        row("empty", "", {}, {});
    }
    void finds()
    {
        QFETCH(QByteArray, output);
        QFETCH(QString, metric);
        QFETCH(QStringList, expected);
        QFETCH(std::vector<double>, values);
        const QList<PatternCandidate> found = proposePatterns(output, metric);
        QCOMPARE(names(found), expected);
        for (const PatternCandidate& one : found) {
            QVERIFY2(checkMetricPattern(one.pattern), qPrintable(one.pattern));
            QCOMPARE(read(one, output), one.values);
        }
        if (!found.isEmpty()) {
            QCOMPARE(found[0].values, values);
            QCOMPARE(found[0].lines, int(values.size()));
        }
    }

    void ofALine()
    {
        const QByteArray output = "epoch 1 lr 0.1 acc 0.5\nepoch 2 lr 0.1 acc 0.6\n";
        QCOMPARE(names(proposePatternsOfLine(output, "epoch 2 lr 0.1 acc 0.6", {})),
            (QStringList{u"acc"_s, u"epoch"_s, u"lr"_s}));
        QVERIFY(proposePatternsOfLine(output, "no number here", {}).isEmpty());
        QVERIFY(proposePatternsOfLine(output, "other 0.7", {}).isEmpty());
    }

    void simplestPattern()
    {
        const auto found = proposePatterns("epoch 3 acc 0.81\nepoch 4 acc 0.82\n", {});
        QCOMPARE(found[0].pattern, uR"(acc (?<value>-?\d*\.?\d+(?:[eE][-+]?\d+)?))"_s);
    }

    /// What is looked at is bounded, and nothing in it is looked at again and again.
    void oddOutputTakesNoTime()
    {
#if defined(__SANITIZE_THREAD__)
        constexpr qint64 mostMs = 40'000; // it takes four times as long as the address sanitizer
#else
        constexpr qint64 mostMs = 10'000;
#endif
        std::clock_t begin = std::clock(); // of the processor: what runs beside it does not count
        for (const QByteArray& line : {QByteArray(1900, 'x'), QByteArray(1900, '7'), QByteArray("a ").repeated(900),
                 QByteArray("a 1 ").repeated(450), QByteArray("a.b-c/").repeated(300), QByteArray(100'000, 'x')}) {
            QByteArray output;
            while (output.size() < 2'000'000)
                output += line + '\n';
            (void)proposePatterns(output, u"loss"_s);
            const std::clock_t end = std::clock();
            QVERIFY2((end - begin) * 1'000 / CLOCKS_PER_SEC < mostMs, line.left(10));
            begin = end;
        }
    }
};

QTEST_GUILESS_MAIN(TestLogScan)
#include "tst_log_scan.moc"
