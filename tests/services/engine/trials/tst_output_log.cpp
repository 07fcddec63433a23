// SPDX-License-Identifier: GPL-3.0-or-later
// Which log stands for what a trial prints: for clients that name none, and for the reasons of failures.
#include "tests/services/engine/engine_fixture.h"

using namespace core;

static Machine machine()
{
    Machine machine;
    machine.id = MachineId(u"local"_s);
    machine.platformId = PlatformId(u"local"_s);
    machine.state = MachineState::ready;
    return machine;
}

class TestOutputLog : public QObject
{
    Q_OBJECT
private slots:
    void theOneWithTheOutput_data();
    void theOneWithTheOutput();
    void failuresAreGroupedByTheirLastWords();
};

void TestOutputLog::theOneWithTheOutput_data()
{
    QTest::addColumn<QByteArray>("standardOutput");
    QTest::addColumn<QByteArray>("standardError");
    QTest::addColumn<QByteArray>("trialLog");
    QTest::addColumn<QString>("output");
    QTest::addColumn<QString>("lastWords");
    const QByteArray nni = "[2023-09-14 08:00:00] PRINT ValueError: no such layer\n";
    QTest::newRow("nothing") << QByteArray() << QByteArray() << QByteArray() << u"stdout"_s << QString();
    QTest::newRow("stderr first") << QByteArray("epoch 1\n") << QByteArray("KeyError: 'a'\n") << QByteArray()
                                  << u"stdout"_s << u" Last line of stderr: KeyError: 'a'"_s;
    QTest::newRow("stdout") << QByteArray("epoch 1\ndiverged\n") << QByteArray() << QByteArray() << u"stdout"_s
                            << u" Last line of stdout: diverged"_s;
    QTest::newRow("NNI's SDK") << QByteArray() << QByteArray() << nni << u"trial.log"_s
                               << u" Last line of trial.log: ValueError: no such layer"_s;
    QTest::newRow("NNI's SDK, and stderr")
        << QByteArray() << QByteArray("\nKilled\n") << nni << u"trial.log"_s << u" Last line of stderr: Killed"_s;
    QTest::newRow("both") << QByteArray("diverged\n") << QByteArray() << nni << u"stdout"_s
                          << u" Last line of stdout: diverged"_s;
    QTest::newRow("blank") << QByteArray() << QByteArray("\n") << QByteArray("[2023-09-14 08:00:00] PRINT \n")
                           << u"trial.log"_s << QString();
}

void TestOutputLog::theOneWithTheOutput()
{
    QFETCH(QByteArray, standardOutput);
    QFETCH(QByteArray, standardError);
    QFETCH(QByteArray, trialLog);
    QFETCH(QString, output);
    QFETCH(QString, lastWords);
    EngineFixture f;
    f.fake->setMachines({machine()});
    const TrialId id = f.submit(f.create(), 1).value(0);
    QTRY_COMPARE(f.status(id), TrialStatus::running);
    for (const auto& [name, text] : {std::pair(u"stdout"_s, standardOutput), std::pair(u"stderr"_s, standardError),
             std::pair(u"trial.log"_s, trialLog)})
        if (!text.isEmpty())
            f.fake->appendLog(id, name, text);
    const auto logs = f.ask(api::ListLogs{id});
    QVERIFY(logs);
    QCOMPARE(logs->document["default"].get<QString>(), output);
    const bool isBoth = !standardOutput.isEmpty() && !trialLog.isEmpty();
    QVERIFY(logs->document["output"] == (isBoth ? Json{"stdout", "trial.log"} : Json::array({output})));
    f.fake->finish(id, 1);
    QTRY_COMPARE(f.status(id), TrialStatus::failed);
    const QString plain = f.trial(id)->reason;
    const QString wanted = plain.section(u" Last line of"_s, 0, 0) + lastWords;
    QTRY_COMPARE(f.trial(id)->reason, wanted);
    const auto after = f.ask(api::ListLogs{id});
    QVERIFY(after);
    QCOMPARE(after->document["default"].get<QString>(), output);
    QCOMPARE(f.trial(id)->reason, wanted);
}

void TestOutputLog::failuresAreGroupedByTheirLastWords()
{
    EngineFixture f;
    f.fake->setMachines({machine()});
    const ExperimentId e = f.create();
    const QList<TrialId> ids = f.submit(e, 3);
    for (const TrialId& id : ids)
        QTRY_COMPARE(f.status(id), TrialStatus::running);
    for (int i = 0; i < 2; ++i)
        f.fake->appendLog(ids[i], u"trial.log"_s,
            "[2023-09-14 08:00:0" + QByteArray::number(i) + "] PRINT ValueError: no layer " + QByteArray::number(i)
                + "\n");
    f.fake->appendLog(ids[2], u"stdout"_s, "gave up\n");
    for (const TrialId& id : ids) {
        f.fake->finish(id, 1);
        QTRY_VERIFY(f.trial(id)->reason.contains(u" Last line of "_s));
    }
    const auto reply = f.ask(api::ReadFailures{e});
    QVERIFY(reply);
    const Json& groups = reply->document["groups"];
    QCOMPARE(groups.size(), size_t(2));
    QCOMPARE(groups[0]["cause"].get<QString>(), u"ValueError: no layer N"_s);
    QCOMPARE(groups[0]["count"].get<int>(), 2);
    QCOMPARE(groups[1]["cause"].get<QString>(), u"gave up"_s);
}

QTEST_GUILESS_MAIN(TestOutputLog)
#include "tst_output_log.moc"
