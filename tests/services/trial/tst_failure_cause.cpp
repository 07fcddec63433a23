// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/trial/failure_cause.h"
#include "services/trial/trial_state.h"

#include <QElapsedTimer>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trial;

class TestFailureCause : public QObject
{
    Q_OBJECT

private slots:
    void folding_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("folded");
        const auto row = [](const QString& line, const QString& folded) {
            QTest::newRow(qPrintable(line)) << line << folded;
        };
        row(u"ValueError: bad value 0.25 at step 1200"_s, u"ValueError: bad value N at step N"_s);
        row(u"KeyError: 'lr'"_s, u"KeyError: '…'"_s);
        row(u"can't open file '/home/a/x.py': [Errno 2] No such file"_s,
            u"can't open file '…': [Errno N] No such file"_s);
        row(u"FileNotFoundError: /data/set_3/train.bin missing"_s, u"FileNotFoundError: PATH missing"_s);
        row(u"segfault at 0x7ffe12ab in deadbeef01234567"_s, u"segfault at HEX in HEX"_s);
        row(u"CUDA out of memory. Tried to allocate 2.00 GiB (GPU 3; 23.69 GiB total)"_s,
            u"CUDA out of memory. Tried to allocate N GiB (GPU N; N GiB total)"_s);
        row(u"trial 123e4567-e89b-12d3-a456-426614174000 died"_s, u"trial HEX died"_s);
        row(u"  a   b\tc "_s, u"a b c"_s);
        row(u"mat1 and mat2 shapes cannot be multiplied (32x784 and 512x10)"_s,
            u"mat1 and mat2 shapes cannot be multiplied (NxN and NxN)"_s);
        row(u"facade feedback decade"_s, u"facade feedback decade"_s);
        row(u"C:\\Users\\me\\x.py failed"_s, u"PATH failed"_s);
    }
    void folding()
    {
        QFETCH(QString, line);
        QFETCH(QString, folded);
        QCOMPARE(normaliseErrorLine(line), folded);
        QCOMPARE(normaliseErrorLine(folded), folded);
    }

    void errorLines_data()
    {
        QTest::addColumn<QByteArray>("tail");
        QTest::addColumn<QString>("line");
        QTest::newRow("traceback") << QByteArray(
            "Traceback (most recent call last):\n  File \"t.py\", line 3, in <module>\n    main()\n"
            "ValueError: no such layer\n")
                                   << u"ValueError: no such layer"_s;
        QTest::newRow("noise after it") << QByteArray(
            "Traceback (most recent call last):\n  File \"t.py\", line 3\n    x\nKeyError: 'a'\n"
            "wandb: waiting\nwandb: done\n")
                                        << u"KeyError: 'a'"_s;
        QTest::newRow("chained") << QByteArray(
            "Traceback (most recent call last):\n  a\nKeyError: 'a'\n\nDuring handling of the above "
            "exception, another exception occurred:\n\nTraceback (most recent call last):\n  b\n"
            "RuntimeError: second\n")
                                 << u"RuntimeError: second"_s;
        QTest::newRow("ranks") << QByteArray(
            "[rank0]: Traceback (most recent call last):\n[rank0]:   File\n[rank0]: torch.cuda."
            "OutOfMemoryError: CUDA out of memory.\n")
                               << u"torch.cuda.OutOfMemoryError: CUDA out of memory."_s;
        QTest::newRow("NNI's trial.log") << QByteArray(
            "[2023-09-14 08:00:00] INFO (nni) started\n[2023-09-14 08:00:01] PRINT Traceback (most recent call last):\n"
            "[2023-09-14 08:00:01] PRINT   File \"t.py\", line 3\n[2023-09-14 08:00:01] PRINT ValueError: no such "
            "layer\n"
            "[2023-09-14 08:00:01] ERROR (nni.runtime) gone\n")
                                         << u"ValueError: no such layer"_s;
        QTest::newRow("NNI's last line") << QByteArray(
            "[2023-09-14 08:00:00] PRINT\n[2023-09-14 08:00:01] PRINT diverged\n[2023-09-14 08:00:01] PRINT \n")
                                         << u"diverged"_s;
        QTest::newRow("syntax") << QByteArray(
            "  File \"t.py\", line 1\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n")
                                << u"SyntaxError: invalid syntax"_s;
        QTest::newRow("shell") << QByteArray("bash: line 1: trian: command not found\n")
                               << u"bash: line 1: trian: command not found"_s;
        QTest::newRow("cut traceback") << QByteArray("Traceback (most recent call last):\n  File \"t.py\"\n")
                                       << u"File \"t.py\""_s;
        QTest::newRow("progress") << QByteArray(" 1%\r 2%\r 3%") << u"3%"_s;
        QTest::newRow("none") << QByteArray("\n \n") << QString();
    }
    void errorLines()
    {
        QFETCH(QByteArray, tail);
        QFETCH(QString, line);
        QCOMPARE(errorLine(tail), line);
    }

    void groups()
    {
        Trial trial;
        trial.status = TrialStatus::failed;
        trial.failureClass = FailureClass::exitCode;
        trial.exitCode = 1;
        trial.reason = u"exit code 1"_s;
        const auto a =
            failureCause(trial, "Traceback (most recent call last):\n  x\nRuntimeError: CUDA out of memory: 2.1 GiB\n");
        const auto b =
            failureCause(trial, "Traceback (most recent call last):\n  y\nRuntimeError: CUDA out of memory: 3.7 GiB\n");
        const auto c = failureCause(trial, "Traceback (most recent call last):\n  y\nValueError: x\n");
        QCOMPARE(a.key, b.key);
        QVERIFY(a.key != c.key);
        QCOMPARE(a.cause, u"RuntimeError: CUDA out of memory: N GiB"_s);
        QCOMPARE(b.sample, u"RuntimeError: CUDA out of memory: 3.7 GiB"_s);
        // Nothing printed: the exit code is the cause, and another one is another.
        const auto silent = failureCause(trial, "");
        QCOMPARE(silent.cause, u"exit code 1"_s);
        trial.exitCode = 2;
        QVERIFY(failureCause(trial, "").key != silent.key);
        // What the machine did outweighs what was printed.
        trial.failureClass = FailureClass::outOfMemory;
        trial.reason = u"out of memory: it used 31 GiB"_s;
        QCOMPARE(failureCause(trial, "ValueError: x\n").key, failureCause(trial, "").key);
        QCOMPARE(failureCause(trial, "").sample, u"out of memory: it used 31 GiB"_s);
        trial.failureClass = FailureClass::signal;
        trial.signal = 11;
        QCOMPARE(failureCause(trial, "loading\n").cause, u"killed by signal 11 (SEGV); last words: loading"_s);
    }

    void hostileLinesAreQuick()
    {
        QElapsedTimer timer;
        timer.start();
        for (const QString& piece :
            {u"'"_s, u"a'"_s, u"/a"_s, u"0"_s, u"0x"_s, u"\""_s, u"1,"_s, u"ab-"_s, u"[rank1]: "_s, u"deadbeef-"_s}) {
            const QString text = normaliseErrorLine(piece.repeated(500'000 / piece.size()));
            QVERIFY(text.size() <= 200);
            QVERIFY(errorLine(piece.repeated(100'000 / piece.size()).toUtf8()).size() <= 100'000);
        }
        QVERIFY2(timer.elapsed() < 10'000, "a line took too long");
    }
};

QTEST_GUILESS_MAIN(TestFailureCause)
#include "tst_failure_cause.moc"
