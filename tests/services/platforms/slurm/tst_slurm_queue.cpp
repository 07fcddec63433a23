// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/slurm/slurm_queue.h"

#include "slurm_fixtures.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::slurm;

namespace {

const QString recordedMark = u"|f2b9c05e|"_s;

/// "24 RUNNING exit - signal - nodes vm": a job in a line, so that a difference shows whole.
QString line(const SlurmJob& job)
{
    const auto number = [](std::optional<int> value) { return value ? QString::number(*value) : u"-"_s; };
    return u"%1 %2 %3 phase %4 end %5 reason %6 restarts %7 exit %8 signal %9"_s
        .arg(QString::number(job.id), job.arrayId.isEmpty() ? u"-"_s : job.arrayId, job.state.words.join(u'+'))
        .arg(int(job.state.phase))
        .arg(int(job.state.end))
        .arg(job.reason.isEmpty() ? u"-"_s : job.reason)
        .arg(job.restarts)
        .arg(number(job.exitCode), number(job.signal));
}

QStringList lines(const QList<SlurmJob>& jobs)
{
    QStringList all;
    for (const SlurmJob& job : jobs)
        all.append(line(job));
    return all;
}

const SlurmJob& jobOf(const QList<SlurmJob>& jobs, qint64 id)
{
    const auto found = std::find_if(jobs.begin(), jobs.end(), [id](const SlurmJob& job) { return job.id == id; });
    if (found == jobs.end())
        qFatal("no job %lld", id);
    return *found;
}

} // namespace

class TestSlurmQueue : public QObject
{
    Q_OBJECT
private slots:
    void recordedText();
    void recordedJson();
    void bothFormsSayTheSame();
    void newerJson_data();
    void newerJson();
    void anErrorIsNeverNoJobs_data();
    void anErrorIsNeverNoJobs();
    void noJobs();
    void everyCutIsAnError();
    void marksOfNames();
    void commands();
};

void TestSlurmQueue::recordedText()
{
    const auto jobs = readQueueText({.out = slurmFixture(u"22.05/squeue.txt"_s)}, recordedMark);
    QVERIFY2(jobs, qPrintable(jobs ? QString() : jobs.error().message.text()));
    QCOMPARE(lines(*jobs),
        (QStringList{
            u"5 - CANCELLED phase 4 end 3 reason JobHeldUser restarts 0 exit - signal -"_s,
            u"23 - FAILED phase 4 end 2 reason NonZeroExitCode restarts 0 exit 7 signal -"_s,
            u"29 - FAILED phase 4 end 2 reason BadConstraints restarts 0 exit - signal -"_s, // it never ran: its status 1 is no signal
            u"22 - PENDING phase 1 end 0 reason BeginTime restarts 1 exit - signal -"_s,
            u"25 - PENDING phase 1 end 0 reason Resources restarts 0 exit - signal -"_s,
            u"28 - PENDING phase 1 end 0 reason PartitionTimeLimit restarts 0 exit - signal -"_s,
            u"30 - PENDING phase 1 end 0 reason Priority restarts 0 exit - signal -"_s,
            u"31 - PENDING phase 1 end 0 reason Priority restarts 0 exit - signal -"_s,
            u"26 - PENDING phase 1 end 0 reason JobHeldUser restarts 0 exit - signal -"_s,
            u"24 - RUNNING phase 2 end 0 reason - restarts 0 exit - signal -"_s,
            u"27 27_[0-3] PENDING phase 1 end 0 reason JobHeldUser restarts 0 exit - signal -"_s,
        }));
    const SlurmJob& odd = jobOf(*jobs, 24);
    QCOMPARE(odd.name, u"odd |\t\"name\" é\n2nd \x1f line"_s);
    QCOMPARE(odd.comment, u"c|\n1"_s);
    QCOMPARE(odd.gres, u"gres:gpu:1"_s);
    QCOMPARE(odd.nodes, u"vm"_s);
    QCOMPARE(odd.user, u"root"_s);
    QCOMPARE(odd.partition, u"debug"_s);
    QCOMPARE(odd.submitTime, 1'795'476'420'000);
    QCOMPARE(odd.startTime, 1'795'476'421'000);
    QCOMPARE(odd.endTime, 1'795'476'721'000);
    QCOMPARE(jobOf(*jobs, 29).comment, QString());
    QCOMPARE(jobOf(*jobs, 26).startTime, std::nullopt);
}

