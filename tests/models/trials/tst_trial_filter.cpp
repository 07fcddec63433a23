// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machine_cells.h"
#include "models/trials/trial_cell.h"
#include "models/trials/trial_filter.h"
#include "models/trials/trial_text.h"

#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using namespace models;

class TstTrialFilter : public QObject
{
    Q_OBJECT
private slots:
    void thisComputerHasOneName();
    void fits_data();
    void fits();
    void errors_data();
    void errors();
    void emptyFitsAll();
    void unknownNamesAreTold();
    void aParameterWinsOverAField();
    void rangeText();
    void brushesOfAnyName_data();
    void brushesOfAnyName();
    void noTextCrashes();
};

static TrialTable table()
{
    TrialTable out;
    out.setObjective({u"accuracy"_s, true});
    Trial trial;
    trial.id = TrialId(u"t00000000000001"_s);
    trial.sequenceId = 143;
    trial.status = TrialStatus::failed;
    trial.machineId = MachineId(u"lab3"_s);
    trial.gpuIndices = {1};
    trial.reason = u"The command ended with exit code 1. Last line of stderr: CUDA out of memory"_s;
    trial.tags = {u"baseline"_s};
    trial.parameters = R"({"lr": 0.02, "batch": 32, "optimizer": "AdamW", "nested": {"a": [1, 2]}, "flag": true})";
    trial.submitTime = 1'000'000;
    trial.startTime = 1'060'000;
    trial.endTime = 1'060'000 + 2 * 3'600'000;
    trial.exitCode = 1;
    trial.bestMetric = 0.91;
    trial.latestMetric = MetricSummary{9, 10, {MetricValue::Kind::object, 0, R"({"accuracy": "NaN"})"}, 1};
    out.put(std::make_shared<const Trial>(trial));
    return out;
}

/// In the window it is this computer; filters take the words of the command line, too.
void TstTrialFilter::thisComputerHasOneName()
{
    Trial trial;
    trial.id = TrialId(u"t1"_s);
    trial.platformId = PlatformId(u"local"_s);
    trial.machineId = MachineId(u"local"_s);
    trial.gpuIndices = {0, 1};
    TrialTable out;
    out.put(std::make_shared<const Trial>(trial));
    QCOMPARE(cellText(out, int(TrialColumn::machine), 0, 0, false), u"this computer · 0, 1"_s);
    QCOMPARE(cellText(out, int(TrialColumn::platform), 0, 0, false), u"this computer"_s);
    QCOMPARE(machineWord(trial), platformName(trial.platformId));
    QCOMPARE(platformNameWithId(trial.platformId), u"this computer (local)"_s);
    QCOMPARE(platformNameWithId(PlatformId(u"lab"_s)), u"lab"_s);
    for (const QString& text :
        {u"machine:local"_s, u"platform:local"_s, u"\"this computer\""_s, u"local"_s, u"/this .*puter/"_s}) {
        auto filter = TrialFilter::parse(text);
        QVERIFY(filter);
        filter->bind(out);
        QVERIFY2(filter->matches(out, 0, 0), qPrintable(text));
    }
    // A machine of that name elsewhere is another one.
    trial.platformId = PlatformId(u"lab"_s);
    QCOMPARE(machineWord(trial), u"local"_s);
}

void TstTrialFilter::fits_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char* text, bool expected) {
        QTest::newRow(text) << QString::fromUtf8(text) << expected;
    };
    row("lr>0.01", true);
    row("lr>0.02", false);
    row("lr>=0.02", true);
    row("lr<1e-1", true);
    row("lr=0.02", true);
    row("lr==0.02", true);
    row("lr!=0.02", false);
    row("lr:0.01..0.05", true);
    row("lr:..0.01", false);
    row("lr:0.02..", true);
    row("!lr>0.01", false);
    row("state:failed", true);
    row("state:fail", true);
    row("STATE:Failed", true);
    row("state:running,failed", true);
    row("state:running", false);
    row("state=failed", true);
    row("state!=failed", false);
    row("!state:cancelled", true);
    row("lr>0.01 state:failed", true);
    row("lr>0.01 state:running", false);
    row("batch:32", true);
    row("batch:3", false);
    row("batch:16,32", true);
    row("optimizer:adam", true);
    row("optimizer=adamw", true);
    row("optimizer:sgd", false);
    row("optimizer~^ad.*w$", true);
    row("flag:true", true);
    row("nested~2", true);
    row("machine:lab3", true);
    row("machine:lab1", false);
    row("tag:baseline", true);
    row("tag:base", false);
    row("reason~memory", true);
    row("\"out of memory\"", true);
    row("out of memory", true);
    row("reason:\"the command\"", true);
    row("143", true);
    row("lab3", true);
    row("adamw", true);
    row("nothing", false);
    row("!nothing", true);
    row("/cuda .* memory/", true);
    row("/cuda .* disk/", false);
    row("!/cuda .* memory/", false);
    row("/cuda\\/x/", false);
    row("best>0.9", true);
    row("accuracy>0.9", true);
    row("last>0", false);
    row("last<0", false);
    row("ran>1h", true);
    row("ran>3h", false);
    row("ran:1h..3h", true);
    row("waited:1min", true);
    row("waited>30s", true);
    row("exit=1", true);
    row("#=143", true);
    row("absent>1", false);
    row("!absent>1", true);
    row("   ", true);
}

