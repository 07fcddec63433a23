// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"

using namespace core;

class TestQueries : public QObject
{
    Q_OBJECT
private slots:
    void idsOfParametersAreNumbersOrTexts();
};

/// NNI's Hyperband counts in texts; its id is that of the proposal, whatever a metric says.
void TestQueries::idsOfParametersAreNumbersOrTexts()
{
    EngineFixture f;
    Machine machine;
    machine.id = MachineId(u"local"_s);
    machine.platformId = PlatformId(u"local"_s);
    machine.state = MachineState::ready;
    f.fake->setMachines({machine});
    const QByteArray value =
        R"({"parameter_id": "0-2_0_\"0", "parameter_source": "algorithm", "parameters": {"x": 1}})";
    api::TrialSubmission text;
    text.hasForm = true;
    text.formValue = value;
    api::TrialSubmission number = text;
    number.formValue = R"({"parameter_id": 7, "parameters": {"x": 1}})";
    const QList<TrialId> ids = f.submit(f.create(), {text, number});
    QCOMPARE(ids.size(), 2);
    QCOMPARE(f.trial(ids[0])->parameterCfg, value);
    for (const TrialId& id : ids)
        QTRY_COMPARE(f.status(id), TrialStatus::running);
    const auto report = [&](const TrialId& id, const QByteArray& parameterId) {
        const QByteArray record = "{\"parameter_id\": " + parameterId
            + ", \"trial_job_id\": \"x\", \"type\": \"FINAL\", \"sequence\": 0, \"value\": \"0.5\"}\n";
        f.fake->write(
            id, platforms::Stream::nni, "ME" + QByteArray::number(record.size()).rightJustified(6, '0') + record);
    };
    report(ids[0], R"("0-2_0_\"0")");
    report(ids[1], "7");
    f.fake->write(ids[1], platforms::Stream::file, "{\"metric\": 1}\n");
    QTRY_COMPARE(f.trial(ids[0])->metricCount, 1);
    QTRY_COMPARE(f.trial(ids[1])->metricCount, 2);
    QVERIFY(f.metrics(ids[0])[0]["parameterId"] == Json("0-2_0_\"0"));
    QCOMPARE(f.metrics(ids[0])[0]["data"].get<QString>(), u"0.5"_s);
    QVERIFY(f.metrics(ids[1])[0]["parameterId"] == Json(7));
    QVERIFY(f.metrics(ids[1])[1]["parameterId"] == Json());
    // Followers are given it, too.
    QMap<TrialId, QByteArray> followed;
    for (const api::ChangePtr& change : f.changes)
        for (const MetricBatchPtr& batch : change->metrics)
            followed[batch->trialId] += batch->parameterIdText + ';';
    QCOMPARE(followed[ids[0]], QByteArray("0-2_0_\"0;"));
    QCOMPARE(followed[ids[1]].count(';'), followed[ids[1]].size());
    f.restart();
    QCOMPARE(f.trial(ids[0])->parameterCfg, value);
    QVERIFY(f.metrics(ids[0])[0]["parameterId"] == Json("0-2_0_\"0"));
}

QTEST_GUILESS_MAIN(TestQueries)
#include "tst_queries.moc"