void TestSlurmQueue::recordedJson()
{
    const auto jobs = readQueueJson({.out = slurmFixture(u"22.05/squeue.json"_s)});
    QVERIFY2(jobs, qPrintable(jobs ? QString() : jobs.error().message.text()));
    QCOMPARE(lines(*jobs),
        (QStringList{
            u"22 - PENDING phase 1 end 0 reason BeginTime restarts 1 exit - signal -"_s,
            u"23 - FAILED phase 4 end 2 reason NonZeroExitCode restarts 0 exit 7 signal -"_s,
            u"24 - RUNNING phase 2 end 0 reason - restarts 0 exit - signal -"_s,
            u"25 - PENDING phase 1 end 0 reason Resources restarts 0 exit - signal -"_s,
            u"27 27_[0-3] PENDING phase 1 end 0 reason JobHeldUser restarts 0 exit - signal -"_s,
        }));
}

void TestSlurmQueue::bothFormsSayTheSame()
{
    const auto text = readQueueText({.out = slurmFixture(u"22.05/squeue.txt"_s)}, recordedMark);
    const auto json = readQueueJson({.out = slurmFixture(u"22.05/squeue.json"_s)});
    for (const qint64 id : {23, 24}) { // the others have not begun, and Slurm's estimates changed between the two calls
        QCOMPARE(jobOf(*json, id), jobOf(*text, id));
    }
}

void TestSlurmQueue::newerJson_data()
{
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("23.02") << QStringList{u"501 - RUNNING phase 2 end 0 reason - restarts 1 exit - signal -"_s,
        u"502 - FAILED phase 4 end 2 reason NonZeroExitCode restarts 0 exit 7 signal -"_s,
        u"503 - FAILED phase 4 end 2 reason RaisedSignal:9(Killed) restarts 0 exit - signal 9"_s};
    QTest::newRow("23.11") << QStringList{
        u"601 - RUNNING+CONFIGURING+POWER_UP_NODE phase 1 end 0 reason - restarts 0 exit - signal -"_s,
        u"602 - CANCELLED phase 4 end 3 reason - restarts 0 exit - signal 15"_s,
        u"603 603_[0-2] PENDING phase 1 end 0 reason Priority restarts 0 exit - signal -"_s};
    // 706 is one of a heterogeneous set.
    QTest::newRow("24.11") << QStringList{
        u"704 700_3 COMPLETED+COMPLETING phase 3 end 1 reason - restarts 2 exit - signal -"_s,
        u"705 - OUT_OF_MEMORY phase 4 end 6 reason OutOfMemory restarts 0 exit 125 signal -"_s};
}

void TestSlurmQueue::newerJson()
{
    QFETCH(QStringList, expected);
    const auto jobs =
        readQueueJson({.out = slurmFixture(QString::fromLatin1(QTest::currentDataTag()) + u"/squeue.json"_s)});
    QVERIFY2(jobs, qPrintable(jobs ? QString() : jobs.error().message.text()));
    QCOMPARE(lines(*jobs), expected);
    QCOMPARE(jobs->first().submitTime, 1'795'219'416'000);
    QCOMPARE(jobs->first().user, u"ada"_s);
}

