// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/slurm/slurm_reasons.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::slurm;

class TestSlurmReasons : public QObject
{
    Q_OBJECT
private slots:
    void sentences_data();
    void sentences();
    void numbersStandInTheSentence();
    void aReasonIsOneLine();
};

void TestSlurmReasons::sentences_data()
{
    QTest::addColumn<QString>("begins");
    QTest::addColumn<bool>("stuck");
    const auto row = [](const char* reason, const QString& begins, bool stuck = false) {
        QTest::newRow(reason) << begins << stuck;
    };
    row("None", {});
    row("(null)", {});
    row("Resources", u"It waits for what it needs to become free in the partition gpu."_s);
    row("Priority", u"Other jobs in the partition gpu have a higher priority"_s);
    row("PartitionTimeLimit", u"Its time limit is above that of the partition gpu"_s, true);
    row("PartitionNodeLimit", u"It asks for more than the partition gpu allows"_s, true);
    row("PartitionConfig", u"It asks for more than the partition gpu allows"_s, true);
    row("PartitionDown", u"The partition gpu is down"_s);
    row("PartitionInactive", u"The partition gpu is inactive"_s);
    row("ReqNodeNotAvail", u"A node that it needs is down, drained or reserved."_s);
    row("ReqNodeNotAvail, UnavailableNodes:gpu[1-3]", u"A node that it needs is down, drained or reserved."_s);
    row("Dependency", u"It waits for another job"_s);
    row("DependencyNeverSatisfied", u"The job that it depends on has ended"_s, true);
    row("JobHeldUser", u"It is held by its user."_s, true);
    row("JobHeldAdmin", u"It is held by an administrator"_s, true);
    row("BeginTime", u"Its earliest start is not reached"_s);
    row("Reservation", u"It waits for its reservation"_s);
    row("BadConstraints", u"No node of the partition gpu can fulfil"_s, true);
    row("Licenses", u"It waits for a license"_s);
    row("InvalidQOS", u"Its QOS is not valid"_s, true);
    row("AccountNotAllowed", u"Its account may not use the partition gpu."_s, true);
    row("launch failed requeued held", u"Its launch failed on the node"_s, true);
    row("launch_failed_requeued_held", u"Slurm lets it wait: launch_failed_requeued_held."_s);
    row("Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions",
        u"The nodes that it needs are down, drained, or reserved"_s);
    row("QOSMaxJobsPerUserLimit", u"Your jobs have reached a limit of the QOS (QOSMaxJobsPerUserLimit)."_s);
    row("QOSMaxGRESPerUser", u"Your jobs have reached a limit of the QOS (QOSMaxGRESPerUser)."_s);
    row("QOSMaxWallDurationPerJobLimit", u"One job may not ask for so much"_s, true);
    row("QOSGrpGRES", u"All jobs of the QOS together have reached a limit (QOSGrpGRES)."_s);
    row("AssocGrpCpuLimit", u"All jobs of the account together have reached a limit"_s);
    row("AssocGrpCPUMinutesLimit", u"The computing time of the account is used up"_s);
    row("AssocMaxJobsLimit", u"Your jobs have reached a limit of the account"_s);
    row("MaxGRESPerAccount", u"Your jobs have reached a limit of the account"_s);
    row("InventedReason", u"Slurm lets it wait: InventedReason."_s);
}

void TestSlurmReasons::sentences()
{
    QFETCH(QString, begins);
    QFETCH(bool, stuck);
    const PendingReason reason = pendingReason(QString::fromLatin1(QTest::currentDataTag()), {.partition = u"gpu"_s});
    QVERIFY2(reason.message.startsWith(begins), qPrintable(reason.message.text()));
    QCOMPARE(reason.message.isEmpty(), begins.isEmpty());
    QCOMPARE(reason.stuck, stuck);
    QVERIFY(reason.message.isEmpty() || reason.message.hasKey()); // can be said in another language
}

void TestSlurmReasons::numbersStandInTheSentence()
{
    const ReasonFacts facts{.partition = u"gpu"_s,
        .gpus = 2,
        .cpus = 1,
        .memoryMb = 8'192,
        .timeLimitSeconds = 7'200,
        .partitionLimitSeconds = 3'600,
        .startsInMs = 5'400'000};
    QCOMPARE(pendingReason(u"Resources"_s, facts).message.text(),
        u"It waits for 2 GPUs, 1 CPU, 8192 MB of memory to become free in the partition gpu. Slurm expects it to start in 1 h 30 min."_s);
    QCOMPARE(pendingReason(u"PartitionTimeLimit"_s, facts).message.text(),
        u"Its time limit, 2 h, is above that of the partition gpu, 1 h, so it never starts. Set timeLimit lower, or choose another partition."_s);
    QCOMPARE(
        pendingReason(u"Resources"_s).message.text(), u"It waits for what it needs to become free in the partition."_s);
    QVERIFY(pendingReason(u"ReqNodeNotAvail, UnavailableNodes:gpu[1-3]"_s)
                .message.endsWith(u" (UnavailableNodes:gpu[1-3])"));
}

void TestSlurmReasons::aReasonIsOneLine()
{
    const QString text = pendingReason(u"odd\x1b[31m\nreason %1"_s).message.text();
    QVERIFY(!text.contains(u'\n'));
    QVERIFY(!text.contains(QChar(0x1b)));
    QVERIFY(text.contains(u"reason %1"_s));
}

QTEST_GUILESS_MAIN(TestSlurmReasons)
#include "tst_slurm_reasons.moc"
