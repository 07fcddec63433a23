// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trials/trial_cell.h"
#include "models/trials/trial_csv.h"
#include "models/trials/trial_model.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace core;
using namespace api;
using namespace models;

static const ExperimentId experimentId(u"e1"_s);

static Trial made(int number)
{
    Trial trial;
    trial.id = TrialId(u"t%1"_s.arg(number, 8, 10, QLatin1Char('0')));
    trial.experimentId = experimentId;
    trial.sequenceId = number;
    trial.submitTime = 1'000'000 + number;
    trial.parameters = "{\"lr\":" + QByteArray::number(0.001 * (number * 37 % 101)) + ",\"optimizer\":\""
        + (number % 3 ? "adam" : "sgd") + "\"}";
    return trial;
}

static TrialPtr shared(const Trial& trial)
{
    return std::make_shared<const Trial>(trial);
}

/// A mirror, a model over it, and the changes between them.
class Bench
{
public:
    explicit Bench(int trials = 0, bool isTested = true)
    {
        if (isTested)
            tester.emplace(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Change full;
        full.full = true;
        Experiment experiment;
        experiment.id = experimentId;
        experiment.spec.objective = {u"accuracy"_s, true};
        full.experiments = {std::make_shared<const Experiment>(experiment)};
        for (int i = 0; i < trials; ++i)
            full.trials.append(shared(made(i)));
        mirror.apply(full);
        model.load(mirror, experimentId);
    }
    void publish(const QList<TrialPtr>& trials, const Removed& removed = {})
    {
        Change change;
        change.trials = trials;
        change.removed = removed;
        mirror.apply(change);
        model.apply(mirror, change);
    }
    QList<qint64> numbers() const
    {
        QList<qint64> out;
        for (int row = 0; row < model.rowCount(); ++row)
            out.append(model.trialAt(row)->sequenceId);
        return out;
    }

    Mirror mirror;
    TrialModel model;
    std::optional<QAbstractItemModelTester> tester;
};

class TstTrialModel : public QObject
{
    Q_OBJECT
private slots:
    /// With all experiments chosen their trials have the same numbers; the name says which is which, and follows a change of it.
    void trialsAreSortedByTheNameOfTheirExperiment()
    {
        const auto named = [](const QString& id, const QString& name) {
            Experiment experiment;
            experiment.id = ExperimentId(id);
            experiment.spec.name = name;
            return std::make_shared<const Experiment>(experiment);
        };
        Bench bench;
        bench.model.load(bench.mirror, {});
        Change change;
        change.experiments = {named(u"e1"_s, u"vit"_s), named(u"e2"_s, u"bert"_s)};
        for (int i = 0; i < 4; ++i) {
            Trial trial = made(i);
            trial.experimentId = ExperimentId(i % 2 ? u"e2"_s : u"e1"_s);
            change.trials.append(shared(trial));
        }
        Trial stray = made(4);
        stray.experimentId = ExperimentId(u"e9"_s); // not known
        change.trials.append(shared(stray));
        bench.mirror.apply(change);
        bench.model.apply(bench.mirror, change);
        constexpr int column = int(TrialColumn::experiment);
        const auto names = [&] {
            QStringList out;
            for (int row = 0; row < bench.model.rowCount(); ++row)
                out += bench.model.index(row, column).data().toString();
            return out;
        };
        bench.model.sort(column, Qt::AscendingOrder);
        QCOMPARE(names(), (QStringList{u"bert"_s, u"bert"_s, u"e9"_s, u"vit"_s, u"vit"_s}));

        Change renamed;
        renamed.experiments = {named(u"e1"_s, u"a new name"_s)};
        bench.mirror.apply(renamed);
        bench.model.apply(bench.mirror, renamed);
        QCOMPARE(names(), (QStringList{u"a new name"_s, u"a new name"_s, u"bert"_s, u"bert"_s, u"e9"_s}));
        bench.model.setFilter(*TrialFilter::parse(u"experiment:bert"_s));
        QCOMPARE(names(), (QStringList{u"bert"_s, u"bert"_s}));
    }

