// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/slurm/slurm_states.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::slurm;

Q_DECLARE_METATYPE(platforms::slurm::JobPhase)
Q_DECLARE_METATYPE(platforms::slurm::JobEnd)

class TestSlurmStates : public QObject
{
    Q_OBJECT
private slots:
    void everyWord_data();
    void everyWord();
    void combined_data();
    void combined();
    void unknownWordsAreKept();
    void whoCancelledIt();
};

void TestSlurmStates::everyWord_data()
{
    QTest::addColumn<QString>("abbreviation");
    QTest::addColumn<JobPhase>("phase");
    QTest::addColumn<JobEnd>("end");
    const auto row = [](const char* word, const char* abbreviation, JobPhase phase, JobEnd end = JobEnd::none) {
        QTest::newRow(word) << QString::fromLatin1(abbreviation) << phase << end;
    };
    // The words of 22.05.
    row("PENDING", "PD", JobPhase::waiting);
    row("CONFIGURING", "CF", JobPhase::waiting);
    row("REQUEUED", "RQ", JobPhase::waiting);
    row("REQUEUE_HOLD", "RH", JobPhase::waiting);
    row("REQUEUE_FED", "RF", JobPhase::waiting);
    row("RESV_DEL_HOLD", "RD", JobPhase::waiting);
    row("SPECIAL_EXIT", "SE", JobPhase::waiting);
    row("RUNNING", "R", JobPhase::running);
    row("RESIZING", "RS", JobPhase::running);
    row("SIGNALING", "SI", JobPhase::running);
    row("SUSPENDED", "S", JobPhase::running);
    row("STOPPED", "ST", JobPhase::running);
    row("COMPLETING", "CG", JobPhase::completing);
    row("STAGE_OUT", "SO", JobPhase::completing);
    row("COMPLETED", "CD", JobPhase::ended, JobEnd::succeeded);
    row("CANCELLED", "CA", JobPhase::ended, JobEnd::cancelled);
    row("FAILED", "F", JobPhase::ended, JobEnd::failed);
    row("TIMEOUT", "TO", JobPhase::ended, JobEnd::timeLimit);
    row("NODE_FAIL", "NF", JobPhase::ended, JobEnd::nodeFailure);
    row("PREEMPTED", "PR", JobPhase::ended, JobEnd::preempted);
    row("BOOT_FAIL", "BF", JobPhase::ended, JobEnd::bootFailure);
    row("DEADLINE", "DL", JobPhase::ended, JobEnd::deadline);
    row("OUT_OF_MEMORY", "OOM", JobPhase::ended, JobEnd::outOfMemory);
    row("REVOKED", "RV", JobPhase::ended, JobEnd::revoked);
    // Newer ones.
    row("LAUNCH_FAILED", "LF", JobPhase::ended, JobEnd::launchFailed);
    row("RECONFIG_FAIL", "RC", JobPhase::ended, JobEnd::nodeFailure);
    row("POWER_UP_NODE", "PU", JobPhase::waiting);
    row("EXPEDITING", "EX", JobPhase::waiting);
    row("UPDATE_DB", "UD", JobPhase::unknown);
}

void TestSlurmStates::everyWord()
{
    QFETCH(QString, abbreviation);
    QFETCH(JobPhase, phase);
    QFETCH(JobEnd, end);
    const QString word = QString::fromLatin1(QTest::currentDataTag());
    for (const QString& spelling : {word, word.toLower(), abbreviation}) {
        const JobState state = jobState({spelling});
        QCOMPARE(state.phase, phase);
        QCOMPARE(state.end, end);
        QCOMPARE(state.suspended, word == u"SUSPENDED" || word == u"STOPPED");
        QCOMPARE(state.words, QStringList{spelling});
    }
}

void TestSlurmStates::combined_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<JobPhase>("phase");
    QTest::addColumn<JobEnd>("end");
    const auto row = [](const char* name, const QStringList& words, JobPhase phase, JobEnd end = JobEnd::none) {
        QTest::newRow(name) << words << phase << end;
    };
    row("the end is said before it is over", {u"COMPLETED"_s, u"COMPLETING"_s}, JobPhase::completing,
        JobEnd::succeeded);
    row("being put back", {u"PENDING"_s, u"COMPLETING"_s, u"REQUEUED"_s}, JobPhase::completing);
    row("put back", {u"PENDING"_s, u"REQUEUED"_s}, JobPhase::waiting);
    row("put back and held", {u"PENDING"_s, u"REQUEUE_HOLD"_s}, JobPhase::waiting);
    row("its nodes boot", {u"RUNNING"_s, u"CONFIGURING"_s, u"POWER_UP_NODE"_s}, JobPhase::waiting);
    row("resized", {u"RUNNING"_s, u"RESIZING"_s}, JobPhase::running);
    row("signalled", {u"RUNNING"_s, u"SIGNALING"_s}, JobPhase::running);
    row("a flag says why", {u"FAILED"_s, u"LAUNCH_FAILED"_s}, JobPhase::ended, JobEnd::launchFailed);
    row("launch failed, tried again", {u"PENDING"_s, u"LAUNCH_FAILED"_s}, JobPhase::waiting);
    row("revoked", {u"CANCELLED"_s, u"REVOKED"_s}, JobPhase::ended, JobEnd::revoked);
    row("a flag for the database", {u"COMPLETED"_s, u"UPDATE_DB"_s}, JobPhase::ended, JobEnd::succeeded);
    row("an invented flag", {u"RUNNING"_s, u"DANCING"_s}, JobPhase::running);
    row("cut by sacct", {u"OUT_OF_ME+"_s}, JobPhase::ended, JobEnd::outOfMemory);
    row("cut behind the word", {u"CANCELLED+"_s}, JobPhase::ended, JobEnd::cancelled);
    row("cut, and not unique", {u"RE+"_s}, JobPhase::unknown);
    row("cancelled by a user", {u"CANCELLED by 1000"_s}, JobPhase::ended, JobEnd::cancelled);
    row("none", {}, JobPhase::unknown);
    row("empty", {QString()}, JobPhase::unknown);
    row("only the sign", {u"+"_s}, JobPhase::unknown);
}

void TestSlurmStates::combined()
{
    QFETCH(QStringList, words);
    QFETCH(JobPhase, phase);
    QFETCH(JobEnd, end);
    const JobState state = jobState(words);
    QCOMPARE(state.phase, phase);
    QCOMPARE(state.end, end);
    QCOMPARE(state.words, words);
}

void TestSlurmStates::unknownWordsAreKept()
{
    const JobState state = jobState({u"FROBNICATED"_s});
    QCOMPARE(state.phase, JobPhase::unknown);
    QCOMPARE(state.end, JobEnd::none);
    QCOMPARE(state.words, QStringList{u"FROBNICATED"_s});
}

void TestSlurmStates::whoCancelledIt()
{
    QCOMPARE(jobState({u"CANCELLED by 1000"_s}).cancelledBy, u"1000"_s);
    QCOMPARE(jobState({u"CANCELLED"_s}).cancelledBy, QString());
    QVERIFY(jobState({u"REQUEUE_HOLD"_s}).held);
    QVERIFY(jobState({u"REQUEUE_HOLD"_s}).requeued);
    QVERIFY(!jobState({u"PENDING"_s}).held);
}

QTEST_GUILESS_MAIN(TestSlurmStates)
#include "tst_slurm_states.moc"
