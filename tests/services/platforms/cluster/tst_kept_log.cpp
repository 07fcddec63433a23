// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of trials as they are kept: nothing twice, gaps and what was left out are said, and a kill at any instant loses nothing.
#include "services/core/files/atomic_file.h"
#include "services/platforms/cluster/kept_logs.h"
#include "tests/fakes/small_disk.h"

#include <QCoroTask>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace platforms;

namespace {

constexpr qint64 limit = 64 * 1024;
constexpr qint64 fileSize = limit / KeptLog::mostFiles;

QByteArray numbered(qint64 from, qint64 to)
{
    QByteArray bytes;
    for (qint64 i = from; i < to; ++i)
        bytes += i % 8 == 7 ? '\n' : char('a' + i / 8 % 26);
    return bytes;
}

QByteArray wholeLog(KeptLog& log)
{
    QByteArray all;
    for (qint64 at = 0;;) {
        ReadRange range;
        range.offset = at;
        range.limit = 1'000;
        const auto bytes = log.read(range, true);
        if (!bytes)
            return "error: " + bytes.error().message.toUtf8();
        all += bytes->bytes;
        at = bytes->offset + bytes->bytes.size();
        if (bytes->end)
            return all;
    }
}

} // namespace

class TestKeptLog : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { m_hasDisk = m_disk.mount(m_base.filePath(u"disk"_s)); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void nothingTwice();
    void gaps();
    void runs();
    void ranges();
    void leftOut();
    void continues();
    void killed();
    void noticeCutOff();
    void powerFailure();
    void fullDisk();
    void wrongCalls();
    void logsOfTrials();
    void piecesOfALog();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(u"t/stdout"_s); }

    QTemporaryDir m_base;
    SmallDisk m_disk;
    bool m_hasDisk = false;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestKeptLog::nothingTwice()
{
    KeptLog log(path(), limit);
    QVERIFY(log.append("1f", 0, numbered(0, 100)));
    QVERIFY(log.append("1f", 0, numbered(0, 100)));
    QVERIFY(log.append("1f", 50, numbered(50, 150)));
    QVERIFY(log.append("1f", 10, numbered(10, 20)));
    QVERIFY(log.append("1f", 150, {}));
    QCOMPARE(wholeLog(log), numbered(0, 150));
}

void TestKeptLog::gaps()
{
    KeptLog log(path(), limit);
    QVERIFY(log.append("1f", 7, numbered(7, 100)));
    QVERIFY(log.append("1f", 120, numbered(120, 130)));
    QVERIFY(log.append("1f", 110, numbered(110, 130))); // what came later than what is behind it is not put in
    QVERIFY(log.append("1f", 200, {}));                 // the end of the stream is known
    QVERIFY(log.append("1f", 200, {}));
    QCOMPARE(wholeLog(log),
        KeptLog::gapNotice(7) + numbered(7, 100) + KeptLog::gapNotice(20) + numbered(120, 130)
            + KeptLog::gapNotice(70));
}

void TestKeptLog::runs()
{
    KeptLog log(path(), limit);
    QVERIFY(log.append("1f", 0, "first\n"));
    QVERIFY(log.append("2a", 0, "second\n"));
    QVERIFY(log.append("2a", 3, "ond\nmore\n"));
    QVERIFY(log.append("3b", 5, "third\n"));
    QCOMPARE(wholeLog(log), "first\n" + KeptLog::gapNotice(0) + "second\nmore\n" + KeptLog::gapNotice(5) + "third\n");
}