    void newestFirst();
    void newTrialsComeOnTop();
    void aValueChangesItsRowAlone();
    void heatFollowsRanks();
    void absentIsLastBothWays();
    void wordsSort();
    void filterHidesAndShows();
    void heldRowsStay();
    void persistentIndexesFollowASort();
    void cells();
    void oddValues();
    void manyParameters();
    void removedTrialsGo();
    void rowsAsCsv();
    void noCellOfACsvIsAFormula();
    void wordsHaveRoomBetweenThem();
    void othersExperimentsStayOut();
    void manyRowsAreIndexed();
    void aFilterKeepsTheOrder();
    void randomChangesEqualARebuild_data();
    void randomChangesEqualARebuild();
};

void TstTrialModel::newestFirst()
{
    const Bench bench(4);
    QCOMPARE(bench.numbers(), (QList<qint64>{3, 2, 1, 0}));
}

void TstTrialModel::newTrialsComeOnTop()
{
    Bench bench(2);
    QSignalSpy inserted(&bench.model, &QAbstractItemModel::rowsInserted);
    QSignalSpy reset(&bench.model, &QAbstractItemModel::modelReset);
    QList<TrialPtr> trials;
    for (int i = 2; i < 1002; ++i)
        trials.append(shared(made(i)));
    bench.publish(trials);
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(reset.size(), 0);
    QCOMPARE(bench.model.rowCount(), 1002);
    QCOMPARE(bench.model.trialAt(0)->sequenceId, 1001);
}

void TstTrialModel::aValueChangesItsRowAlone()
{
    Bench bench(100);
    QSignalSpy changed(&bench.model, &QAbstractItemModel::dataChanged);
    Trial trial = made(40);
    trial.status = TrialStatus::running;
    trial.bestMetric = 0.5;
    bench.publish({shared(trial)});
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed[0][0].toModelIndex().row(), 59);
    QCOMPARE(changed[0][1].toModelIndex().row(), 59);
    QCOMPARE(bench.model.index(59, int(TrialColumn::best)).data().toString(), u"0.5000"_s);
    QCOMPARE(bench.model.index(59, int(TrialColumn::best)).data(TrialModel::HeatRole).toDouble(), 1.0);
}

void TstTrialModel::heatFollowsRanks()
{
    Bench bench(5);
    QList<TrialPtr> trials;
    const std::array values{0.90, 0.92, 0.94, 0.96, -1e6};
    for (int i = 0; i < 5; ++i) {
        Trial trial = made(i);
        trial.bestMetric = values[size_t(i)];
        trials.append(shared(trial));
    }
    bench.publish(trials);
    const auto heat = [&bench](int number) {
        const int row = bench.model.rowOf(made(number).id);
        return bench.model.index(row, int(TrialColumn::best)).data(TrialModel::HeatRole).toDouble();
    };
    // The outlier does not press the others together.
    QCOMPARE(heat(4), 0.0);
    QCOMPARE(heat(0), 0.25);
    QCOMPARE(heat(2), 0.75);
    QCOMPARE(heat(3), 1.0);
}

void TstTrialModel::absentIsLastBothWays()
{
    Bench bench(4);
    Trial one = made(1);
    one.bestMetric = 0.3;
    Trial two = made(2);
    two.bestMetric = 0.9;
    Trial three = made(3);
    three.bestMetric = std::nan("");
    bench.publish({shared(one), shared(two), shared(three)});
    bench.model.sort(int(TrialColumn::best), Qt::DescendingOrder);
    QCOMPARE(bench.numbers().mid(0, 2), (QList<qint64>{2, 1}));
    bench.model.sort(int(TrialColumn::best), Qt::AscendingOrder);
    QCOMPARE(bench.numbers().mid(0, 2), (QList<qint64>{1, 2}));
}

void TstTrialModel::wordsSort()
{
    Bench bench(6);
    const int column = bench.model.table().parameterColumn(u"optimizer"_s);
    bench.model.sort(column, Qt::AscendingOrder);
    QCOMPARE(bench.numbers(), (QList<qint64>{1, 2, 4, 5, 0, 3}));
    // Words that were not there when it was sorted find their place.
    Trial trial = made(6);
    trial.parameters = R"({"optimizer": "lion"})";
    bench.publish({shared(trial)});
    QCOMPARE(bench.numbers(), (QList<qint64>{1, 2, 4, 5, 6, 0, 3}));
    trial = made(7);
    trial.parameters = R"({"optimizer": "zeta"})";
    bench.publish({shared(trial)});
    QCOMPARE(bench.numbers().last(), 7);
}

