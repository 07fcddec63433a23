// SPDX-License-Identifier: GPL-3.0-or-later
// The proof that the help menu offers, with a real service that is really killed.
#include "app/pull_plug.h"

#include <QTest>

using namespace Qt::StringLiterals;
using app::PullPlug;

class TestPullPlug : public QObject
{
    Q_OBJECT
private slots:
    void pullingThePlugLosesNothing()
    {
        PullPlug run(QStringLiteral(TRIALDECK_BIN_DIR "/trialdeckd"));
        run.start();
        QTRY_VERIFY_WITH_TIMEOUT(run.isFinished(), 120'000);
        const ui::PlugProof& proof = run.proof();
        QVERIFY2(proof.isGood(), qPrintable(proof.problem + u'\n' + proof.text()));
        QCOMPARE(proof.trials.size(), 8);
        QCOMPARE(proof.adoptedCount(), 8);
        QVERIFY(proof.gapValues() > 0);
        QVERIFY(proof.pidAfter != proof.pidBefore);
    }

    void aServiceThatDoesNotStartIsSaid()
    {
        PullPlug run(u"/nowhere/trialdeckd"_s);
        run.start();
        QTRY_VERIFY(run.isFinished());
        QVERIFY(!run.proof().isGood());
        QVERIFY(!run.proof().problem.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestPullPlug)
#include "tst_pull_plug.moc"
