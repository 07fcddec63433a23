// SPDX-License-Identifier: GPL-3.0-or-later
// What a kill leaves at every write of the store: each time the next life of the service keeps what was promised.
#include "engine_fixture.h"

#include <QDir>

using namespace core;
using platforms::Stream;

namespace {

/// What a kill at one moment leaves: the store's files, the machine with its trials, and what clients had been told by then.
struct KillPoint
{
    QString after; ///< the step of the scenario
    QString folder;
    fakes::FakePlatform::World world;
    QMap<TrialId, int> runs; ///< how often the command of each trial began
    QMap<ExperimentId, QList<TrialId>> accepted;
    QMap<TrialId, TrialStatus> promised; ///< the only end that is left to it
    QMap<ExperimentId, ExperimentState> states;
};

Machine oneMachine()
{
    Machine machine;
    machine.id = MachineId(u"local"_s);
    machine.platformId = PlatformId(u"local"_s);
    machine.address = u"this computer"_s;
    machine.state = MachineState::ready;
    return machine;
}

void copyFolder(const QString& from, const QString& to)
{
    QVERIFY(QDir().mkpath(to));
    for (const QFileInfo& file : QDir(from).entryInfoList(QDir::Files))
        QVERIFY(QFile::copy(file.filePath(), to + u'/' + file.fileName()));
}

/// Two lives of a service: the first is watched at each write of its store, every second one begins with what a kill there leaves.
class Lives
{
public:
    Lives()
    {
        m_first.world->machines = {oneMachine()};
        m_first.configure = [this](fakes::FakePlatform& platform) {
            platform.onRun = [this](const TrialId& id) { ++now.runs[id]; };
        };
        // On the store's thread, which waits: neither the files nor the world changes meanwhile.
        m_first.storeWatch = [this](bool) {
            QMetaObject::invokeMethod(
                &m_here, [this] { take(); }, Qt::BlockingQueuedConnection);
        };
        m_first.restart();
    }
    ~Lives() { m_first.storeWatch = {}; }

    EngineFixture& first() { return m_first; }
    void step(const QString& name) { now.after = name; }

    KillPoint now; ///< what clients know
    std::vector<KillPoint> points;

private:
    void take()
    {
        KillPoint point = now;
        point.folder = m_snapshots.filePath(QString::number(points.size()));
        point.world = *m_first.world;
        copyFolder(m_first.folder.filePath(u"store"_s), point.folder);
        points.push_back(std::move(point));
    }

    QObject m_here;
    QTemporaryDir m_snapshots;
    EngineFixture m_first;
};

/// The next life after `point`, until nothing of it is under way any more.
class NextLife
{
public:
    explicit NextLife(const KillPoint& point)
        : runs(point.runs)
    {
        m_life.stop();
        QVERIFY(QDir(m_life.folder.filePath(u"store"_s)).removeRecursively());
        copyFolder(point.folder, m_life.folder.filePath(u"store"_s));
        *m_life.world = point.world;
        m_life.configure = [this](fakes::FakePlatform& platform) {
            platform.onRun = [this](const TrialId& id) { ++runs[id]; };
        };
        m_life.start();
    }

    EngineFixture& operator*() { return m_life; }
    EngineFixture* operator->() { return &m_life; }