void TestKeptLog::ranges()
{
    KeptLog log(path(), limit);
    const QByteArray all = numbered(0, 3 * fileSize + 17);
    QVERIFY(log.append("1f", 0, all));
    ReadRange range;
    range.offset = fileSize - 5;
    range.limit = fileSize + 10; // over two ends of files
    auto bytes = log.read(range, false);
    QCOMPARE(bytes->bytes, all.mid(fileSize - 5, fileSize + 10));
    QCOMPARE(bytes->offset, fileSize - 5);
    QCOMPARE(bytes->size, all.size());
    QVERIFY(!bytes->end);
    range = {};
    range.tail = 100;
    bytes = log.read(range, true);
    QCOMPARE(bytes->bytes, all.right(100));
    QVERIFY(bytes->end);
    range = {};
    range.offset = all.size() + 100;
    bytes = log.read(range, false);
    QCOMPARE(bytes->bytes, QByteArray());
    QCOMPARE(bytes->offset, all.size());
    QVERIFY(!bytes->end);
    range.offset = -5;
    range.limit = -5;
    QVERIFY(log.read(range, false)->bytes.isEmpty());
    KeptLog none(path() + u"-none"_s, limit);
    QCOMPARE(none.read({}, false)->size, 0);
    QVERIFY(none.read({}, true)->end);
}

