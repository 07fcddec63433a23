// SPDX-License-Identifier: GPL-3.0-or-later
// The window's small models over one mirror: each under QAbstractItemModelTester while everything changes.
#include "models/experiments/event_model.h"
#include "models/experiments/experiment_model.h"
#include "models/machine_cells.h"
#include "models/machines/check_matrix.h"
#include "models/machines/machine_inquiry.h"
#include "models/machines/machine_model.h"
#include "models/queue/queue_model.h"
#include "models/queue/why_waiting.h"
#include "models/sidebar_model.h"
#include "tests/fakes/fake_engine_client.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using api::Change;
using models::CellKind;

namespace {

template <typename Record>
std::shared_ptr<const Record> with(
    const std::shared_ptr<const Record>& record, const std::function<void(Record&)>& modify)
{
    auto copy = std::make_shared<Record>(*record);
    modify(*copy);
    return copy;
}

} // namespace

class TestWindowModels : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_client = std::make_unique<fakes::FakeEngineClient>();
        m_mirror = std::make_unique<models::EngineMirror>(*m_client);
        m_lab = fakes::sampleLab();
        m_client->begin(m_lab);
    }

    void experimentsComeNewestFirst()
    {
        models::ExperimentModel model(*m_mirror);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 1);
        const QPersistentModelIndex old = model.index(0, 0);
        publish({.experiments = {with<Experiment>(m_lab.experiments[0], [](Experiment& e) {
            e.id = ExperimentId(u"e00000000000002"_s);
            e.spec.name = u"second"_s;
        })}});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.record(model.index(0, 0))->spec.name, u"second"_s);
        QCOMPARE(old.row(), 1);
        QCOMPARE(model.index(1, models::ExperimentModel::ProgressColumn).data().toString(), u"10 of 20"_s);
        Change gone;
        gone.removed.experiments = {ExperimentId(u"e00000000000002"_s)};
        publish(gone);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(old.row(), 0);
    }

    void theQueueFollowsPriority()
    {
        models::QueueModel model(*m_mirror);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 2); // Trials 1 and 9 wait.
        QCOMPARE(model.records()[0]->sequenceId, 1);
        const QPersistentModelIndex ninth = model.index(1, 0);
        publish({.trials = {with<Trial>(m_lab.trials[9], [](Trial& t) { t.priority = 3; })}});
        QTRY_COMPARE(model.records()[0]->sequenceId, 9);
        QCOMPARE(ninth.row(), 0);
        publish({.trials = {with<Trial>(m_lab.trials[9], [](Trial& t) { t.status = TrialStatus::running; })}});
        QTRY_COMPARE(model.rowCount(), 1);
        QVERIFY(!ninth.isValid());
        model.setExperiment(ExperimentId(u"another"_s));
        QCOMPARE(model.rowCount(), 0);
    }

    void theQueueFollowsEachChange()
    {
        // Few changes at a time are taken one by one, many as a whole: both must leave the order that the service has.
        models::QueueModel model(*m_mirror);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QList<TrialPtr> trials;
        for (int i = 0; i < 400; ++i)
            trials += with<Trial>(m_lab.trials[1], [i](Trial& t) {
                t.id = TrialId(u"t0000000001%1"_s.arg(i, 4, 10, QLatin1Char('0')));
                t.sequenceId = 1'000 + i;
                t.queueOrder = i * 10;
            });
        publish({.trials = trials});
        QTRY_COMPARE(model.rowCount(), 402);
        QRandomGenerator random(7);
        for (int round = 0; round < 5; ++round) {
            QHash<TrialId, TrialPtr> last;
            for (int i = 0; i < 40; ++i) {
                TrialPtr& trial = trials[random.bounded(400)];
                trial = with<Trial>(trial, [&random](Trial& t) {
                    t.priority = random.bounded(3);
                    t.queueOrder = random.bounded(4'000);
                    t.status = random.bounded(4) ? TrialStatus::waiting : TrialStatus::running;
                });
                last.insert(trial->id, trial);
            }
            publish({.trials = last.values()});
            QList<TrialPtr> wanted;
            for (const TrialPtr& trial : m_mirror->state().trials())
                if (trial->status == TrialStatus::waiting)
                    wanted += trial;
            std::sort(wanted.begin(), wanted.end(), [](const TrialPtr& a, const TrialPtr& b) {
                return std::tuple(-a->priority, a->queueOrder, a->id) < std::tuple(-b->priority, b->queueOrder, b->id);
            });
            QTRY_VERIFY(model.records() == wanted);
        }
    }

    void aPlaceCostsOneRow()
    {
        // The head of a long queue leaves: one row goes, and no other record is touched.
        models::QueueModel model(*m_mirror);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy moved(&model, &QAbstractItemModel::layoutChanged);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        publish({.trials = {with<Trial>(m_lab.trials[1], [](Trial& t) { t.status = TrialStatus::user_canceled; })}});
        QTRY_COMPARE(removed.size(), 1);
        QCOMPARE(moved.size(), 0);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed[0][0].toModelIndex().column(), int(models::QueueModel::PlaceColumn));
        QCOMPARE(changed[0][1].toModelIndex().column(), int(models::QueueModel::PlaceColumn));
        QCOMPARE(model.index(0, models::QueueModel::PlaceColumn).data().toString(), u"1"_s);
    }

    void machinesAreFiltered_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("machines");
        QTest::newRow("none") << QString() << QStringList{u"local"_s, u"lab3"_s, u"lab2"_s};
        QTest::newRow("name") << u"lab3"_s << QStringList{u"lab3"_s};
        QTest::newRow("not") << u"!lab"_s << QStringList{u"local"_s};
        QTest::newRow("free") << u"free>0"_s << QStringList{u"lab3"_s};
        QTest::newRow("not so many") << u"free>1"_s << QStringList();
        QTest::newRow("state") << u"state:silent"_s << QStringList{u"lab2"_s};
        QTest::newRow("someone's") << u"someone"_s << QStringList{u"lab3"_s, u"lab2"_s};
        QTest::newRow("both") << u"someone !state:silent"_s << QStringList{u"lab3"_s};
    }
    void machinesAreFiltered()
    {
        QFETCH(QString, filter);
        QFETCH(QStringList, machines);
        models::MachineModel model(*m_mirror);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFilter(filter);
        QStringList found;
        for (const MachinePtr& machine : model.records())
            found += machine->id.value;
        QCOMPARE(found, machines);
    }

    void cellsTellWhoHoldsWhat()
    {
        const Machine& lab3 = *m_lab.machines[1];
        const QList<models::GpuCell> cells = models::gpuCells(lab3, m_mirror->state());
        QCOMPARE(cells.size(), 5);
        QCOMPARE(cells[0].kind, CellKind::ours);
        QCOMPARE(cells[0].holder, u"2"_s);
        QCOMPARE(cells[2].kind, CellKind::foreign);
        QCOMPARE(cells[2].holder, u"someone"_s);
        QCOMPARE(cells[3].kind, CellKind::reserved);
        QCOMPARE(cells[4].kind, CellKind::free);
        const QList<models::GpuCell> silent = models::gpuCells(*m_lab.machines[2], m_mirror->state());
        QCOMPARE(silent[0].kind, CellKind::silent);
        QCOMPARE(silent[0].holder, u"2?"_s);
        const core::GpuCounts counts = models::gpuCountsOf(m_mirror->state());
        QCOMPARE(counts, (core::GpuCounts{10, 2, 1, 1, 5, 1}));
        QCOMPARE(models::machineName(lab3, m_mirror->state()), u"lab3"_s);
        QVERIFY(models::cellSentence(cells[3], lab3, m_mirror->state()).contains(u"a talk"_s));
    }

    void theFleetIsAskedOnceAPlatform()
    {
        models::MachineInquiry inquiry(*m_mirror);
        QSignalSpy ended(&inquiry, &models::MachineInquiry::ended);
        const auto tell = [this](const QString& id, OperationState state, const QStringList& machines) {
            Operation request;
            request.id = OperationId(id);
            request.kind = u"check"_s;
            request.state = state;
            for (const QString& machine : machines) {
                const bool isSilent = machine.endsWith(u'?');
                request.steps.append({isSilent ? u"agent"_s : u"disk"_s, u"Step"_s,
                    isSilent ? CheckState::fail : CheckState::ok, {}, {}, MachineId(QString(machine).remove(u'?'))});
            }
            publish({.requests = {std::make_shared<const Operation>(request)}});
        };
        const auto accept = [this](const QString& id) {
            m_client->answer(api::Reply{.document = {{"requestId", id}}, .accepted = true});
        };
        inquiry.ask();
        inquiry.ask(); // once is enough
        QCOMPARE(inquiry.progress(), (models::MachineInquiry::Progress{3, 0, 0}));
        QCOMPARE(m_client->commands.size(), 2);
        for (const api::Command& command : std::as_const(m_client->commands)) {
            const auto& check = std::get<api::CheckPlatform>(command);
            QVERIFY(!check.testTrial && !check.unsaved && !check.id.isEmpty());
        }
        accept(u"r1"_s);
        accept(u"r2"_s);
        tell(u"r1"_s, OperationState::running, {u"a"_s});
        QTRY_COMPARE(inquiry.progress(), (models::MachineInquiry::Progress{3, 1, 0}));
        tell(u"r1"_s, OperationState::succeeded, {u"a"_s});
        tell(u"r2"_s, OperationState::running, {u"b"_s, u"c?"_s});
        QTRY_COMPARE(inquiry.progress(), (models::MachineInquiry::Progress{3, 2, 1}));
        QVERIFY(inquiry.isAsking() && ended.isEmpty());
        tell(u"r2"_s, OperationState::failed, {u"b"_s, u"c?"_s});
        QTRY_COMPARE(ended.size(), 1);
        QVERIFY(!inquiry.isAsking());
        QCOMPARE(ended[0][0].toString(), u"2 of 3 machines answered."_s);
        // The service goes, and another life knows nothing of it.
        inquiry.ask();
        accept(u"r3"_s);
        m_client->answer(fail(Kind::conflict, u"The platform lab is not open."_s));
        QTRY_COMPARE(m_client->commands.size(), 4);
        m_client->begin(m_lab);
        QTRY_COMPARE(ended.size(), 2);
        QCOMPARE(ended[1][0].toString(), u"The platform lab is not open."_s);
    }

    void theLatestCheckOfAMachine()
    {
        Machine machine;
        machine.id = MachineId(u"lab.1"_s);
        machine.platformId = PlatformId(u"lab"_s);
        const auto request = [](const QString& subject, qint64 time, const QStringList& machines) {
            Operation one;
            one.id = OperationId(subject + QString::number(time));
            one.subject = subject;
            one.state = OperationState::failed;
            one.createdTime = time;
            for (const QString& of : machines)
                one.steps.append({u"disk"_s, u"Disk"_s, CheckState::ok, of, {}, MachineId(of)});
            return std::make_shared<const Operation>(one);
        };
        const auto doctor = request(u"lab.1"_s, 2, {QString()});
        const auto all = request(u"lab"_s, 3, {u"lab.2"_s, u"lab.1"_s});
        const auto others = request(u"lab"_s, 4, {u"lab.2"_s});
        QCOMPARE(models::latestCheck({others}, machine), OperationPtr());
        QCOMPARE(models::latestCheck({doctor, others}, machine), OperationPtr(doctor));
        const OperationPtr found = models::latestCheck({all, doctor, others}, machine);
        QCOMPARE(found->id, all->id);
        QCOMPARE(found->steps.size(), 1);
        QCOMPARE(found->steps[0].detail, u"lab.1"_s);
        QCOMPARE(found->state.word(), u"succeeded"_s); // another machine failed
    }

    void whyWaitingOffersWhatHelps()
    {
        const QList<TrialPtr> queue{m_lab.trials[1], m_lab.trials[9]};
        const models::WhyWaiting why = models::whyWaiting(*m_lab.trials[9], m_mirror->state(), queue, 0);
        QCOMPARE(why.sentence, u"needs 2 GPUs; lab3 has 1 free"_s);
        QCOMPARE(why.offers.size(), 2); // The machines of its platform.
        QCOMPARE(why.offers[0].offer, u"1 of 5"_s);
        QVERIFY(why.offers[0].why.contains(u"someone"_s));
        QVERIFY(why.offers[1].silent);
        QCOMPARE(why.offers[1].why, u"silent"_s);
        QVERIFY(!why.helps.isEmpty());
        const auto* patch = std::get_if<api::PatchTrials>(&why.helps[0].command);
        QVERIFY(patch);
        QCOMPARE(patch->set.gpuNumber, 1);
        QCOMPARE(patch->selection.ids, QStringList{m_lab.trials[9]->id.value});
        QVERIFY(std::any_of(why.helps.begin(), why.helps.end(), [](const models::Help& help) {
            const auto* release = std::get_if<api::ReserveGpu>(&help.command);
            return release && release->release && release->index == 3;
        }));
        QVERIFY(std::any_of(why.helps.begin(), why.helps.end(), [&queue](const models::Help& help) {
            const auto* front = std::get_if<api::MoveQueue>(&help.command);
            return front && front->before == queue.first()->id.value;
        }));
    }

    void whatCanNeverStartIsNotMoved()
    {
        const TrialPtr large = with<Trial>(m_lab.trials[9], [](Trial& t) { t.gpuNumber = 64; });
        const auto moves = [&](const QList<TrialPtr>& queue) {
            const models::WhyWaiting why = models::whyWaiting(*large, m_mirror->state(), queue, 0);
            return std::count_if(why.helps.begin(), why.helps.end(),
                [](const models::Help& help) { return std::holds_alternative<api::MoveQueue>(help.command); });
        };
        const QList<TrialPtr> last{m_lab.trials[1], large};
        const QList<TrialPtr> first{large, m_lab.trials[1]};
        QCOMPARE(moves(last), 0);
        QCOMPARE(moves(first), 0);
        // A machine that is away and has never told what it has may be the one.
        Change change;
        for (const MachinePtr& machine : m_mirror->state().machines().list())
            if (machine->state == MachineState::silent)
                change.machines.append(with<Machine>(machine, [](Machine& m) { m.gpus.clear(); }));
        QVERIFY(!change.machines.isEmpty());
        publish(change);
        QCOMPARE(moves(last), 1);
        QCOMPARE(moves(first), 1);
    }

    /// What is in a cluster's queue is not ours to order or to make smaller.
    void aClustersTrialIsNotMoved()
    {
        const PlatformPtr lab = m_mirror->state().platforms().find(m_lab.trials[9]->platformId);
        publish({.platforms = {with<Platform>(lab, [](Platform& p) { p.capabilities.placement = false; })}});
        const QList<TrialPtr> queue{m_lab.trials[1], m_lab.trials[9]};
        const models::WhyWaiting why = models::whyWaiting(*m_lab.trials[9], m_mirror->state(), queue, 0);
        QCOMPARE(why.sentence, u"needs 2 GPUs; lab3 has 1 free"_s);
        QCOMPARE(why.offers.size(), 2);
        QVERIFY2(why.helps.isEmpty(), qPrintable(why.helps.value(0).label));
        QVERIFY(!why.start);
    }

    void aHeldTrialIsReleased()
    {
        const TrialPtr held = with<Trial>(m_lab.trials[1], [](Trial& t) { t.hold = true; });
        const models::WhyWaiting why = models::whyWaiting(*held, m_mirror->state(), {held}, 0);
        QCOMPARE(why.helps.size(), 1);
        QCOMPARE(std::get<api::PatchTrials>(why.helps[0].command).set.hold, false);
    }

    void forecastIsABand()
    {
        std::vector<TrialPtr> trials;
        for (int i = 0; i < 9; ++i)
            trials.push_back(with<Trial>(m_lab.trials[3], [i](Trial& t) {
                t.status = TrialStatus::succeeded;
                t.startTime = 0;
                t.endTime = 10'000 * (i + 1);
            }));
        const models::Progress progress = models::progressOf(*m_lab.experiments[0], trials, 1'000'000);
        QCOMPARE(progress.total, 20);
        QCOMPARE(progress.ended, 10);
        QVERIFY(progress.end.has_value());
        Experiment stopped = *m_lab.experiments[0];
        stopped.state = ExperimentState::stopped;
        QCOMPARE(models::progressOf(stopped, {}, 0).total, 16); // it makes no more
        // Three rounds of 50 s, and what is uncertain about them.
        QVERIFY(progress.end->first > 1'000'000 && progress.end->first < 1'150'000);
        QVERIFY(progress.end->second > 1'150'000 && progress.end->second < 1'300'000);
        QVERIFY(!models::progressOf(*m_lab.experiments[0], {}, 0).end.has_value());
    }

    void eventsTellWhatHappened()
    {
        models::EventModel model(*m_mirror);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const int before = model.rowCount();
        QVERIFY(before > 30);
        for (int row = 1; row < before; ++row)
            QVERIFY(model.eventAt(row - 1).time >= model.eventAt(row).time);
        QSignalSpy noteworthy(&model, &models::EventModel::noteworthy);
        publish({.experiments = {with<Experiment>(
                     m_lab.experiments[0], [](Experiment& e) { e.state = ExperimentState::done; })},
            .trials = {with<Trial>(m_lab.trials[2], [](Trial& t) {
                t.status = TrialStatus::failed;
                t.reason = u"Killed."_s;
                t.endTime = QDateTime::currentMSecsSinceEpoch();
            })}});
        QCOMPARE(model.rowCount(), before + 2);
        QCOMPARE(noteworthy.count(), 1);
        model.setFilter(u"killed"_s);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.eventAt(0).trial, m_lab.trials[2]->id);
        model.setFilter({});
        model.setExperiment(ExperimentId(u"another"_s));
        QCOMPARE(model.rowCount(), 0);
    }

    void eventsOfPlatformsArePlainWords_data()
    {
        QTest::addColumn<PlatformState>("state");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("words");
        QTest::newRow("opening") << PlatformState::opening << QString() << u"Connecting."_s;
        QTest::newRow("ready") << PlatformState::ready << QString() << u"Ready."_s;
        QTest::newRow("ready, but") << PlatformState::ready << u"Old."_s << u"Ready: Old."_s;
        QTest::newRow("question") << PlatformState::question << u"Who?"_s << u"Has a question: Who?"_s;
        QTest::newRow("silent") << PlatformState::silent << u"Gone."_s
                                << u"Silent. Its trials go on; nothing is stopped."_s;
        QTest::newRow("failed") << PlatformState::failed << u"No login."_s << u"Failed: No login."_s;
        QTest::newRow("closed") << PlatformState::closed << QString() << u"Closed."_s;
    }
    void eventsOfPlatformsArePlainWords()
    {
        QFETCH(PlatformState, state);
        QFETCH(QString, message);
        models::EventModel model(*m_mirror);
        Platform platform{PlatformId(u"other"_s), u"slurm"_s};
        platform.state = state;
        platform.message = message;
        publish({.platforms = {std::make_shared<const Platform>(platform)}});
        QTEST(model.eventAt(0).text, "words");
    }

    void sidebarCountsFollow()
    {
        models::SidebarModel model(*m_mirror);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        using Sort = models::SidebarModel::Sort;
        const auto count = [&](Sort sort, const QString& name) {
            return model.find(sort, name).data(models::SidebarModel::CountRole).toInt();
        };
        QCOMPARE(count(Sort::view, u"trials"_s), 16);
        QCOMPARE(count(Sort::view, u"queue"_s), 2);
        QCOMPARE(count(Sort::view, u"machines"_s), 3);
        QCOMPARE(count(Sort::state, u"cancelled"_s), 4);
        publish({.experiments = {with<Experiment>(
                     m_lab.experiments[0], [](Experiment& e) { ++e.counts[size_t(TrialStatus::waiting)]; })}});
        QTRY_COMPARE(count(Sort::view, u"queue"_s), 3);
        const int rows = model.rowCount();
        model.setFilterCounter([](const QString& text, const ExperimentId&) { return qint64(text.size()); });
        model.setSavedFilters({{u"High lr"_s, u"lr>0.01"_s}});
        QCOMPARE(model.rowCount(), rows + 2);
        QCOMPARE(count(Sort::filter, u"lr>0.01"_s), 7);
        model.setService(u"This computer"_s, u"open"_s);
        QCOMPARE(model.rowCount(), rows + 4);
    }

private:
    void publish(const Change& change)
    {
        m_client->publish(change);
        const qint64 wanted = ++m_revision + 1;
        QTRY_COMPARE(m_mirror->state().revision(), wanted);
    }

    std::unique_ptr<fakes::FakeEngineClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
    Change m_lab;
    qint64 m_revision = 0;

private slots:
    void cleanup()
    {
        m_mirror.reset();
        m_client.reset();
        m_revision = 0;
    }
};

QTEST_GUILESS_MAIN(TestWindowModels)
#include "tst_window_models.moc"
