// SPDX-License-Identifier: GPL-3.0-or-later
// The version, the common errors of commands, and the values that several parsers read.
#include "services/platforms/slurm/slurm_commands.h"
#include "services/platforms/slurm/slurm_queue.h"
#include "services/platforms/slurm/slurm_values.h"
#include "services/platforms/slurm/slurm_version.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::slurm;

class TestSlurmVersion : public QObject
{
    Q_OBJECT
private slots:
    void versions_data();
    void versions();
    void textBelow2302();
    void commandErrors_data();
    void commandErrors();
    void values();
    void noVariableOfAnOuterJob();
};

void TestSlurmVersion::versions_data()
{
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<QString>("version");
    QTest::newRow("Debian") << "slurm-wlm 22.05.8\n"_ba << u"22.05.8"_s;
    QTest::newRow("plain") << "slurm 23.11.4\n"_ba << u"23.11.4"_s;
    QTest::newRow("candidate") << "slurm 24.05.0-0rc1\n"_ba << u"24.05.0"_s;
    QTest::newRow("a greeting in front") << "Welcome to the cluster\nslurm 24.11.1\n"_ba << u"24.11.1"_s;
    QTest::newRow("without a third number") << "slurm 21.08\n"_ba << u"21.08.0"_s;
    QTest::newRow("another sinfo") << "sinfo (GNU coreutils) 9.1\n"_ba << QString();
    QTest::newRow("huge numbers") << "slurm 99999999999.1.1\n"_ba << QString();
    QTest::newRow("nothing") << ""_ba << QString();
}

void TestSlurmVersion::versions()
{
    QFETCH(QByteArray, out);
    QFETCH(QString, version);
    const Result<SlurmVersion> read = readVersion({.out = out});
    QCOMPARE(read.has_value(), !version.isEmpty());
    if (read)
        QCOMPARE(read->text(), version);
}

void TestSlurmVersion::textBelow2302()
{
    QCOMPARE(queueForm({22, 5, 8}), QueueForm::text);
    QCOMPARE(queueForm({23, 2, 0}), QueueForm::json);
    QCOMPARE(queueForm({24, 11, 0}), QueueForm::json);
}

void TestSlurmVersion::commandErrors_data()
{
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("err");
    QTest::addColumn<QString>("kind");
    const auto row = [](const char* name, int code, const char* err, const char* kind) {
        QTest::newRow(name) << code << QByteArray(err) << QString::fromLatin1(kind);
    };
    row("done", 0, "", "");
    row("done with a warning", 0, "sinfo: warning: old\n", "");
    row("controller down", 1, "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
        "network");
    row("scancel, controller down", 8,
        "scancel: error: Kill job error on job id 5: Unable to contact slurm controller (connect failure)\n",
        "network");
    row("standby", 1, "slurm_load_jobs error: Controller is in standby mode, try a different controller\n", "network");
    row("busy", 1, "slurm_load_jobs error: Socket timed out on send/recv operation\n", "timeout");
    row("busy, exit 0", 0, "slurm_load_jobs error: Socket timed out on send/recv operation\n", "timeout");
    row("somebody else's job", 210, "scancel: error: Kill job error on job id 5: Access/permission denied\n", "auth");
    row("no munge", 1, "squeue: error: If munged is up, restart with --num-threads=10\n", "auth");
    row("not installed", 127, "sh: 1: squeue: not found\n", "invalid");
    row("no slurm.conf", 1,
        "squeue: error: fetch_config: DNS SRV lookup failed\nsqueue: fatal: Could not establish a configuration "
        "source\n",
        "invalid");
    row("anything else", 1, "squeue: error: the moon is full\n", "platform");
    row("silent", 3, "", "platform");
}

void TestSlurmVersion::commandErrors()
{
    QFETCH(int, exitCode);
    QFETCH(QByteArray, err);
    QFETCH(QString, kind);
    const std::optional<Error> error = commandError({.exitCode = exitCode, .err = err}, u"squeue"_s);
    QCOMPARE(error ? kindName(error->kind) : QString(), kind);
    if (error) {
        QVERIFY2(error->message.contains(u"."), qPrintable(error->message.text()));
        QCOMPARE(error->detail.toUtf8(), err);
    }
    QCOMPARE(commandError({.signal = 9}, u"squeue"_s)->kind, Kind::timeout);
    QCOMPARE(commandError({.timedOut = true}, u"squeue"_s)->kind, Kind::timeout);
    QCOMPARE(slurmWords("sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: "
                        "Invalid partition name "
                        "specified\n"),
        u"invalid partition specified: nope; Invalid partition name specified"_s);
    QVERIFY(slurmWords(QByteArray(100'000, 'x')).size() <= 500);
}

void TestSlurmVersion::values()
{
    QCOMPARE(slurmDuration(u"90"), 5'400);
    QCOMPARE(slurmDuration(u"03:04"), 184);
    QCOMPARE(slurmDuration(u"02:03:04"), 7'384);
    QCOMPARE(slurmDuration(u"1-02"), 93'600);
    QCOMPARE(slurmDuration(u"1-02:03:04"), 93'784);
    for (const QString& none : {u"UNLIMITED"_s, u"INFINITE"_s, u"NONE"_s, u""_s, u"1:2:3:4"_s, u"-5"_s, u"1-"_s})
        QCOMPARE(slurmDuration(none), std::nullopt);
    QCOMPARE(slurmMemory(u"2000"), 2'000);
    QCOMPARE(slurmMemory(u"2G"), 2'048);
    QCOMPARE(slurmMemory(u"G"), std::nullopt);
    QCOMPARE(slurmTime(u"1795219416"), 1'795'219'416'000);
    for (const QString& none : {u"N/A"_s, u"Unknown"_s, u"0"_s, u"2026-11-21T00:26:21"_s})
        QCOMPARE(slurmTime(none), std::nullopt);
    QCOMPARE(waitStatus(1'792).exitCode, 7);
    QCOMPARE(waitStatus(9).signal, 9);
    QCOMPARE(waitStatus(9).exitCode, std::nullopt);
    QCOMPARE(exitPair(u"7:0").exitCode, 7);
    QCOMPARE(exitPair(u"0:15").signal, 15);
    QCOMPARE(exitPair(u"x").signal, std::nullopt);
}

void TestSlurmVersion::noVariableOfAnOuterJob()
{
    const QStringList names = unsetVariables();
    for (const char* name :
        {"SQUEUE_FORMAT", "SQUEUE_STATES", "SACCT_FORMAT", "SBATCH_PARTITION", "SLURM_JOB_ID", "SLURM_CPUS_PER_TASK"})
        QVERIFY2(names.contains(QString::fromLatin1(name)), name);
    QVERIFY(!names.contains(u"SLURM_CONF"_s));
    QCOMPARE(commandEnvironment().value(u"SLURM_TIME_FORMAT"_s), u"%s"_s);
    QCOMPARE(commandEnvironment(u"/x/slurm.conf"_s).value(u"SLURM_CONF"_s), u"/x/slurm.conf"_s);
    QCOMPARE(cancelCommand({7, 8}), (QStringList{u"scancel"_s, u"7"_s, u"8"_s}));
}

QTEST_GUILESS_MAIN(TestSlurmVersion)
#include "tst_slurm_version.moc"
