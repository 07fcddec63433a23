// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/slurm/slurm_accounting.h"

#include "slurm_fixtures.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::slurm;

namespace {

/// A record with the mark |M|, of the fields that differ.
QByteArray record(const char* raw, const char* id, const char* state, const char* exit,
    const char* name = "td-svc01-t1", const char* nodes = "gpu02", const char* end = "1795219425")
{
    return QByteArray(raw) + "|M|" + id + "|M|ada|M|gpu|M|" + state + "|M|None|M|1795219416|M|1795219417|M|" + end
        + "|M|" + nodes + "|M|billing=1,cpu=1,gres/gpu=1,gres/gpu:a100=1,mem=50M,node=1|M||M|" + name + "|M|" + exit
        + '\n';
}

Result<Accounting> readOut(const QByteArray& out)
{
    return readAccounting({.out = out}, u"|M|"_s);
}

} // namespace

class TestSlurmAccounting : public QObject
{
    Q_OBJECT
private slots:
    void recorded();
    void jobs();
    void states_data();
    void states();
    void noAccounting();
    void errors_data();
    void errors();
    void everyCutIsAnError();
    void command();
};

void TestSlurmAccounting::recorded()
{
    const auto read = readAccounting({.out = slurmFixture(u"22.05/sacct.txt"_s)}, u"|f2b9c05e|"_s);
    QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
    QCOMPARE(read->jobs.size(), 2);
    const SlurmJob& failed = read->jobs.first();
    QCOMPARE(failed.name, u"a|b\n`c"_s); // Slurm's database turns a quote into a backtick
    QCOMPARE(failed.state.end, JobEnd::failed);
    QCOMPARE(failed.exitCode, 7);
    QCOMPARE(failed.gres, u"gres/gpu=1"_s);
    QCOMPARE(failed.endTime, 1'795'482'087'000);
    const SlurmJob& cancelled = read->jobs.last();
    QCOMPARE(cancelled.state.end, JobEnd::cancelled);
    QCOMPARE(cancelled.state.cancelledBy, u"0"_s);
    QCOMPARE(cancelled.exitCode, std::nullopt);
}

void TestSlurmAccounting::jobs()
{
    const auto read = readOut(record("18", "18", "FAILED", "7:0", "a|b\n\"é") + record("19", "7_3", "COMPLETED", "0:0")
        + record("19.batch", "7_3.batch", "COMPLETED", "0:0") + record("20", "20+0", "COMPLETED", "0:0"));
    QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
    QVERIFY(read->kept);
    QCOMPARE(read->jobs.size(), 2);
    const SlurmJob& job = read->jobs.first();
    QCOMPARE(job.id, 18);
    QCOMPARE(job.name, u"a|b\n\"é"_s);
    QCOMPARE(job.state.end, JobEnd::failed);
    QCOMPARE(job.exitCode, 7);
    QCOMPARE(job.signal, std::nullopt);
    QCOMPARE(job.submitTime, 1'795'219'416'000);
    QCOMPARE(job.endTime, 1'795'219'425'000);
    QCOMPARE(job.gres, u"gres/gpu=1,gres/gpu:a100=1"_s);
    QCOMPARE(job.reason, QString());
    QCOMPARE(read->jobs.last().arrayId, u"7_3"_s);
    QCOMPARE(readOut({})->jobs.size(), 0); // unknown ids
}

void TestSlurmAccounting::states_data()
{
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<QByteArray>("exit");
    QTest::addColumn<int>("end");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<int>("signal");
    QTest::newRow("cancelled by a user") << "CANCELLED by 1000"_ba
                                         << "0:0"_ba << int(JobEnd::cancelled) << -1 << -1;
    QTest::newRow("cancelled with its signal") << "CANCELLED by 1000"_ba
                                               << "0:15"_ba << int(JobEnd::cancelled) << -1 << 15;
    QTest::newRow("out of memory") << "OUT_OF_MEMORY"_ba
                                   << "0:125"_ba << int(JobEnd::outOfMemory) << -1 << 125;
    QTest::newRow("time limit") << "TIMEOUT"_ba
                                << "0:0"_ba << int(JobEnd::timeLimit) << 0 << -1;
    QTest::newRow("runs") << "RUNNING"_ba
                          << "0:0"_ba << int(JobEnd::none) << -1 << -1;
    QTest::newRow("put back") << "REQUEUED"_ba
                              << "1:0"_ba << int(JobEnd::none) << -1 << -1;
    QTest::newRow("an odd exit code") << "FAILED"_ba
                                      << "7"_ba << int(JobEnd::failed) << -1 << -1;
}

void TestSlurmAccounting::states()
{
    QFETCH(QByteArray, state);
    QFETCH(QByteArray, exit);
    QFETCH(int, end);
    QFETCH(int, exitCode);
    QFETCH(int, signal);
    const auto read = readOut(record("18", "18", state, exit));
    QVERIFY(read);
    const SlurmJob& job = read->jobs.first();
    QCOMPARE(int(job.state.end), end);
    QCOMPARE(job.exitCode.value_or(-1), exitCode);
    QCOMPARE(job.signal.value_or(-1), signal);
}

void TestSlurmAccounting::noAccounting()
{
    const auto read = readAccounting({.exitCode = 1, .err = "Slurm accounting storage is disabled\n"}, u"|M|"_s);
    QVERIFY(read);
    QVERIFY(!read->kept);
}

void TestSlurmAccounting::errors_data()
{
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<QByteArray>("err");
    QTest::addColumn<QString>("kind");
    QTest::newRow("database down")
        << 1 << ""_ba
        << "sacct: error: slurm_persist_conn_open_without_init: failed to open persistent connection\n"_ba
        << u"network"_s;
    QTest::newRow("database does not answer")
        << 1 << ""_ba
        << "sacct: error: Problem talking to the database: Connection refused\n"_ba << u"network"_s;
    QTest::newRow("bad field") << 1 << ""_ba
                               << "sacct: error: Invalid field requested: \"JobIDRaw\"\n"_ba << u"platform"_s;
    QTest::newRow("something else") << 0 << "Welcome\n"_ba
                                    << ""_ba << u"network"_s;
    QTest::newRow("no state") << 0 << record("18", "18", "", "0:0") << ""_ba << u"network"_s;
}

void TestSlurmAccounting::errors()
{
    QFETCH(int, exitCode);
    QFETCH(QByteArray, out);
    QFETCH(QByteArray, err);
    QFETCH(QString, kind);
    const auto read = readAccounting({.exitCode = exitCode, .out = out, .err = err}, u"|M|"_s);
    QVERIFY(!read);
    QCOMPARE(kindName(read.error().kind), kind);
}

void TestSlurmAccounting::everyCutIsAnError()
{
    const QByteArray first = record("18", "18", "FAILED", "7:0", "a\nb");
    const QByteArray both = first + record("19", "19", "COMPLETED", "0:0");
    for (qsizetype size = 1; size < both.size(); ++size) {
        const auto read = readOut(both.left(size));
        QVERIFY2(!read || size == first.size(), qPrintable(QString::number(size)));
    }
}

void TestSlurmAccounting::command()
{
    const QStringList words = accountingCommand({18, 19}, u"|M|"_s);
    QVERIFY(words.contains(u"--jobs=18,19"_s));
    QVERIFY(words.contains(u"--delimiter=|M|"_s));
    QVERIFY(words.last().startsWith(u"--format=JobIDRaw,JobID,"));
    QVERIFY(words.last().endsWith(u",JobName,ExitCode"));
}

QTEST_GUILESS_MAIN(TestSlurmAccounting)
#include "tst_slurm_accounting.moc"