void TstTrialFilter::fits()
{
    QFETCH(QString, text);
    QFETCH(bool, expected);
    const TrialTable rows = table();
    auto filter = TrialFilter::parse(text);
    QVERIFY2(filter, filter ? "" : qPrintable(filter.error().message));
    filter->bind(rows);
    QCOMPARE(filter->matches(rows, 0, 0), expected);
}

void TstTrialFilter::errors_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("two signs") << u"lr>>0.01"_s << u"Expected a number after >"_s;
    QTest::newRow("no number") << u"lr>"_s << u"Expected a number after >"_s;
    QTest::newRow("a word") << u"lr<=big"_s << u"Expected a number after <="_s;
    QTest::newRow("no name") << u">3"_s << u"Expected a name before >"_s;
    QTest::newRow("alone") << u"!"_s << u"Expected a word after !"_s;
    QTest::newRow("no state") << u"state:sleeping"_s << u"There is no state sleeping"_s;
    QTest::newRow("no value") << u"tag:"_s << u"Expected a value after tag:"_s;
    QTest::newRow("half a range") << u"lr:0.1..x"_s << u"Expected a number on each side of .."_s;
}

void TstTrialFilter::errors()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto filter = TrialFilter::parse(text);
    QVERIFY(!filter);
    QCOMPARE(filter.error().message, message);
    QCOMPARE(filter.error().kind, Kind::invalid);
}

void TstTrialFilter::emptyFitsAll()
{
    const TrialTable rows = table();
    const auto filter = TrialFilter::parse({});
    QVERIFY(filter);
    QVERIFY(filter->isEmpty());
    QVERIFY(filter->matches(rows, 0, 0));
}

void TstTrialFilter::unknownNamesAreTold()
{
    const TrialTable rows = table();
    auto filter = TrialFilter::parse(u"lr>0 momentum<1 state:failed word"_s);
    filter->bind(rows);
    QCOMPARE(filter->unknownNames(), QStringList{u"momentum"_s});
}

void TstTrialFilter::aParameterWinsOverAField()
{
    TrialTable rows;
    Trial trial;
    trial.id = TrialId(u"t1"_s);
    trial.sequenceId = 7;
    trial.parameters = R"({"number": 1})";
    rows.put(std::make_shared<const Trial>(trial));
    auto filter = TrialFilter::parse(u"number=1"_s);
    filter->bind(rows);
    QVERIFY(filter->matches(rows, 0, 0));
}

void TstTrialFilter::rangeText()
{
    QCOMPARE(rangeFilter(u"lr"_s, 0.004, 0.02), u"lr:0.004..0.02"_s);
    const auto filter = TrialFilter::parse(rangeFilter(u"two words"_s, 1, HUGE_VAL));
    QVERIFY(filter);
    QCOMPARE(filter->text(), u"\"two words\":1.."_s);
    QCOMPARE(wordsFilter(u"optimizer"_s, {u"adam"_s, u"sgd nesterov"_s}), u"optimizer:adam,\"sgd nesterov\""_s);
}

/// Of a brush, whatever a script calls its parameters.
void TstTrialFilter::brushesOfAnyName_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name :
        {"lr", "two words", "net:depth", "a=b", "!x", "/x", "x/y", "~", "a<b", "tab\tbed", "a\u00a0b", "größe"})
        QTest::newRow(name) << QString::fromUtf8(name);
}

void TstTrialFilter::brushesOfAnyName()
{
    QFETCH(QString, name);
    TrialTable rows;
    for (const char* word : {"adam", "sgd nesterov", "a:b"}) {
        Trial trial;
        trial.id = TrialId(u"t%1"_s.arg(rows.size()));
        trial.parameters = dumpJson(Json{{name.toStdString(), word}, {"n" + name.toStdString(), rows.size()}});
        rows.put(std::make_shared<const Trial>(trial));
    }
    const auto fitting = [&rows](const QString& text) {
        QList<quint32> fits;
        auto filter = TrialFilter::parse(text);
        if (!filter)
            return fits;
        filter->bind(rows);
        for (quint32 row = 0; row < rows.size(); ++row)
            if (filter->matches(rows, row, 0))
                fits.append(row);
        return fits;
    };
    QCOMPARE(fitting(rangeFilter(u'n' + name, 0.5, 1.5)), QList<quint32>{1});
    QCOMPARE(fitting(wordsFilter(name, {u"sgd nesterov"_s})), QList<quint32>{1});
    QCOMPARE(fitting(wordsFilter(name, {u"adam"_s, u"a:b"_s})), (QList<quint32>{0, 2}));
}

void TstTrialFilter::noTextCrashes()
{
    const TrialTable rows = table();
    QRandomGenerator random(2026);
    const QString letters = u"lr<>=!:~/\\\".,0 1e-+statefailed#()[]{}*?^$|\u202e\u0000ä"_s;
    for (int i = 0; i < 20'000; ++i) {
        QString text;
        for (int n = random.bounded(24); n > 0; --n)
            text += letters[random.bounded(int(letters.size()))];
        auto filter = TrialFilter::parse(text);
        if (!filter) {
            QVERIFY(!filter.error().message.isEmpty());
            continue;
        }
        filter->bind(rows);
        (void)filter->matches(rows, 0, 0);
    }
}

QTEST_APPLESS_MAIN(TstTrialFilter)
#include "tst_trial_filter.moc"
