// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/slurm/slurm_submit.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::slurm;
using Outcome = SubmitAnswer::Outcome;

Q_DECLARE_METATYPE(platforms::slurm::SubmitAnswer::Outcome)

class TestSlurmSubmit : public QObject
{
    Q_OBJECT
private slots:
    void accepted_data();
    void accepted();
    void notAccepted_data();
    void notAccepted();
    void unknownWithoutAWholeAnswer();
};

void TestSlurmSubmit::accepted_data()
{
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<qint64>("id");
    QTest::addColumn<QString>("cluster");
    QTest::newRow("an id") << "123\n"_ba << qint64(123) << QString();
    QTest::newRow("with its cluster") << "123;west\n"_ba << qint64(123) << u"west"_s;
    QTest::newRow("without a line end") << "123"_ba << qint64(123) << QString();
    QTest::newRow("behind a greeting") << "Your quota is fine\n123\n"_ba << qint64(123) << QString();
}

void TestSlurmSubmit::accepted()
{
    QFETCH(QByteArray, out);
    QFETCH(qint64, id);
    QFETCH(QString, cluster);
    const SubmitAnswer answer = readSubmit({.out = out, .err = "sbatch: lua: welcome\n"});
    QCOMPARE(answer.outcome, Outcome::accepted);
    QCOMPARE(answer.id, id);
    QCOMPARE(answer.cluster, cluster);
}