void TstTrialModel::filterHidesAndShows()
{
    Bench bench(10);
    bench.model.setFilter(*TrialFilter::parse(u"state:running"_s));
    QCOMPARE(bench.model.rowCount(), 0);
    Trial trial = made(4);
    trial.status = TrialStatus::running;
    bench.publish({shared(trial)});
    QCOMPARE(bench.numbers(), QList<qint64>{4});
    trial.status = TrialStatus::succeeded;
    bench.publish({shared(trial)});
    QCOMPARE(bench.model.rowCount(), 0);
    bench.model.setFilter({});
    QCOMPARE(bench.model.rowCount(), 10);
    bench.model.setFilter(*TrialFilter::parse(u"optimizer:sgd"_s));
    QCOMPARE(bench.model.rowCount(), 4);
}

void TstTrialModel::heldRowsStay()
{
    Bench bench(3);
    bench.model.sort(int(TrialColumn::best), Qt::DescendingOrder);
    const QList<qint64> before = bench.numbers();
    bench.model.hold(60'000);
    Trial trial = made(0);
    trial.bestMetric = 1;
    bench.publish({shared(trial), shared(made(3))});
    QCOMPARE(bench.numbers(), before);
    const int row = bench.model.rowOf(trial.id);
    QCOMPARE(bench.model.index(row, int(TrialColumn::best)).data().toString(), u"1.0000"_s);
    bench.model.settle();
    QCOMPARE(bench.numbers().first(), 0);
    QCOMPARE(bench.model.rowCount(), 4);
}

void TstTrialModel::persistentIndexesFollowASort()
{
    Bench bench(50);
    const QPersistentModelIndex held = bench.model.index(10, 0);
    const QString id = held.data(TrialModel::IdRole).toString();
    bench.model.sort(bench.model.table().parameterColumn(u"lr"_s), Qt::AscendingOrder);
    QCOMPARE(held.data(TrialModel::IdRole).toString(), id);
}

void TstTrialModel::cells()
{
    Bench bench(1);
    Trial trial = made(0);
    trial.status = TrialStatus::running;
    trial.startTime = 1'000'000;
    trial.machineId = MachineId(u"lab3"_s);
    trial.gpuIndices = {0, 1};
    trial.reason = u"why\nnot"_s;
    bench.model.setNow(1'000'000 + 3 * 3'600'000 + 5 * 60'000);
    bench.publish({shared(trial)});
    const auto text = [&](TrialColumn column) { return bench.model.index(0, int(column)).data().toString(); };
    QCOMPARE(text(TrialColumn::state), u"Running"_s);
    QCOMPARE(bench.model.index(0, 0).data(Qt::ToolTipRole).toString(), u"Running. why⏎not"_s);
    QCOMPARE(text(TrialColumn::machine), u"lab3 · 0, 1"_s);
    QCOMPARE(text(TrialColumn::ran), u"3 h 05"_s);
    QCOMPARE(text(TrialColumn::last), QString());
    QCOMPARE(bench.model.headerData(bench.model.table().parameterColumn(u"lr"_s), Qt::Horizontal, Qt::DisplayRole)
                 .toString(),
        u"lr"_s);
}

void TstTrialModel::oddValues()
{
    Bench bench(1);
    const auto last = [&](const QByteArray& data) {
        Trial trial = made(0);
        MetricValue value{MetricValue::Kind::object, std::nan(""), data};
        trial.latestMetric = MetricSummary{0, 0, value, 0};
        bench.publish({shared(trial)});
        const QModelIndex cell = bench.model.index(0, int(TrialColumn::last));
        return cell.data().toString() + (cell.data(TrialModel::OddRole).toBool() ? u"!"_s : QString());
    };
    QCOMPARE(last(R"({"accuracy": 0.25})"), u"0.2500"_s);
    QCOMPARE(last(R"({"accuracy": "NaN"})"), u"NaN!"_s);
    QCOMPARE(last(R"({"accuracy": "-Infinity"})"), u"−∞!"_s);
    QCOMPARE(last(R"({"accuracy": "good"})"), u"not a number"_s);
    QCOMPARE(last(R"({"loss": 1})"), u"not a number"_s);
}

void TstTrialModel::manyParameters()
{
    Bench bench(1);
    Trial trial = made(1);
    trial.parameters = "{";
    for (int i = 0; i < 2000; ++i)
        trial.parameters += "\"p" + QByteArray::number(i) + "\":" + QByteArray::number(i) + ',';
    trial.parameters += "\"last\":1}";
    bench.publish({shared(trial)});
    QCOMPARE(bench.model.columnCount(), baseColumns + TrialTable::maxParameters);
    QCOMPARE(bench.model.index(0, bench.model.table().parameterColumn(u"p7"_s)).data().toString(), u"7"_s);
    // What is no JSON has no columns, and harms nothing.
    trial = made(2);
    trial.parameters = "{\"a\": [1, ";
    bench.publish({shared(trial)});
    QCOMPARE(bench.model.rowCount(), 3);
}

void TstTrialModel::removedTrialsGo()
{
    Bench bench(5);
    Removed removed;
    removed.trials = {made(3).id};
    bench.publish({}, removed);
    QCOMPARE(bench.numbers(), (QList<qint64>{4, 2, 1, 0}));
}

void TstTrialModel::rowsAsCsv()
{
    Bench bench(1);
    Trial trial = made(1);
    trial.reason = u"a \"b\", c"_s;
    trial.bestMetric = 0.1;
    bench.publish({shared(trial)});
    const QByteArray csv = trialCsv(bench.model,
        {int(TrialColumn::number), int(TrialColumn::state), int(TrialColumn::best), int(TrialColumn::reason)});
    QCOMPARE(csv,
        QByteArray("#,State,Best,Reason\n"
                   "1,Waiting,0.10000000000000001,\"a \"\"b\"\", c\"\n"
                   "0,Waiting,,\n"));
}

void TstTrialModel::noCellOfACsvIsAFormula()
{
    Bench bench;
    Trial trial = made(1);
    trial.parameters = R"({"@a": "=1+1", "-b": -0.5})";
    trial.reason = u"+cmd"_s;
    bench.publish({shared(trial)});
    QList<int> columns{int(TrialColumn::reason)};
    for (int column = 0; column < bench.model.columnCount(); ++column)
        if (kindOf(column) == TrialColumn::parameter)
            columns.append(column);
    QCOMPARE(trialCsv(bench.model, columns), QByteArray("Reason,'@a,'-b\n'+cmd,'=1+1,-0.5\n"));
}

void TstTrialModel::wordsHaveRoomBetweenThem()
{
    WordRanks ranks;
    const double* b = ranks.note(u"b"_s);
    const double* d = ranks.note(u"D"_s);
    QCOMPARE(ranks.note(u"b"_s), b);
    ranks.spread();
    QVERIFY(WordRanks::begin < *b && *b < *d);
    QCOMPARE(ranks.rankOf(u"D"_s), *d);
    const double c = ranks.rankOf(u"c"_s);
    QVERIFY(*b < c && c < *d);
    QVERIFY(ranks.rankOf(u"A"_s) < *b);
    QVERIFY(ranks.rankOf(u"e"_s) > *d);
    QCOMPARE(ranks.rankOf(u"c"_s), c);
}

void TstTrialModel::othersExperimentsStayOut()
{
    Bench bench(1);
    Trial trial = made(1);
    trial.experimentId = ExperimentId(u"e2"_s);
    bench.publish({shared(trial)});
    QCOMPARE(bench.model.rowCount(), 1);
    bench.model.load(bench.mirror, {});
    QCOMPARE(bench.model.rowCount(), 2);
}

/// In slices between events; what changed or came since is found by its new text, before and after.
void TstTrialModel::manyRowsAreIndexed()
{
    constexpr int count = int(TrialModel::indexedRows) + 700;
    Bench bench(count, false);
    QVERIFY(!bench.model.isIndexed());
    const auto found = [&](const QString& text) {
        bench.model.setFilter(*TrialFilter::parse(text));
        return bench.model.rowCount();
    };
    const int before = found(u"sgd"_s);
    QTRY_VERIFY(bench.model.isIndexed());
    QCOMPARE(bench.model.textIndex().size(), quint32(count));
    QCOMPARE(found(u"/\"sgd\"/"_s), before);
    QCOMPARE(found(u"nowhere"_s), 0);
    Trial changed = made(5);
    changed.tags = {u"nowhere"_s};
    Trial fresh = made(count);
    fresh.tags = {u"Nowhere else"_s};
    bench.publish({shared(changed), shared(fresh)});
    QCOMPARE(bench.model.rowCount(), 2);
    QCOMPARE(found(u"else"_s), 1);
    QTRY_VERIFY(bench.model.isIndexed());
    QCOMPARE(found(u"nowhere"_s), 2);
    changed.tags.clear();
    bench.publish({shared(changed)});
    QCOMPARE(bench.numbers(), QList<qint64>{count});
    bench.publish({}, Removed{.trials = {fresh.id}});
    QCOMPARE(found(u"nowhere"_s), 0);
    QCOMPARE(found(u"sgd"_s), before);
}

/// Rows that changed while the filter hid them stand where they belong once it shows them.
void TstTrialModel::aFilterKeepsTheOrder()
{
    Bench bench(30);
    bench.model.sort(int(TrialColumn::best), Qt::DescendingOrder);
    bench.model.setFilter(*TrialFilter::parse(u"optimizer:sgd"_s));
    QList<TrialPtr> trials;
    for (int i = 0; i < 30; ++i) {
        Trial trial = made(i);
        trial.bestMetric = (i * 7 % 30) / 30.0;
        trials.append(shared(trial));
    }
    bench.publish(trials);
    bench.model.setFilter({});
    QCOMPARE(bench.model.rowCount(), 30);
    for (int row = 0; row < 30; ++row)
        QCOMPARE(bench.model.trialAt(row)->bestMetric, (29 - row) / 30.0);
}

void TstTrialModel::randomChangesEqualARebuild_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("descending");
    QTest::addColumn<QString>("filter");
    QTest::newRow("number") << int(TrialColumn::number) << true << QString();
    QTest::newRow("best, both ways") << int(TrialColumn::best) << false << QString();
    QTest::newRow("best, filtered") << int(TrialColumn::best) << true << u"best>0.3"_s;
    QTest::newRow("state") << int(TrialColumn::state) << true << u"!state:failed"_s;
    QTest::newRow("reason: words that come") << int(TrialColumn::reason) << false << QString();
    QTest::newRow("waited") << int(TrialColumn::waited) << true << u"state:waiting,running"_s;
    QTest::newRow("reason, filtered") << int(TrialColumn::reason) << true << u"!b"_s;
    QTest::newRow("lr") << baseColumns << true << u"lr<0.08"_s;
}

void TstTrialModel::randomChangesEqualARebuild()
{
    QFETCH(int, column);
    QFETCH(bool, descending);
    QFETCH(QString, filter);
    // The tester looks at every index after each of thousands of moves; the comparison below does as much.
    Bench bench(40, false);
    bench.model.sort(column, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    bench.model.setFilter(*TrialFilter::parse(filter));
    QRandomGenerator random(7);
    int next = 40;
    for (int round = 0; round < 120; ++round) {
        QList<TrialPtr> trials;
        for (int n = random.bounded(round == 20 ? 400 : 6); n >= 0; --n) {
            const bool fresh = random.bounded(4) == 0;
            Trial trial = made(fresh ? next++ : int(random.bounded(next)));
            trial.status = allTrialStatuses[random.bounded(quint32(trialStatusCount))];
            if (random.bounded(3))
                trial.bestMetric = random.bounded(1.0);
            trial.reason = QString(QChar(u'a' + random.bounded(26))) + QChar(u'a' + random.bounded(26));
            trials.append(shared(trial));
        }
        if (random.bounded(5) == 0)
            bench.model.hold(60'000);
        bench.publish(trials);
        bench.model.settle();
        bench.model.hold(0);
        QCoreApplication::processEvents();
        TrialModel fresh;
        fresh.load(bench.mirror, experimentId);
        fresh.setFilter(*TrialFilter::parse(filter));
        fresh.sort(column, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
        QCOMPARE(bench.model.rowCount(), fresh.rowCount());
        for (int row = 0; row < fresh.rowCount(); ++row) {
            QCOMPARE(bench.model.trialAt(row)->id, fresh.trialAt(row)->id);
            QCOMPARE(bench.model.rowOf(fresh.trialAt(row)->id), row);
        }
    }
}

QTEST_GUILESS_MAIN(TstTrialModel)
#include "tst_trial_model.moc"
