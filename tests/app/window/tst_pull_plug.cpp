// SPDX-License-Identifier: GPL-3.0-or-later
// The proof that the help menu offers, with a real service that is really killed.
#include "app/window/pull_plug.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

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
        QTRY_VERIFY_WITH_TIMEOUT(run.isFinished(), 30'000);
        QVERIFY(!run.proof().isGood());
        QVERIFY(!run.proof().problem.isEmpty());
    }

    void nobodyWaitsForItsEnd()
    {
        const QTemporaryDir folder;
        const QString mark = folder.filePath(u"mark"_s);
        const QString daemon = folder.filePath(u"daemon"_s);
        QFile script(daemon);
        QVERIFY(script.open(QIODevice::WriteOnly));
        // A service that does not listen to SIGTERM, and names its folder: its last argument.
        script.write("#!/bin/sh\ntrap '' TERM\nfor last; do :; done\necho \"$$ $last\" > '" + mark.toUtf8()
            + ".new'\nmv '" + mark.toUtf8() + ".new' '" + mark.toUtf8() + "'\nexec sleep 600\n");
        QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        script.close();
        auto run = std::make_unique<PullPlug>(daemon);
        run->start();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(mark), 30'000);
        QFile said(mark);
        QVERIFY(said.open(QIODevice::ReadOnly));
        const QList<QByteArray> words = said.readAll().trimmed().split(' ');
        const auto pid = pid_t(words[0].toInt());
        const QString works = QFileInfo(QString::fromUtf8(words[1])).path();
        run.reset();
        QCOMPARE(::kill(pid, 0), 0); // it keeps running
        QVERIFY(QFileInfo(works).isDir());
        QTRY_VERIFY_WITH_TIMEOUT(::kill(pid, 0) != 0, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo(works).exists(), 30'000);
    }
};

QTEST_GUILESS_MAIN(TestPullPlug)
#include "tst_pull_plug.moc"