    /// Lets every command end well that began. False: something is still open after thirty seconds.
    bool runToItsEnd()
    {
        return QTest::qWaitFor(
            [this] {
                for (auto& [id, trial] : m_life.world->trials) {
                    if (trial.status == TrialStatus::waiting)
                        m_life.fake->run(id);
                    else if (trial.status == TrialStatus::running)
                        m_life.fake->finish(id);
                }
                for (const engine::TrialEntry* entry : m_life.engine->state().trials())
                    if (!isFinal(entry->trial->status))
                        return false;
                return true;
            },
            30'000);
    }

    QMap<TrialId, int> runs;

private:
    EngineFixture m_life;
};

QString described(const EngineFixture& life)
{
    QStringList words;
    for (const ExperimentId& id : life.engine->state().experimentOrder()) {
        words.append(experimentStateName(life.experiment(id)->state));
        for (const engine::TrialEntry* entry : life.engine->state().trialsOf(id))
            words.append(u"%1:%2"_s.arg(entry->trial->sequenceId).arg(statusName(entry->trial->status)));
    }
    return words.join(u' ');
}

} // namespace

class TestEngineKillPoints : public QObject
{
    Q_OBJECT

private slots:
    void anExperimentOfSubmittedTrials()
    {
        Lives lives;
        EngineFixture& f = lives.first();
        const ExperimentId e = f.create([](ExperimentSpec& spec) {
            spec.trialConcurrency = 2;
            spec.maxTrialNumber = 8;
        });
        lives.now.accepted[e] = {};
        const auto submit = [&](const QString& step, int count) {
            lives.step(step);
            const QList<TrialId> ids = f.submit(e, count);
            lives.now.accepted[e] += ids;
            return ids;
        };
        const TrialId one = submit(u"one submitted"_s, 1)[0];
        QTRY_COMPARE_WITH_TIMEOUT(f.status(one), TrialStatus::running, 30'000);
        const QList<TrialId> more = submit(u"many submitted"_s, 5);
        QTRY_COMPARE_WITH_TIMEOUT(f.status(more[0]), TrialStatus::running, 30'000);
        lives.step(u"a metric"_s);
        f.fake->write(one, Stream::file, "{\"metric\": 0.5}\n");
        QTRY_COMPARE_WITH_TIMEOUT(f.trial(one)->metricCount, 1, 30'000);
        lives.step(u"pause"_s);
        QVERIFY(f.ask(api::ActOnExperiment{e, api::ExperimentAction::pause}).has_value());
        lives.now.states[e] = ExperimentState::paused;
        lives.step(u"one ends while paused"_s);
        f.fake->finish(one, 3);
        QTRY_COMPARE_WITH_TIMEOUT(f.status(one), TrialStatus::failed, 30'000);
        lives.now.states.remove(e);
        lives.step(u"resume"_s);
        QVERIFY(f.ask(api::ActOnExperiment{e, api::ExperimentAction::resume}).has_value());
        QTRY_COMPARE_WITH_TIMEOUT(f.status(more[1]), TrialStatus::running, 30'000);
        lives.step(u"retry"_s);
        api::RetryTrials retry;
        retry.selection.ids = {one.value};
        const auto retried = f.ask(retry);
        QVERIFY(retried.has_value());
        lives.now.accepted[e].append(TrialId(retried->document["trials"][0]["id"].get<QString>()));
        lives.step(u"cancel of one that waits"_s);
        api::CancelTrials cancel;
        cancel.selection.ids = {more[4].value};
        QVERIFY(f.ask(cancel).has_value());
        lives.now.promised[more[4]] = TrialStatus::user_canceled;
        lives.step(u"cancel of one that runs"_s);
        cancel.selection.ids = {more[0].value};
        QVERIFY(f.ask(cancel).has_value());
        QTRY_COMPARE_WITH_TIMEOUT(f.status(more[0]), TrialStatus::user_canceled, 30'000);
        lives.now.promised[more[0]] = TrialStatus::user_canceled;
        submit(u"the last submitted"_s, 1);
        for (const TrialId& id : std::as_const(lives.now.accepted[e])) {
            lives.step(u"trial %1 ends"_s.arg(f.trial(id)->sequenceId));
            QTRY_VERIFY_WITH_TIMEOUT(isFinal(f.status(id)) || f.status(id) == TrialStatus::running, 30'000);
            if (!isFinal(f.status(id)))
                f.fake->finish(id);
            QTRY_VERIFY_WITH_TIMEOUT(isFinal(f.status(id)), 30'000);
        }
        QTRY_COMPARE_WITH_TIMEOUT(f.experiment(e)->state, ExperimentState::done, 30'000);
        lives.step(u"done"_s);
        f.stop();
        checkAll(lives);
    }

    void aStop()
    {
        Lives lives;
        EngineFixture& f = lives.first();
        lives.step(u"submitted"_s);
        const ExperimentId e = f.create([](ExperimentSpec& spec) { spec.trialConcurrency = 1; });
        lives.now.accepted[e] = f.submit(e, 3);
        QTRY_COMPARE_WITH_TIMEOUT(f.status(lives.now.accepted[e][0]), TrialStatus::running, 30'000);
        lives.step(u"stop"_s);
        QVERIFY(f.ask(api::ActOnExperiment{e, api::ExperimentAction::stop}).has_value());
        lives.step(u"stopped"_s);
        lives.now.states[e] = ExperimentState::stopped;
        for (const TrialId& id : std::as_const(lives.now.accepted[e])) {
            lives.now.promised[id] = TrialStatus::user_canceled;
            QTRY_COMPARE_WITH_TIMEOUT(f.status(id), TrialStatus::user_canceled, 30'000);
        }
        QTRY_COMPARE_WITH_TIMEOUT(f.experiment(e)->state, ExperimentState::stopped, 30'000);
        f.stop();
        checkAll(lives);
    }

    /// A search proposes; trials of a person come between.
    void aSearch()
    {
        Lives lives;
        EngineFixture& f = lives.first();
        lives.step(u"created"_s);
        const ExperimentId e = f.create([](ExperimentSpec& spec) {
            spec.searchSpace = *parseJson("{\"a\": {\"_type\": \"choice\", \"_value\": [1, 2, 3]}, "
                                          "\"b\": {\"_type\": \"choice\", \"_value\": [1, 2, 3]}}");
            spec.tunerName = u"GridSearch"_s;
            spec.trialConcurrency = 3;
        });
        QTRY_COMPARE_WITH_TIMEOUT(f.experiment(e)->count(TrialStatus::running), 3, 30'000);
        lives.step(u"submitted beside the search"_s);
        lives.now.accepted[e] = f.submit(e, 1);
        lives.step(u"they end"_s);
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                for (auto& [id, trial] : f.world->trials)
                    if (trial.status == TrialStatus::running)
                        f.fake->finish(id);
                return f.experiment(e)->state == ExperimentState::done;
            }(),
            30'000);
        f.stop();
        checkAll(lives);
    }

private:
    static void checkAll(const Lives& lives)
    {
        QVERIFY(!lives.points.empty());
        qInfo() << lives.points.size() << "kill points";
        size_t number = 0;
        for (const KillPoint& point : lives.points) {
            check(point);
            if (QTest::currentTestFailed()) {
                qWarning().noquote() << "at kill point" << number << "in the step" << point.after;
                return;
            }
            ++number;
        }
    }

    static void check(const KillPoint& point)
    {
        NextLife life(point);
        if (QTest::currentTestFailed())
            return;
        for (auto it = point.states.begin(); it != point.states.end(); ++it) {
            if (*it == ExperimentState::paused) {
                QCOMPARE(life->experiment(it.key())->state, ExperimentState::paused);
                QVERIFY(life->ask(api::ActOnExperiment{it.key(), api::ExperimentAction::resume}).has_value());
            }
        }
        for (const ExperimentId& id : life->engine->state().experimentOrder())
            if (life->experiment(id)->state == ExperimentState::paused) // not yet acknowledged
                QVERIFY(life->ask(api::ActOnExperiment{id, api::ExperimentAction::resume}).has_value());
        QVERIFY2(life.runToItsEnd(), qPrintable(described(*life)));
        for (auto it = point.accepted.begin(); it != point.accepted.end(); ++it)
            for (const TrialId& id : it.value())
                QVERIFY2(life->trial(id), "an accepted trial is gone");
        for (auto it = life.runs.begin(); it != life.runs.end(); ++it)
            QVERIFY2(it.value() == 1, "a trial ran twice");
        for (auto it = point.promised.begin(); it != point.promised.end(); ++it)
            QCOMPARE(life->status(it.key()), it.value());
        for (const ExperimentId& id : life->engine->state().experimentOrder()) {
            const auto settled = [&] { return follows(*life, id, point.states.value(id)); };
            QVERIFY2(QTest::qWaitFor(settled, 30'000), qPrintable(described(*life)));
            std::array<qint64, trialStatusCount> counts{};
            QSet<qint64> numbers;
            QSet<QByteArray> points;
            for (const engine::TrialEntry* entry : life->engine->state().trialsOf(id)) {
                ++counts[size_t(entry->trial->status)];
                numbers.insert(entry->trial->sequenceId);
                points.insert(entry->trial->parameters);
            }
            QVERIFY(counts == life->experiment(id)->counts);
            QCOMPARE(size_t(numbers.size()), life->engine->state().trialsOf(id).size());
            if (life->experiment(id)->spec.tunerName == u"GridSearch")
                for (int a = 1; a <= 3; ++a)
                    for (int b = 1; b <= 3; ++b)
                        QVERIFY2(points.contains(u"{\"a\":%1,\"b\":%2}"_s.arg(a).arg(b).toUtf8()),
                            qPrintable(described(*life)));
        }
    }

    /// Whether the experiment's state is what its trials, all ended, and the last acknowledged command make it.
    static bool follows(const EngineFixture& life, const ExperimentId& id, ExperimentState told)
    {
        const ExperimentPtr experiment = life.experiment(id);
        const bool full = !experiment->spec.searchSpace.is_null()
            || qint64(life.engine->state().trialsOf(id).size()) >= experiment->spec.maxTrialNumber.value_or(INT_MAX);
        if (told == ExperimentState::stopped)
            return experiment->state == ExperimentState::stopped;
        // A stop that was not acknowledged may have been kept or not.
        if (experiment->state == ExperimentState::stopped)
            return !experiment->spec.maxTrialNumber && experiment->spec.searchSpace.is_null();
        return experiment->state == (full ? ExperimentState::done : ExperimentState::running);
    }
};

QTEST_GUILESS_MAIN(TestEngineKillPoints)
#include "tst_engine_kill_points.moc"