void TestKeptLog::leftOut()
{
    KeptLog log(path(), limit);
    const qint64 total = 20 * fileSize + 100;
    for (qint64 at = 0; at < total; at += 1'000)
        QVERIFY(log.append("1f", at, numbered(at, std::min(at + 1'000, total))));
    QCOMPARE(QDir(path()).entryList(QDir::Files).size(), KeptLog::mostFiles + 1);
    const qint64 holeEnd = (20 - KeptLog::mostFiles + 2) * fileSize;
    const QByteArray notice = KeptLog::limitNotice(holeEnd - fileSize);
    QCOMPARE(wholeLog(log), numbered(0, fileSize) + notice + numbered(holeEnd, total));
    // An offset in it is moved on to the notice, one in the notice stays.
    ReadRange range;
    range.offset = fileSize + 1;
    range.limit = notice.size() + 3;
    auto bytes = log.read(range, false);
    QCOMPARE(bytes->offset, holeEnd - notice.size());
    QCOMPARE(bytes->bytes, notice + numbered(holeEnd, holeEnd + 3));
    range.offset = holeEnd - 2;
    range.limit = 4;
    bytes = log.read(range, false);
    QCOMPARE(bytes->offset, holeEnd - 2);
    QCOMPARE(bytes->bytes, notice.right(2) + numbered(holeEnd, holeEnd + 2));
    range = {};
    range.tail = 1'000'000;
    QVERIFY(log.read(range, true)->bytes == numbered(0, fileSize));
    // The same as another process sees it, with another limit in its settings.
    KeptLog again(path(), 1'000'000);
    QVERIFY(again.append("1f", total - 50, numbered(total - 50, total + 50)));
    QCOMPARE(wholeLog(again), numbered(0, fileSize) + notice + numbered(holeEnd, total + 50));
}

void TestKeptLog::continues()
{
    for (qint64 at = 0; at < 1'000; at += 100) {
        KeptLog log(path(), limit);
        QVERIFY(log.append("1f", std::max<qint64>(at - 30, 0), numbered(std::max<qint64>(at - 30, 0), at + 100)));
    }
    KeptLog log(path(), limit);
    QCOMPARE(wholeLog(log), numbered(0, 1'000));
}

void TestKeptLog::killed()
{
    // A writer is killed again and again; each begins some way before what it knows to be kept, as a log that is read again does.
    const qint64 total = 40 * fileSize;
    const QByteArray all = numbered(0, total);
    int kills = 0;
    for (int round = 0; round < 60; ++round) {
        KeptLog seen(path(), limit);
        const qint64 from = std::max<qint64>(seen.read({}, false)->size - 500, 0);
        const pid_t writer = ::fork();
        QVERIFY(writer >= 0);
        if (writer == 0) {
            KeptLog log(path(), limit);
            bool good = true;
            for (qint64 at = from; at < total && good; at += 37)
                good =
                    log.append("1f", at, QByteArrayView(all).sliced(at, std::min<qint64>(37, total - at))).has_value();
            ::_exit(good ? 0 : 1);
        }
        ::usleep(useconds_t(1'000 + QRandomGenerator::global()->bounded(5'000))); // any instant will do
        ::kill(writer, SIGKILL);
        int status = 0;
        QCOMPARE(::waitpid(writer, &status, 0), writer);
        QVERIFY(!WIFEXITED(status) || WEXITSTATUS(status) == 0);
        kills += WIFSIGNALED(status) ? 1 : 0;
    }
    QVERIFY(kills > 0);
    KeptLog log(path(), limit);
    const qint64 size = log.read({}, false)->size;
    QVERIFY(
        log.append("1f", std::max<qint64>(size - 500, 0), QByteArrayView(all).sliced(std::max<qint64>(size - 500, 0))));
    const qint64 holeEnd = (40 - KeptLog::mostFiles + 1) * fileSize;
    QCOMPARE(
        wholeLog(log), numbered(0, fileSize) + KeptLog::limitNotice(holeEnd - fileSize) + numbered(holeEnd, total));
}

void TestKeptLog::noticeCutOff()
{
    // Killed in the middle of the notice of a gap, wherever: it is finished, once.
    const QByteArray notice = KeptLog::gapNotice(50);
    for (qsizetype kept = 0; kept <= notice.size(); ++kept) {
        const QString folder = m_folder->filePath(QString::number(kept));
        {
            KeptLog log(folder, limit);
            QVERIFY(log.append("1f", 0, numbered(0, 10)));
            QVERIFY(log.append("1f", 60, {}));
        }
        QVERIFY(QFile::resize(folder + u"/0"_s, 10 + kept));
        KeptLog log(folder, limit);
        QVERIFY(log.append("1f", 55, numbered(55, 70)));
        QCOMPARE(wholeLog(log), numbered(0, 10) + notice + numbered(60, 70));
    }
}

void TestKeptLog::powerFailure()
{
    {
        KeptLog log(path(), limit);
        QVERIFY(log.append("1f", 0, numbered(0, 2 * fileSize)));
        QVERIFY(log.append("2a", 0, "next\n"));
    }
    // The latest bytes never reached the disk, or `position` is none of ours.
    QVERIFY(QFile::resize(path() + u"/1"_s, 100));
    QVERIFY(QFile::remove(path() + u"/2"_s));
    {
        KeptLog log(path(), limit);
        QVERIFY(log.append("2a", 0, "next\n"));
        QVERIFY(wholeLog(log).endsWith("next\n"));
    }
    for (const QByteArray& text : {QByteArray(), QByteArray("x y z"), QByteArray("0 0 0 0 1f"),
             QByteArray("8192 -1 0 0 1f"), QByteArray("8192 9999999999999999999 0 0 1f"), QByteArray(1'000, '1')}) {
        QVERIFY(writeAtomically(path() + u"/position"_s, text));
        KeptLog log(path(), limit);
        QVERIFY(log.append("3b", 0, "good\n"));
        QVERIFY(wholeLog(log).endsWith("good\n"));
    }
}

void TestKeptLog::fullDisk()
{
    if (!m_hasDisk)
        QSKIP("a file system is mounted by root alone");
    const QString folder = m_base.filePath(u"disk/log"_s);
    KeptLog log(folder, limit);
    QVERIFY(log.append("1f", 0, numbered(0, 100)));
    QVERIFY(m_disk.fill());
    const Result<> full = log.append("1f", 100, numbered(100, 3 * fileSize));
    QVERIFY(!full);
    QVERIFY(isOutOfSpace(full.error()));
    QVERIFY(!log.append("2a", 0, "other\n")); // its position cannot be written
    KeptLog other(m_base.filePath(u"disk/other"_s), limit);
    QVERIFY(!other.append("1f", 0, "x"));
    m_disk.release();
    QVERIFY(log.append("1f", 100, numbered(100, 3 * fileSize)));
    QCOMPARE(wholeLog(log), numbered(0, 3 * fileSize));
    QVERIFY(other.append("1f", 0, "x"));
    QCOMPARE(wholeLog(other), QByteArray("x"));
}

void TestKeptLog::wrongCalls()
{
    KeptLog log(path(), limit);
    for (const char* run : {"", "1F", "../x", "12345678901234567", "a b"})
        QCOMPARE(log.append(run, 0, "x").error().kind, Kind::invalid);
    QCOMPARE(log.append("1f", -1, "x").error().kind, Kind::invalid);
    QVERIFY(!QFile::exists(path()));
}

void TestKeptLog::logsOfTrials()
{
    KeptLogs logs(m_folder->path(), limit);
    const TrialId trial(u"ada"_s);
    QVERIFY(QCoro::waitFor(logs.append(
        trial, {{u"stdout"_s, "1f", 0, "out\n"}, {u"stderr"_s, "1f", 0, "err\n"}, {u"stdout"_s, "1f", 4, "more\n"}})));
    QCOMPARE(QCoro::waitFor(logs.read(trial, u"stdout"_s, {}, false))->bytes, QByteArray("out\nmore\n"));
    QCOMPARE(QCoro::waitFor(logs.read(trial, u"stderr"_s, {}, true))->bytes, QByteArray("err\n"));
    QCOMPARE(QCoro::waitFor(logs.read(TrialId(u"bob"_s), u"stderr"_s, {}, true))->size, 0);
    QVERIFY(QCoro::waitFor(logs.append(TrialId(u"bob"_s), {{u"stdout"_s, "1f", 0, "bob\n"}})));
    QVERIFY(QCoro::waitFor(logs.remove({trial, TrialId(u"none"_s)})));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{u"bob"_s});
    // Removed, then written again: it begins anew.
    QVERIFY(QCoro::waitFor(logs.append(trial, {{u"stdout"_s, "2a", 0, "new\n"}})));
    QCOMPARE(QCoro::waitFor(logs.read(trial, u"stdout"_s, {}, false))->bytes, QByteArray("new\n"));
    for (const QString& wrong : {u""_s, u".."_s, u"a/b"_s, u"/etc"_s})
        QCOMPARE(QCoro::waitFor(logs.remove({TrialId(wrong)})).error().kind, Kind::invalid);
}

void TestKeptLog::piecesOfALog()
{
    // From the frames of a pod's log to the kept log.
    const trialkeeper::PodFrameWriter writer("ada.1", "7f");
    std::string text;
    writer.addBytes(text, trialkeeper::PodStream::standardOutput, 0, "hello\n");
    writer.addBytes(text, trialkeeper::PodStream::nni, 0, "metric");
    writer.addBytes(text, trialkeeper::PodStream::standardError, 0, "oops\n");
    writer.addBytes(text, trialkeeper::PodStream::standardOutput, 16, "after a gap\n");
    QVERIFY(writer.addWhole(text, 'x', 0, "40 5 6 0 {}"));
    trialkeeper::PodLogReader reader("ada.1");
    std::vector<trialkeeper::PodLogPiece> pieces;
    const std::string before = reader.cursor().run;
    reader.feed(text, pieces);
    reader.finish(pieces);
    KeptLogs logs(m_folder->path(), limit);
    const TrialId trial(u"ada"_s);
    for (int twice = 0; twice < 2; ++twice)
        QVERIFY(QCoro::waitFor(logs.append(trial, keptPieces(pieces, before))));
    QCOMPARE(QCoro::waitFor(logs.read(trial, u"stdout"_s, {}, true))->bytes,
        "hello\n" + KeptLog::gapNotice(10) + "after a gap\n" + KeptLog::gapNotice(12));
    QCOMPARE(QCoro::waitFor(logs.read(trial, u"stderr"_s, {}, true))->bytes, QByteArray("oops\n"));
}

QTEST_GUILESS_MAIN(TestKeptLog)
#include "tst_kept_log.moc"
