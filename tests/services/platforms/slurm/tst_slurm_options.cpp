// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/platform_fields.h"
#include "services/platforms/memory_size.h"
#include "services/platforms/slurm/slurm_fields.h"
#include "services/platforms/slurm/slurm_options.h"

#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::slurm;

namespace {

Json json(const char* text)
{
    return *parseJson(text);
}

} // namespace

class TestSlurmOptions : public QObject
{
    Q_OBJECT
private slots:
    void fieldsAreDescribed();
    void settings();
    void memory_data();
    void memory();
    void times();
    void applied();
    void theExperimentWins();
    void refused_data();
    void refused();
};

void TestSlurmOptions::fieldsAreDescribed()
{
    const KindDescription kind = slurmKind();
    QCOMPARE(kind.kind, u"slurm"_s);
    for (const QList<Field>& fields : {kind.fields, slurmExperimentFields()}) {
        QSet<QString> names;
        for (const Field& field : fields) {
            QVERIFY2(!names.contains(field.name), qPrintable(field.name));
            names.insert(field.name);
            QVERIFY2(field.title.hasKey() && field.help.hasKey(), qPrintable(field.name));
        }
    }
}

void TestSlurmOptions::settings()
{
    const QList<Field> fields = slurmKind().fields;
    const auto filled = checkedSettings(fields, json(R"({"workingDirectory":"/shared"})"));
    QVERIFY2(filled, qPrintable(filled ? QString() : filled.error().message.text()));
    QCOMPARE(filled->at("transport").get<QString>(), u"cli"_s);
    QCOMPARE(filled->at("pollInterval").get<int>(), 10);
    QCOMPARE(filled->at("gpuOption").get<QString>(), u"gres"_s);
    QVERIFY(!checkedSettings(fields, json("{}")));
    QVERIFY(!checkedSettings(fields, json(R"({"workingDirectory":"/shared","pollInterval":9})")));
    QVERIFY(!checkedSettings(fields, json(R"({"workingDirectory":"/shared","transport":"rest"})")));
    QVERIFY(!checkedSettings(fields, json(R"({"workingDirectory":"/shared","partitions":"x"})")));
    QCOMPARE(dumpJson(splitSecrets(fields, json(R"({"workingDirectory":"/shared","password":"x"})")).secrets),
        R"({"password":"x"})"_ba);
    QVERIFY(checkedSettings(slurmExperimentFields(), json(R"({"trialMemorySize":"1 GB"})")));
    QVERIFY(!checkedSettings(slurmExperimentFields(), json("{}")));
}

void TestSlurmOptions::memory_data()
{
    QTest::addColumn<qint64>("mb"); // 0: refused
    const auto row = [](const char* text, qint64 mb) { QTest::newRow(text) << mb; };
    row("8 GB", 8'192);
    row("8gb", 8'192);
    row("8G", 8'192);
    row("8GiB", 8'192);
    row("1.5 GB", 1'536);
    row("512MB", 512);
    row("512", 512);
    row("2 TB", 2'097'152);
    row("1 KB", 1);
    row("0", 0);
    row("", 0);
    row("8 gigs", 0);
    row("-8 GB", 0);
    row("8 GB 4", 0);
    row("999999999999 GB", 0);
}

void TestSlurmOptions::memory()
{
    QFETCH(qint64, mb);
    const Result<qint64> read = platforms::memorySizeMb(QString::fromLatin1(QTest::currentDataTag()));
    QCOMPARE(read.value_or(0), mb);
}

void TestSlurmOptions::times()
{
    QCOMPARE(timeLimitSeconds(u"90"_s).value_or(0), 5'400);
    QCOMPARE(timeLimitSeconds(u" 1-12:00:00 "_s).value_or(0), 129'600);
    QVERIFY(!timeLimitSeconds(u"0"_s));
    QVERIFY(!timeLimitSeconds(u"2h"_s));
    QVERIFY(!timeLimitSeconds(u"UNLIMITED"_s));
}

void TestSlurmOptions::applied()
{
    ScriptValues values;
    const Result<> done = applyOptions(values,
        json(
            R"({"partition":"gpu","account":"lab","gpuOption":"gpus","preamble":"module load x","containerRuntime":"pyxis","extraArgs":"--nice=1 -x \"n 1\""})"),
        json(
            R"({"gpuType":"a100","trialCpuNumber":4,"trialMemorySize":"8 GB","timeLimit":"2:00:00","containerImage":"a#b","exclusive":true,"signalBeforeEnd":60,"requeue":true})"));
    QVERIFY2(done, qPrintable(done ? QString() : done.error().message.text()));
    QCOMPARE(values.partition, u"gpu"_s);
    QCOMPARE(values.account, u"lab"_s);
    QVERIFY(values.gpusOption);
    QCOMPARE(values.preamble, u"module load x"_s);
    QCOMPARE(values.runtime, ContainerRuntime::pyxis);
    QCOMPARE(values.image, u"a#b"_s);
    QCOMPARE(values.extraArguments, (QStringList{u"--nice=1"_s, u"-x"_s, u"n 1"_s}));
    QCOMPARE(values.gpuType, u"a100"_s);
    QCOMPARE(values.cpus, 4);
    QCOMPARE(values.memoryMb, 8'192);
    QCOMPARE(values.timeLimitSeconds, 7'200);
    QVERIFY(values.exclusive && values.requeue);
    QCOMPARE(values.signalSecondsBefore, 60);
}

void TestSlurmOptions::theExperimentWins()
{
    ScriptValues values;
    QVERIFY(applyOptions(values, json(R"({"partition":"gpu","qos":"normal","extraArgs":"--nice=1"})"),
        json(R"({"partition":" long ","qos":"","extraArgs":"--nice=2"})")));
    QCOMPARE(values.partition, u"long"_s);
    QCOMPARE(values.qos, u"normal"_s);
    QCOMPARE(values.extraArguments, (QStringList{u"--nice=1"_s, u"--nice=2"_s}));
    QCOMPARE(values.runtime, ContainerRuntime::none);
    QCOMPARE(values.cpus, 1);
}

void TestSlurmOptions::refused_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QString>("begins");
    QTest::newRow("memory") << R"({"trialMemorySize":"much"})"_ba
                            << u"trialMemorySize: \"much\" is no size of memory."_s;
    QTest::newRow("time") << R"({"timeLimit":"soon"})"_ba << u"timeLimit: \"soon\" is no time limit."_s;
    QTest::newRow("arguments") << R"({"extraArgs":"--job-name=x"})"_ba
                               << u"extraArgs: The extra argument \"--job-name=x\" cannot be used"_s;
}

void TestSlurmOptions::refused()
{
    QFETCH(QByteArray, options);
    QFETCH(QString, begins);
    ScriptValues values;
    const Result<> done = applyOptions(values, Json::object(), *parseJson(options));
    QVERIFY(!done);
    QCOMPARE(done.error().kind, Kind::invalid);
    QVERIFY2(done.error().message.startsWith(begins), qPrintable(done.error().message.text()));
}

QTEST_GUILESS_MAIN(TestSlurmOptions)
#include "tst_slurm_options.moc"
