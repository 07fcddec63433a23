// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/api/mirror.h"
#include "tests/fakes/fake_engine_port.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace api;
using fakes::sampleTrial;
using fakes::shared;

static Change full(QList<TrialPtr> trials)
{
    Change change;
    change.epoch = u"x"_s;
    change.revision = 5;
    change.full = true;
    change.trials = std::move(trials);
    return change;
}

static Change next(qint64 revision)
{
    Change change;
    change.epoch = u"x"_s;
    change.revision = revision;
    return change;
}

static TrialPtr trial(int number, TrialStatus status, const QString& clientId = {}, const QString& experiment = u"e1"_s)
{
    Trial out = sampleTrial(number, experiment);
    out.status = status;
    out.clientId = clientId;
    return shared(out);
}

static QList<qint64> numbers(const std::vector<TrialPtr>& trials)
{
    QList<qint64> out;
    for (const TrialPtr& one : trials)
        out.append(one->sequenceId);
    return out;
}

class TestMirror : public QObject
{
    Q_OBJECT
private slots:
    void isReadyOnceFull();
    void keepsOrderAndCounts();
    void takesLateOnesIn();
    void findsByClientId();
    void removes();
    void replacesAll();
    void removedAndAddedAgain();
    void boundsRequests();
};

void TestMirror::isReadyOnceFull()
{
    Mirror mirror;
    QVERIFY(!mirror.isReady());
    mirror.apply(full({}));
    QVERIFY(mirror.isReady());
    QCOMPARE(mirror.epoch(), u"x"_s);
    QCOMPARE(mirror.revision(), 5);
}

void TestMirror::keepsOrderAndCounts()
{
    Mirror mirror;
    mirror.apply(full({trial(1, TrialStatus::waiting), trial(2, TrialStatus::running, {}, u"e2"_s)}));
    Change change = next(6);
    change.trials = {trial(3, TrialStatus::waiting), trial(1, TrialStatus::succeeded)};
    mirror.apply(change);
    QCOMPARE(numbers(mirror.trials()), (QList<qint64>{1, 2, 3}));
    QCOMPARE(numbers(mirror.trialsOf(ExperimentId(u"e1"_s))), (QList<qint64>{1, 3}));
    QCOMPARE(numbers(mirror.trialsOf(ExperimentId(u"nowhere"_s))), QList<qint64>());
    QCOMPARE(mirror.trial(sampleTrial(1).id)->status, TrialStatus::succeeded);
    QCOMPARE(mirror.counts()[size_t(TrialStatus::waiting)], 1);
    QCOMPARE(mirror.counts()[size_t(TrialStatus::running)], 1);
    QCOMPARE(mirror.counts()[size_t(TrialStatus::succeeded)], 1);
}

void TestMirror::takesLateOnesIn()
{
    Mirror mirror;
    mirror.apply(full({trial(1, TrialStatus::waiting), trial(9, TrialStatus::waiting)}));
    Change change = next(6);
    change.trials = {trial(5, TrialStatus::waiting)};
    mirror.apply(change);
    QCOMPARE(numbers(mirror.trials()), (QList<qint64>{1, 5, 9}));
    QCOMPARE(numbers(mirror.trialsOf(ExperimentId(u"e1"_s))), (QList<qint64>{1, 5, 9}));
    QCOMPARE(mirror.trial(sampleTrial(9).id)->sequenceId, 9);
}

void TestMirror::findsByClientId()
{
    Mirror mirror;
    mirror.apply(full({trial(1, TrialStatus::failed, u"abc"_s), trial(2, TrialStatus::waiting, u"abc"_s, u"e2"_s),
        trial(3, TrialStatus::waiting, u"abc"_s)}));
    QCOMPARE(mirror.trialByClientId(ExperimentId(u"e1"_s), u"abc"_s)->sequenceId, 3);
    QCOMPARE(mirror.trialByClientId(ExperimentId(u"e2"_s), u"abc"_s)->sequenceId, 2);
    QCOMPARE(mirror.trialByClientId({}, u"abc"_s)->sequenceId, 3);
    QVERIFY(!mirror.trialByClientId({}, u"other"_s));
}

void TestMirror::removes()
{
    Mirror mirror;
    Change first = full({trial(1, TrialStatus::waiting, u"a"_s), trial(2, TrialStatus::waiting, {}, u"e2"_s),
        trial(3, TrialStatus::running)});
    Experiment experiment;
    experiment.id = ExperimentId(u"e1"_s);
    first.experiments = {shared(experiment)};
    first.prompts = {shared(Prompt{PromptId(u"p1"_s)}), shared(Prompt{PromptId(u"p2"_s)})};
    mirror.apply(first);
    Change change = next(6);
    change.removed.experiments = {ExperimentId(u"e1"_s)};
    change.removed.prompts = {PromptId(u"p1"_s), PromptId(u"unknown"_s)};
    mirror.apply(change);
    QCOMPARE(numbers(mirror.trials()), QList<qint64>{2});
    QVERIFY(!mirror.trial(sampleTrial(1).id));
    QVERIFY(!mirror.trialByClientId({}, u"a"_s));
    QVERIFY(!mirror.experiments().find(ExperimentId(u"e1"_s)));
    QCOMPARE(mirror.prompts().list().size(), 1);
    QVERIFY(mirror.prompts().find(PromptId(u"p2"_s)));
    QCOMPARE(mirror.counts()[size_t(TrialStatus::waiting)], 1);
    QCOMPARE(mirror.counts()[size_t(TrialStatus::running)], 0);
}

void TestMirror::replacesAll()
{
    Mirror mirror;
    mirror.apply(full({trial(1, TrialStatus::waiting)}));
    mirror.apply(full({trial(2, TrialStatus::running)}));
    QCOMPARE(numbers(mirror.trials()), QList<qint64>{2});
    QCOMPARE(mirror.counts()[size_t(TrialStatus::waiting)], 0);
}

void TestMirror::removedAndAddedAgain()
{
    Mirror mirror;
    mirror.apply(full({}));
    Change change = next(6);
    change.removed.platforms = {PlatformId(u"lab"_s)};
    change.platforms = {shared(Platform{PlatformId(u"lab"_s), u"remote"_s})};
    mirror.apply(change);
    QVERIFY(mirror.platforms().find(PlatformId(u"lab"_s)));
}

void TestMirror::boundsRequests()
{
    Mirror mirror;
    mirror.apply(full({}));
    for (int i = 0; i < 1100; ++i) {
        Change change = next(6 + i);
        Operation request{OperationId(u"r%1"_s.arg(i))};
        if (i != 0)
            request.endTime = 1;
        change.requests = {shared(request)};
        mirror.apply(change);
    }
    QCOMPARE(mirror.requests().list().size(), 1000);
    QVERIFY(mirror.requests().find(OperationId(u"r0"_s))); // still running
    QVERIFY(!mirror.requests().find(OperationId(u"r1"_s)));
    QVERIFY(mirror.requests().find(OperationId(u"r1099"_s)));
}

QTEST_GUILESS_MAIN(TestMirror)
#include "tst_mirror.moc"