void TestSlurmQueue::anErrorIsNeverNoJobs_data()
{
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<QByteArray>("err");
    QTest::addColumn<bool>("json");
    QTest::addColumn<QString>("kind");
    const auto row = [](const char* name, int code, const QByteArray& out, const char* err, bool json,
                         const char* kind) {
        QTest::newRow(name) << code << out << QByteArray(err) << json << QString::fromLatin1(kind);
    };
    row("22.05, its controller down", 0, slurmFixture(u"22.05/squeue_down.json"_s), "", true, "network");
    row("errors beside jobs", 0, R"({"errors":[{"error":"x"}],"jobs":[{"job_id":1,"job_state":"RUNNING"}]})", "", true,
        "platform");
    row("errors with a known cause", 0,
        R"j({"errors":[{"description":"Unable to contact slurm controller (connect failure)"}],"jobs":[]})j", "", true,
        "network");
    row("errors are no list", 0, R"({"errors":"x","jobs":[]})", "", true, "network");
    row("no list of jobs", 0, R"({"errors":[]})", "", true, "network");
    row("a job without an id", 0, R"({"errors":[],"jobs":[{"job_state":"RUNNING"}]})", "", true, "network");
    row("a job without a state", 0, R"({"errors":[],"jobs":[{"job_id":1}]})", "", true, "network");
    row("half written", 0, slurmFixture(u"22.05/squeue.json"_s).left(5'000), "", true, "network");
    row("nothing", 0, "", "", true, "network");
    row("a list", 0, "[]", "", true, "network");
    row("no json in this build", 1, "", "squeue: fatal: JSON support requires serializer/json\n", true, "platform");
    row("text, controller down", 1, "", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
        false, "network");
    row("text, exit 0 and an error", 0, "",
        "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", false, "network");
    row("text, another error", 0, "", "squeue: error: something\n", false, "platform");
    row("text that is none", 0, "Password expired\n", "", false, "network");
    row("text with a field too few", 0, "1|f2b9c05e|RUNNING|f2b9c05e|.|f2b9c05e|\n", "", false, "network");
    row("text, busy", 1, "", "slurm_load_jobs error: Socket timed out on send/recv operation\n", false, "timeout");
}

void TestSlurmQueue::anErrorIsNeverNoJobs()
{
    QFETCH(int, exitCode);
    QFETCH(QByteArray, out);
    QFETCH(QByteArray, err);
    QFETCH(bool, json);
    QFETCH(QString, kind);
    const Reply reply{.exitCode = exitCode, .out = out, .err = err};
    const auto jobs = json ? readQueueJson(reply) : readQueueText(reply, recordedMark);
    QVERIFY(!jobs);
    QCOMPARE(kindName(jobs.error().kind), kind);
    QVERIFY(!jobs.error().message.isEmpty());
}

void TestSlurmQueue::noJobs()
{
    QCOMPARE(readQueueText({}, recordedMark)->size(), 0);
    QCOMPARE(readQueueJson({.out = R"({"errors":[],"jobs":[]})"})->size(), 0);
    QVERIFY(!readQueueText({.timedOut = true}, recordedMark));
    QVERIFY(!readQueueText({.cut = true}, recordedMark));
    QVERIFY(!readQueueText({.signal = 9}, recordedMark));
}

void TestSlurmQueue::everyCutIsAnError()
{
    const QByteArray text = slurmFixture(u"22.05/squeue.txt"_s);
    const auto whole = readQueueText({.out = text}, recordedMark);
    for (qsizetype size = 1; size < text.size(); ++size) {
        const auto jobs = readQueueText({.out = text.left(size)}, recordedMark);
        // Cut between two records nothing is missing but whole jobs, which the exit code tells.
        if (jobs)
            QVERIFY2(text.left(size).endsWith(".|f2b9c05e|\n"), qPrintable(QString::number(size)));
    }
    const QByteArray json = slurmFixture(u"23.11/squeue.json"_s).trimmed();
    for (qsizetype size = 0; size < json.size(); size += 7)
        QVERIFY(!readQueueJson({.out = json.left(size)}));
}

void TestSlurmQueue::marksOfNames()
{
    const QString mark = queueMark(0x0123456789abcdefULL);
    QCOMPARE(mark, u"|0123456789abcdef|"_s);
    // A name that looks like the end of a record with another mark is a name.
    QByteArray out = "7|M|7|M|u|M|p|M|RUNNING|M|None|M|0|M|0|M|1|M|1|M|1|M|n|M|N/A|M|(null)|M|a|X|.|X|\n8|X|8|M|.|M|\n";
    const auto jobs = readQueueText({.out = out}, u"|M|"_s);
    QVERIFY2(jobs, qPrintable(jobs ? QString() : jobs.error().message.text()));
    QCOMPARE(jobs->size(), 1);
    QCOMPARE(jobs->first().name, u"a|X|.|X|\n8|X|8"_s);
    // Parts of heterogeneous jobs are none of ours.
    out = "7|M|7+0|M|u|M|p|M|RUNNING|M|None|M|0|M|0|M|1|M|1|M|1|M|n|M|N/A|M|(null)|M|a|M|.|M|\n";
    QCOMPARE(readQueueText({.out = out}, u"|M|"_s)->size(), 0);
}

void TestSlurmQueue::commands()
{
    const QStringList words = queueTextCommand(u"|M|"_s);
    QCOMPARE(words.first(), u"squeue"_s);
    QVERIFY(words.last().startsWith(u"--Format=jobid:|M|,jobarrayid:|M|,"));
    QVERIFY(words.last().endsWith(u",name:|M|.|M|"));
    QVERIFY(queueJsonCommand().contains(u"--json"_s));
}

QTEST_GUILESS_MAIN(TestSlurmQueue)
#include "tst_slurm_queue.moc"