void TestSlurmSubmit::notAccepted_data()
{
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<QByteArray>("err");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("begins");
    const auto row = [](const char* name, int code, const char* err, Outcome outcome, const char* kind,
                         const QString& begins, const char* out = "") {
        QTest::newRow(name) << code << QByteArray(out) << QByteArray(err) << outcome << QString::fromLatin1(kind)
                            << begins;
    };
    // Recorded from 22.05.8.
    row("partition", 1,
        "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid "
        "partition name specified\n",
        Outcome::refused, "invalid", u"Slurm has no such partition"_s);
    row("too many GPUs", 1,
        "sbatch: error: Batch job submission failed: Requested node configuration is not available\n", Outcome::refused,
        "invalid", u"No node can fulfil what the trial asks for"_s);
    row("too much memory", 1,
        "sbatch: error: Memory specification can not be satisfied\nsbatch: error: Batch job submission failed: "
        "Requested node configuration is not available\n",
        Outcome::refused, "invalid", u"No node has so much memory"_s);
    row("reservation", 1, "sbatch: error: Batch job submission failed: Requested reservation is invalid\n",
        Outcome::refused, "invalid", u"The reservation cannot be used"_s);
    row("constraint", 1, "sbatch: error: Batch job submission failed: Invalid feature specification\n",
        Outcome::refused, "invalid", u"No node has the features"_s);
    row("gres", 1, "sbatch: error: Invalid generic resource (gres) specification\n", Outcome::refused, "invalid",
        u"Slurm does not know such GPUs"_s);
    row("time", 255, "sbatch: error: Invalid --time specification\n", Outcome::refused, "invalid",
        u"Slurm does not understand a value of the settings (Invalid --time specification)."_s);
    row("option", 1, "sbatch: unrecognized option '--bogus'\nTry \"sbatch --help\" for more information\n",
        Outcome::refused, "invalid", u"This Slurm does not know an option of the extra arguments"_s);
    row("script", 1,
        "sbatch: error: This does not look like a batch script.  The first\nsbatch: error: line must start with #! "
        "followed by the path to an interpreter.\n",
        Outcome::refused, "invalid", u"Slurm does not take the job's script"_s);
    row("controller down", 1,
        "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)\n",
        Outcome::none, "network", u"Slurm's controller does not answer, so nothing was submitted."_s);
    // From Slurm's list of errors.
    row("account", 1,
        "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified\n",
        Outcome::refused, "invalid", u"The account is not known"_s);
    row("qos", 1, "sbatch: error: Batch job submission failed: Invalid qos specification\n", Outcome::refused,
        "invalid", u"The QOS is not known"_s);
    row("time limit", 1,
        "sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)\n",
        Outcome::refused, "invalid", u"The time limit is missing"_s);
    row("too large for the qos", 1,
        "sbatch: error: QOSMaxGRESPerUser\nsbatch: error: Batch job submission failed: Job violates accounting/QOS "
        "policy (job submit limit, user's size and/or time limits)\n",
        Outcome::refused, "invalid",
        u"It asks for more than a limit of the account or the QOS allows (QOSMaxGRESPerUser;"_s);
    row("too many jobs of the qos", 1,
        "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates "
        "accounting/QOS policy (job submit limit, user's size and/or time limits)\n",
        Outcome::later, "resource", u"Slurm takes no more jobs of yours at the moment (QOSMaxSubmitJobPerUserLimit;"_s);
    row("too many jobs of the account", 1,
        "sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed: Job violates "
        "accounting/QOS policy (job submit limit, user's size and/or time limits)\n",
        Outcome::later, "resource", u"Slurm takes no more jobs of yours"_s);
    row("MaxJobCount", 1,
        "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying\nsbatch: error: Batch job "
        "submission failed: Resource temporarily unavailable\n",
        Outcome::later, "resource", u"Slurm takes no more jobs of yours"_s);
    row("the controller's disk is full", 1,
        "sbatch: error: Batch job submission failed: I/O error writing script/environment to file\n", Outcome::none,
        "network", u"Slurm's controller could not keep the job"_s);
    row("busy", 1, "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n",
        Outcome::unknown, "timeout",
        u"It is not known whether Slurm took the job (Socket timed out on send/recv operation)."_s);
    row("the answer was lost", 1,
        "sbatch: error: Batch job submission failed: Unable to contact slurm controller (receive failure)\n",
        Outcome::unknown, "timeout", u"It is not known"_s);
    row("an id and an error", 1, "sbatch: error: the disk is full\n", Outcome::unknown, "timeout", u"It is not known"_s,
        "12\n");
    row("done without an id", 0, "", Outcome::unknown, "timeout",
        u"It is not known whether Slurm took the job (sbatch printed no id)."_s, "Submitted batch job\n");
    row("two ids", 0, "", Outcome::unknown, "timeout", u"It is not known"_s, "12\n13\n");
    row("id 0", 0, "", Outcome::unknown, "timeout", u"It is not known"_s, "0\n");
    row("permissions", 1,
        "sbatch: error: Batch job submission failed: User's group not permitted to use this partition\n",
        Outcome::refused, "auth", u"Slurm does not permit this"_s);
    row("not installed", 127, "sh: sbatch: not found\n", Outcome::refused, "invalid",
        u"The command sbatch cannot be run there."_s);
    row("the site's own rule", 1,
        "sbatch: error: Please name a project\nsbatch: error: Batch job submission failed: Unknown error\n",
        Outcome::refused, "invalid", u"The command sbatch failed: Please name a project; Unknown error."_s);
}

void TestSlurmSubmit::notAccepted()
{
    QFETCH(int, exitCode);
    QFETCH(QByteArray, out);
    QFETCH(QByteArray, err);
    QFETCH(Outcome, outcome);
    QFETCH(QString, kind);
    QFETCH(QString, begins);
    const SubmitAnswer answer = readSubmit({.exitCode = exitCode, .out = out, .err = err});
    QCOMPARE(int(answer.outcome), int(outcome));
    QCOMPARE(kindName(answer.error.kind), kind);
    QVERIFY2(answer.error.message.startsWith(begins), qPrintable(answer.error.message.text()));
    QCOMPARE(answer.id, 0);
}

void TestSlurmSubmit::unknownWithoutAWholeAnswer()
{
    QCOMPARE(readSubmit({.signal = 9}).outcome, Outcome::unknown);
    QCOMPARE(readSubmit({.out = "12\n", .timedOut = true}).outcome, Outcome::unknown);
    QCOMPARE(readSubmit({.out = "12", .cut = true}).outcome, Outcome::unknown);
    QCOMPARE(submitCommand(), (QStringList{u"sbatch"_s, u"--parsable"_s}));
}

QTEST_GUILESS_MAIN(TestSlurmSubmit)
#include "tst_slurm_submit.moc"
