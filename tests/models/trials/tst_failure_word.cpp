// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trials/failure_word.h"

#include <QTest>

using namespace Qt::StringLiterals;

class TestFailureWord : public QObject
{
    Q_OBJECT
private slots:
    void isWhatHappened_data()
    {
        QTest::addColumn<QString>("failureClass");
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("word");
        QTest::newRow("exit code") << u"exitCode"_s << u"The command ended with exit code 3."_s << u"Exit code"_s;
        QTest::newRow("signal") << u"signal"_s << u"The command was ended by signal 11 (SEGV)."_s << u"Signal"_s;
        QTest::newRow("killed") << u"outOfMemory"_s << u"Its memory limit was reached."_s << u"Out of memory"_s;
        QTest::newRow("device") << u"exitCode"_s
                                << u"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"_s
                                << u"CUDA out of memory"_s;
        QTest::newRow("device, TensorFlow")
            << u"exitCode"_s << u"RESOURCE_EXHAUSTED: OOM when allocating tensor"_s << u"CUDA out of memory"_s;
        QTest::newRow("host memory") << u"exitCode"_s << u"numpy.core._exceptions.MemoryError: Unable to allocate"_s
                                     << u"Out of memory"_s;
        QTest::newRow("disk") << u"exitCode"_s << u"OSError: [Errno 28] No space left on device: 'a.pt'"_s
                              << u"Disk full"_s;
        QTest::newRow("nan") << u"exitCode"_s << u"ValueError: loss is NaN at step 12"_s << u"NaN"_s;
        QTest::newRow("nan first") << u"exitCode"_s << u"RuntimeError: NaN detected in gradients"_s << u"NaN"_s;
        QTest::newRow("a word with nan in it")
            << u"exitCode"_s << u"KeyError: 'finance of nanometer'"_s << u"Exit code"_s;
        QTest::newRow("missing program") << u"commandNotFound"_s << u"python4: not found"_s << u"Could not start"_s;
        QTest::newRow("start") << u"startFailed"_s << u""_s << u"Could not start"_s;
        QTest::newRow("machine") << u"machineRestarted"_s << u"gpu-box-1 was restarted."_s << u"Machine restarted"_s;
        QTest::newRow("none") << u""_s << u""_s << u"Other"_s;
        QTest::newRow("of a newer service") << u"quantumLoss"_s << u""_s << u"quantumLoss"_s;
    }
    void isWhatHappened()
    {
        QFETCH(QString, failureClass);
        QFETCH(QString, cause);
        QFETCH(QString, word);
        QCOMPARE(models::failureWord(failureClass, cause, {}), word);
        // The line of output says it as well as the cause.
        QCOMPARE(models::failureWord(failureClass, {}, cause), word);
    }

    void aHugeMessageIsNotSearched()
    {
        QCOMPARE(models::failureWord(u"exitCode"_s, QString(1'000'000, u'x') + u" No space left on device"_s, {}),
            u"Exit code"_s);
    }
};

QTEST_APPLESS_MAIN(TestFailureWord)
#include "tst_failure_word.moc"
