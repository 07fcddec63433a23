// SPDX-License-Identifier: GPL-3.0-or-later
// The pages about trials over an engine that only records what it is asked.
#include "models/trials/failure_model.h"
#include "models/trials/filter_counter.h"
#include "models/trials/trial_model.h"
#include "services/api/reply_builders.h"
#include "services/series/pyramid.h"
#include "tests/fakes/page_bench.h"
#include "ui/experiments/copy_trial_dialog.h"
#include "ui/experiments/new_experiment_dialog.h"
#include "ui/experiments/search_editor.h"
#include "ui/experiments/test_run.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/plot_view.h"
#include "ui/explore/charts_page.h"
#include "ui/explore/parallel_data.h"
#include "ui/kit/log_view.h"
#include "ui/kit/widgets.h"
#include "ui/kit/trial_actions.h"
#include "ui/trials/failures_page.h"
#include "ui/trials/selection_actions.h"
#include "ui/trials/trial_detail_panel.h"
#include "ui/trials/trial_table_view.h"
#include "ui/trials/trial_window.h"
#include "ui/kit/ask.h"
#include "ui/trials/trials_page.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <atomic>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace core;
using fakes::button;
using fakes::sampleTrial;
using fakes::shared;

class Bench : public fakes::PageBench
{
public:
    explicit Bench(int trials)
    {
        api::Change change;
        for (int i = 2; i <= trials; ++i)
            change.trials.append(shared(make(i)));
        if (!change.trials.isEmpty())
            port.publish(change);
        client.start();
        (void)QTest::qWaitFor(
            [&] { return mirror.state().isReady() && int(mirror.state().trials().size()) == std::max(1, trials); });
    }
    /// Every fourth failed, every third runs, the others ended well; the value grows with the number.
    static Trial make(int number)
    {
        Trial trial = sampleTrial(number);
        trial.status = number % 4 == 0 ? TrialStatus::failed
            : number % 3 == 0          ? TrialStatus::running
                                       : TrialStatus::succeeded;
        trial.startTime = trial.submitTime + 10;
        if (isFinal(trial.status))
            trial.endTime = trial.submitTime + 5000;
        trial.bestMetric = number / 1000.0;
        trial.metricCount = 3;
        trial.latestMetric =
            MetricSummary{2, 3, {MetricValue::Kind::number, number / 1000.0, {}}, trial.submitTime + 100};
        trial.machineId = MachineId(u"gpu-box-1"_s);
        return trial;
    }
};

static const ExperimentId experimentId(u"e00000000000001"_s);

class TstTrialPages : public QObject
{
    Q_OBJECT
private slots:
    void tableShowsAndFilters();
    void filterErrorsStandBelowTheField();
    void parametersStandBesideTheCurve();
    void selectionIsShared();
    void cancelAsksAndCanBeUndone();
    void silentTrialsCanBeGivenUp_data();
    void silentTrialsCanBeGivenUp();
    void whatAFilterHidesIsNotCancelled();
    void retryOfOneGoesAtOnceToTheToast();
    void keysOpenTabs();
    void rowsAreCopiedWhole();
    void severalSelectedHaveTheirActions();
    void aTrialHasAWindowOfItsOwn();
    void tagsThatOnlySomeHaveStay();
    void spaceMarksRows();
    void inspectorFollowsChanges();
    void logIsTheOneWithTheOutput();
    void chartsSelectByFilter();
    void chartsShowEveryTrial();
    void axesAreWhatParametersSay();
    void failuresGroup();
    void newExperimentShowsWhatIsWrong();
    void newExperimentTabsAsTheEyeGoes();
    void newExperimentReadsAScript();
    void testRunIsNotKept();
    void theClockOfATestRunGoes();
    void testRunOffersItsNumbersAsTheMetric();
    void copyKeepsWhatWasNotTouched();
    void everyControlHasAName();
    void lostLinkLeavesPagesReadable();
    void savedFiltersAreCounted();
};

void TstTrialPages::tableShowsAndFilters()
{
    Bench bench(40);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.resize(900, 600);
    page.show();
    QCOMPARE(page.model().rowCount(), 40);
    page.applyFilter(u"state:failed lr>0.002"_s);
    QCOMPARE(page.model().rowCount(), 5); // 24 to 40
    page.applyFilter({});
    QCOMPARE(page.model().rowCount(), 40);
    bench.port.publish(api::Change{.trials = {shared(Bench::make(41))}});
    QTRY_COMPARE(page.model().rowCount(), 41);
}

void TstTrialPages::filterErrorsStandBelowTheField()
{
    Bench bench(4);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.show();
    page.applyFilter(u"lr>>1"_s);
    const auto labels = page.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
        [](const QLabel* l) { return l->isVisible() && l->text().contains(u"Expected a number after"_s); }));
    QCOMPARE(page.model().rowCount(), 4); // the former filter stays
}

void TstTrialPages::parametersStandBesideTheCurve()
{
    Bench bench(5);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.show();
    auto* table = page.findChild<ui::TrialTableView*>();
    const auto expected = [](int parameters) {
        QList<int> columns;
        for (int column = 0; column <= int(models::TrialColumn::curve); ++column)
            columns.append(column);
        columns.insert(int(models::TrialColumn::number) + 1, int(models::TrialColumn::experiment));
        for (int i = 0; i < parameters; ++i)
            columns.append(models::baseColumns + i);
        for (int column = int(models::TrialColumn::machine); column < int(models::TrialColumn::experiment); ++column)
            columns.append(column);
        return columns;
    };
    const int first = page.model().columnCount() - models::baseColumns;
    QVERIFY(first > 0);
    QCOMPARE(table->columnsInOrder(), expected(first));
    // One more, then many at once: another way to bring them there.
    int total = first;
    for (const int more : {1, 300}) {
        total += more;
        Trial trial = Bench::make(6);
        Json parameters = Json::parse(trial.parameters.toStdString());
        for (int i = 0; i < total - first; ++i)
            parameters[u"p%1"_s.arg(i).toStdString()] = i;
        trial.parameters = dumpJson(parameters);
        bench.port.publish(api::Change{.trials = {shared(trial)}});
        QTRY_COMPARE(page.model().columnCount(), models::baseColumns + total);
        QTRY_COMPARE(table->columnsInOrder(), expected(total));
    }
    QVERIFY(!table->isColumnShown(models::baseColumns + 200)); // there, but not in the way
}

void TstTrialPages::selectionIsShared()
{
    Bench bench(20);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.resize(900, 600);
    page.show();
    page.shown();
    auto* rows = page.findChild<ui::TrialTableView*>()->rows();
    rows->clearSelection();
    rows->selectRow(0);
    QCOMPARE(bench.selection.trials(), QSet<TrialId>{Bench::make(20).id});
    QCOMPARE(bench.selection.current(), Bench::make(20).id);
    bench.selection.set({Bench::make(3).id, Bench::make(4).id, Bench::make(9).id}, this);
    QCOMPARE(rows->selectionModel()->selectedRows().size(), 3);
    // A sort leaves the trials chosen, not the places.
    page.model().sort(int(models::TrialColumn::best), Qt::AscendingOrder);
    QCOMPARE(bench.selection.trials().size(), 3);
    QVERIFY(bench.selection.trials().contains(Bench::make(9).id));
}

void TstTrialPages::cancelAsksAndCanBeUndone()
{
    Bench bench(30);
    QWidget parent;
    parent.show();
    QSet<TrialId> ids;
    for (int i = 1; i <= 30; ++i)
        ids.insert(Bench::make(i).id);
    // Of the sample, number 1 waits; those with a number that 3 divides, and 4 does not, run.
    const int expected = int(ui::cancellable(bench.context, ids).trials.size());
    QCOMPARE(expected, 9);
    ui::cancelTrials(bench.context, ids, &parent);
    QAbstractButton* go = button(parent, u"Cancel 9 trial(s)"_s);
    QVERIFY(go);
    QVERIFY(bench.window.toasts.isEmpty());
    go->click();
    QCOMPARE(bench.window.toasts.size(), 1);
    QVERIFY(bench.asked<api::CancelTrials>().isEmpty()); // nothing before the toast ends
    bench.window.pending();
    QTRY_COMPARE(bench.asked<api::CancelTrials>().size(), 1);
    QCOMPARE(bench.asked<api::CancelTrials>()[0].selection.ids.size(), 9);
}

void TstTrialPages::silentTrialsCanBeGivenUp_data()
{
    QTest::addColumn<bool>("givenUp");
    QTest::newRow("waits for the machine") << false;
    QTest::newRow("given up") << true;
}

/// Also one that is being cancelled already: it waits for its machine.
void TstTrialPages::silentTrialsCanBeGivenUp()
{
    QFETCH(bool, givenUp);
    Bench bench(3);
    Trial silent = Bench::make(3);
    silent.status = TrialStatus::unknown;
    silent.cancelIntent = CancelIntent::user;
    bench.port.publish(api::Change{.trials = {shared(silent)}});
    QTRY_COMPARE(bench.mirror.state().trial(silent.id)->status, TrialStatus::unknown);
    QWidget parent;
    parent.show();
    ui::cancelTrials(bench.context, {silent.id}, &parent);
    QAbstractButton* go = button(parent, u"Cancel 1 trial(s)"_s);
    QVERIFY(go); // a question: it is more than the end of a trial
    auto* giveUp = parent.findChild<QCheckBox*>();
    QVERIFY(giveUp && giveUp->text().contains(u'1') && !giveUp->isChecked());
    giveUp->setChecked(givenUp);
    go->click();
    QVERIFY(bench.window.pending);
    bench.window.pending();
    QTRY_COMPARE(bench.asked<api::CancelTrials>().size(), 1);
    QCOMPARE(bench.asked<api::CancelTrials>()[0].force, givenUp);
}

void TstTrialPages::whatAFilterHidesIsNotCancelled()
{
    Bench bench(30);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.show();
    page.applyFilter(u"number:1..9"_s);
    QTableView* rows = page.findChild<ui::TrialTableView*>()->rows();
    rows->selectAll();
    QCOMPARE(bench.selection.trials().size(), 9);
    // Those that still show are selected already, so selecting all of them changes nothing that a view would tell.
    page.applyFilter(u"number:2..9"_s);
    rows->selectAll();
    QTest::keyClick(rows, Qt::Key_S);
    QAbstractButton* go = button(page, u"Cancel 3 trial(s)"_s); // 3, 6 and 9 run; 1 waits, and is not seen
    QVERIFY(go);
    go->click();
    bench.window.pending();
    QTRY_COMPARE(bench.asked<api::CancelTrials>().size(), 1);
    QVERIFY(!bench.asked<api::CancelTrials>()[0].selection.ids.contains(Bench::make(1).id.value));
}

void TstTrialPages::retryOfOneGoesAtOnceToTheToast()
{
    Bench bench(8);
    QWidget parent;
    ui::retryTrials(bench.context, {Bench::make(4).id}, &parent);
    QCOMPARE(bench.window.toasts.size(), 1);
    QVERIFY2(bench.window.toasts[0].endsWith(u" s"_s), qPrintable(bench.window.toasts[0])); // the seconds that are left
    ui::retryTrials(bench.context, {Bench::make(3).id}, &parent);                           // it runs
    QCOMPARE(bench.window.notes.size(), 1);
}

void TstTrialPages::rowsAreCopiedWhole()
{
    Bench bench(20);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.resize(1200, 600);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    bench.selection.set({sampleTrial(3).id, sampleTrial(5).id, sampleTrial(6).id}, nullptr);
    // 0.003, 0.005 and 0.006.
    QVERIFY(fakes::shows(page, u"3 selected: best 0.006"_s));
    QVERIFY(fakes::shows(page, u"mean 0.0047"_s));
    auto* table = page.findChild<ui::TrialTableView*>();
    QVERIFY(table);
    table->rows()->setFocus();
    QTest::keySequence(table->rows(), QKeySequence::Copy);
    const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    const QStringList head = lines[0].split(u'\t');
    QVERIFY2(head.size() > 5 && head.contains(u"lr"_s), qPrintable(lines[0]));
    for (const QString& line : lines)
        QCOMPARE(line.split(u'\t').size(), head.size());
}

void TstTrialPages::keysOpenTabs()
{
    Bench bench(8);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.show();
    page.shown();
    auto* tabs = page.panel()->findChild<QTabWidget*>();
    QSignalSpy wanted(&page, &ui::Page::inspectorWanted);
    QTest::keyClick(&page, Qt::Key_L);
    QCOMPARE(tabs->currentIndex(), int(ui::TrialDetailPanel::log_tab));
    QTest::keyClick(&page, Qt::Key_E);
    QCOMPARE(tabs->currentIndex(), int(ui::TrialDetailPanel::events_tab));
    QCOMPARE(wanted.size(), 2);
    QTRY_VERIFY(!bench.asked<api::ReadTrialEvents>().isEmpty());
    // The next failure, from wherever it stands.
    QTest::keyClick(&page, Qt::Key_BracketRight);
    const TrialPtr current = bench.mirror.state().trial(bench.selection.current());
    QVERIFY(current);
    QCOMPARE(current->status, TrialStatus::failed);
    page.applyFilter(u"state:failed"_s);
    QTest::keyClick(&page, Qt::Key_Escape);
    QCOMPARE(page.filter(), QString());
}

void TstTrialPages::severalSelectedHaveTheirActions()
{
    Bench bench(20);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.resize(900, 600);
    page.show();
    auto* actions = page.findChild<ui::SelectionActions*>();
    bench.selection.set({sampleTrial(2).id}, this);
    QVERIFY(!actions->isVisible());
    // 4 failed, 3 runs, 5 ended well.
    bench.selection.set({sampleTrial(4).id, sampleTrial(5).id}, this);
    QVERIFY(actions->isVisible());
    QVERIFY(!button(*actions, u"Cancel"_s)->isEnabled());
    QVERIFY(button(*actions, u"Retry"_s)->isEnabled());
    bench.selection.set({sampleTrial(3).id, sampleTrial(4).id, sampleTrial(5).id}, this);
    QVERIFY(button(*actions, u"Cancel"_s)->isEnabled());
    button(*actions, u"Compare"_s)->click();
    QCOMPARE(bench.window.shown, QStringList{u"compare 3"_s});
    // What a filter hides is not part of it.
    page.applyFilter(u"number:4..5"_s);
    QVERIFY(!button(*actions, u"Cancel"_s)->isEnabled());
}

void TstTrialPages::aTrialHasAWindowOfItsOwn()
{
    Bench bench(6);
    auto page = std::make_unique<ui::TrialsPage>(bench.context);
    page->setExperiment(experimentId);
    page->show();
    bench.selection.set({sampleTrial(4).id}, this);
    bench.selection.setCurrent(sampleTrial(4).id, this);
    QTest::keyClick(page->findChild<ui::TrialTableView*>()->rows(), Qt::Key_Return, Qt::ControlModifier);
    QPointer<ui::TrialWindow> window = page->findChild<ui::TrialWindow*>();
    QVERIFY(window && window->isVisible() && window->isWindow());
    QVERIFY2(window->windowTitle().startsWith(u"Trial 4"_s), qPrintable(window->windowTitle()));
    // It stays with its trial.
    bench.selection.setCurrent(sampleTrial(2).id, this);
    QVERIFY(fakes::shows(*window, u"Trial 4"_s));
    QTest::keyClick(window, Qt::Key_Escape);
    QTRY_VERIFY(!window);
    QCOMPARE(bench.selection.current(), sampleTrial(2).id);
    // And goes with the page.
    QTest::keyClick(page->findChild<ui::TrialTableView*>()->rows(), Qt::Key_Return, Qt::ControlModifier);
    window = page->findChild<ui::TrialWindow*>();
    QVERIFY(window);
    page.reset();
    QVERIFY(!window);
}

void TstTrialPages::tagsThatOnlySomeHaveStay()
{
    Bench bench(6);
    api::Change change;
    for (const int number : {2, 3}) {
        Trial trial = Bench::make(number);
        trial.tags = number == 2 ? QStringList{u"both"_s, u"mine"_s} : QStringList{u"both"_s};
        change.trials.append(shared(trial));
    }
    bench.port.publish(change);
    QTRY_COMPARE(bench.mirror.state().trial(sampleTrial(3).id)->tags.size(), 1);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.show();
    bench.selection.set({sampleTrial(2).id, sampleTrial(3).id}, this);
    QTest::keyClick(&page, Qt::Key_T);
    auto* dialog = page.findChild<ui::TextDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->text(), u"both"_s);
    dialog->setText(u"both, new"_s);
    dialog->accept();
    QTRY_COMPARE(bench.asked<api::PatchTrials>().size(), 2);
    QStringList kept = bench.asked<api::PatchTrials>()[0].set.tags.value_or(QStringList())
        + bench.asked<api::PatchTrials>()[1].set.tags.value_or(QStringList());
    kept.sort();
    QCOMPARE(kept, (QStringList{u"both"_s, u"both"_s, u"mine"_s, u"new"_s, u"new"_s}));
}

/// Space marks rows wherever keys go meanwhile.
void TstTrialPages::spaceMarksRows()
{
    Bench bench(8);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.show();
    QTableView* rows = page.findChild<ui::TrialTableView*>()->rows();
    const auto at = [&](int row) {
        return TrialId(rows->model()->index(row, 0).data(models::TrialModel::IdRole).toString());
    };
    rows->setFocus();
    rows->setCurrentIndex(rows->model()->index(0, 0));
    QTest::keyClick(rows, Qt::Key_Space);
    QTest::keyClick(rows, Qt::Key_Down);
    QTest::keyClick(rows, Qt::Key_J);
    QTest::keyClick(rows, Qt::Key_Space);
    QCOMPARE(bench.selection.trials(), (QSet<TrialId>{at(0), at(2)}));
    QTest::keyClick(rows, Qt::Key_Down);
    QTest::keyClick(rows, Qt::Key_Down);
    QTest::keyClick(rows, Qt::Key_Space, Qt::ShiftModifier);
    QCOMPARE(bench.selection.trials(), (QSet<TrialId>{at(0), at(2), at(3), at(4)}));
    QTest::keyClick(rows, Qt::Key_K);
    QTest::keyClick(rows, Qt::Key_Space); // lets it go
    const QSet<TrialId> marked = {at(0), at(2), at(4)};
    QCOMPARE(bench.selection.trials(), marked);
    // Without marks keys select the row that they go to.
    QTest::keyClick(rows, Qt::Key_Escape);
    QTest::keyClick(rows, Qt::Key_Up);
    QCOMPARE(bench.selection.trials(), QSet<TrialId>{at(2)});
}

void TstTrialPages::inspectorFollowsChanges()
{
    Bench bench(6);
    ui::TrialDetailPanel panel(bench.context);
    panel.show();
    bench.selection.setCurrent(Bench::make(3).id, nullptr);
    const auto says = [&](const QString& text) {
        const auto labels = panel.findChildren<QLabel*>();
        return std::any_of(
            labels.begin(), labels.end(), [&](const QLabel* l) { return l->isVisible() && l->text().contains(text); });
    };
    QVERIFY(says(u"Trial 3"_s));
    const QString name = bench.mirror.state().experiments().list().first()->spec.name;
    QVERIFY(!says(name));
    panel.setExperimentNamed(true); // where all experiments are chosen
    QVERIFY(says(name));
    QVERIFY(button(panel, u"Cancel"_s));
    Trial ended = Bench::make(3);
    ended.status = TrialStatus::failed;
    ended.reason = u"It ended\nwith exit code 1.\u202e"_s;
    bench.port.publish(api::Change{.trials = {shared(ended)}});
    QTRY_VERIFY(button(panel, u"Retry"_s));
    QVERIFY(says(u"It ended⏎with exit code 1."_s));
    bench.selection.setCurrent({}, nullptr);
    QVERIFY(says(u"Select a trial"_s));
}

/// As the service says: where nobody has chosen a log, the one with what the trial prints is shown, also if that comes later.
void TstTrialPages::logIsTheOneWithTheOutput()
{
    Bench bench(8);
    std::atomic<bool> hasPrinted = false;
    bench.port.setHandler([&](const api::Command& command, const auto& done) {
        if (std::holds_alternative<api::ListLogs>(command)) {
            done(api::Reply{.document = {{"logs", {"stdout", "stderr", "trial.log"}},
                                {"default", hasPrinted ? "trial.log" : "stdout"}}});
            return true;
        }
        const auto* read = std::get_if<api::ReadLog>(&command);
        if (!read)
            return false;
        const QByteArray all = hasPrinted && read->name == u"trial.log"_s ? "PRINT one\n" : "";
        done(api::Reply{.bytes = all.mid(read->offset), .offset = read->offset, .size = all.size()});
        return true;
    });
    ui::TrialDetailPanel panel(bench.context);
    panel.show();
    bench.selection.setCurrent(Bench::make(3).id, nullptr); // it runs
    auto* log = panel.findChild<ui::LogView*>();
    auto* names = log->findChild<QComboBox*>();
    QTRY_COMPARE(names->count(), 3);
    QCOMPARE(names->currentText(), u"stdout"_s);
    hasPrinted = true;
    QTRY_COMPARE(names->currentText(), u"trial.log"_s);
    QTRY_COMPARE(log->model().lineCount(), 1);
    QCOMPARE(log->model().line(0), "PRINT one\n");
    // What a person has chosen stays, also with the next trial.
    names->setCurrentText(u"stderr"_s);
    emit names->activated(1);
    bench.selection.setCurrent(Bench::make(6).id, nullptr);
    QTRY_COMPARE(log->model().trial(), Bench::make(6).id);
    QTRY_VERIFY(bench.asked<api::ListLogs>().last().trial == Bench::make(6).id);
    QTRY_COMPARE(log->model().name(), u"stderr"_s);
    QCOMPARE(names->currentText(), u"stderr"_s);
}

void TstTrialPages::chartsShowEveryTrial()
{
    Bench bench(1200);
    series::Pyramid curve;
    for (int step = 0; step < 3; ++step)
        curve.append(step, 1'750'000'000'000 + step, step);
    bench.port.setHandler([&curve](const api::Command& command, const fakes::FakeEnginePort::Done& done) {
        const auto* read = std::get_if<api::ReadSeries>(&command);
        if (!read)
            return false;
        api::SeriesReplyBuilder answer(*read);
        for (const TrialId& trial : read->trials)
            answer.add(trial, curve);
        done(answer.reply());
        return true;
    });
    ui::ChartsPage page(bench.context);
    page.setExperiment(experimentId);
    page.resize(1200, 800);
    page.show();
    auto* chart = page.findChild<ui::charts::MetricChart*>();
    QVERIFY(chart);
    QTRY_VERIFY(chart->data() && chart->data()->curves.size() == 1199); // the first sample trial reports nothing
    QVERIFY2(chart->plot()->badge().contains(u"all 1,199 trials"_s), qPrintable(chart->plot()->badge()));
    // The oldest ones are among those of the band.
    QSet<TrialId> chosen{sampleTrial(1199).id};
    for (int i = 2; i < 10; ++i)
        chosen.insert(sampleTrial(i).id);
    bench.selection.set(chosen, nullptr);
    QTRY_COMPARE(chart->bandCurves(), 9);
}

void TstTrialPages::chartsSelectByFilter()
{
    Bench bench(20);
    ui::ChartsPage page(bench.context);
    page.setExperiment(experimentId);
    page.resize(1000, 700);
    page.show();
    page.shown();
    page.applyFilter(u"best>0.015"_s);
    QCOMPARE(bench.selection.trials().size(), 5);
    const auto labels = page.findChildren<QLabel*>();
    QVERIFY(
        std::any_of(labels.begin(), labels.end(), [](const QLabel* l) { return l->text() == u"5 of 20 selected"_s; }));
    QTest::keyClick(&page, Qt::Key_Escape);
    QVERIFY(bench.selection.trials().isEmpty());
}

void TstTrialPages::axesAreWhatParametersSay()
{
    api::Change change;
    change.full = true;
    for (int i = 0; i < 20; ++i) {
        Trial trial = Bench::make(i);
        trial.parameters = dumpJson(Json{
            {"lr", 1e-5 * std::pow(2, i)}, {"batch", i % 2 ? 32 : 64}, {"kind", i % 2 ? "adam" : "Sgd"}, {"same", 1}});
        change.trials.append(shared(trial));
    }
    api::Mirror mirror;
    mirror.apply(change);
    models::TrialModel model;
    model.load(mirror, experimentId);
    const QList<int> columns = ui::tellingColumns(model);
    QStringList names;
    for (const int column : columns)
        names.append(ui::axisName(model, column));
    names.sort();
    QCOMPARE(names, (QStringList{u"batch"_s, u"kind"_s, u"lr"_s}));
    const int lr = model.table().parameterColumn(u"lr"_s);
    QVERIFY(ui::isLogColumn(model, lr, nullptr));
    const ui::ParallelData data = ui::parallelData(
        model, {lr, model.table().parameterColumn(u"batch"_s), model.table().parameterColumn(u"kind"_s)}, nullptr);
    QCOMPARE(data.lines->size(), size_t(20));
    QVERIFY(data.axes[0].isLog && data.axes[0].words.isEmpty());
    QCOMPARE(data.axes[1].words, (QStringList{u"32"_s, u"64"_s})); // a few numbers are choices
    QCOMPARE(data.axes[2].words, (QStringList{u"adam"_s, u"Sgd"_s}));
    for (const ui::charts::ParallelLine& line : *data.lines)
        for (const float place : line.places)
            QVERIFY(place >= 0 && place <= 1);
    const ui::BrushWords said = ui::brushWords(data.axes, {{2, 0, 0.2}, {1, 0, 1}});
    QCOMPARE(said.filter, u"kind:adam batch:32,64"_s);
    QCOMPARE(said.sentence, u"kind adam, batch 32, 64"_s);
    // The end of an axis is no bound: what comes later and lies beyond is meant, too.
    QVERIFY(ui::brushWords(data.axes, {{0, 0, 0.5}}).sentence.startsWith(u"lr at most "_s));
    QVERIFY(ui::brushWords(data.axes, {{0, 0.5, 1}}).sentence.startsWith(u"lr at least "_s));
}

void TstTrialPages::failuresGroup()
{
    const auto groups = models::failureGroupsFrom(
        Json{{"groups", {{{"cause", "a"}, {"machines", {"local", "lab.lab3"}}, {"trialIds", Json::array()}}}}});
    QVERIFY(groups && groups->size() == 1);
    QCOMPARE(groups->first().machines, (QStringList{u"this computer"_s, u"lab.lab3"_s}));

    Bench bench(8);
    ui::FailuresPage page(bench.context);
    page.resize(900, 600);
    page.show();
    page.setExperiment(experimentId);
    QTRY_VERIFY(button(page, u"Retry 1 trial(s)"_s));
    const auto labels = page.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
        [](const QLabel* l) { return l->isVisible() && l->text() == u"out of memory"_s; }));
    // A letter in the list is the page's key, not a search; trial 1 still waits, so there is only a message why it has no effect.
    QTest::keyClick(page.findChild<QTableView*>(), Qt::Key_R);
    QCOMPARE(bench.window.notes.size(), 1);
}

void TstTrialPages::newExperimentShowsWhatIsWrong()
{
    Bench bench(1);
    ui::NewExperimentDialog dialog(bench.context, {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto* run = button(dialog, u"Run"_s);
    QVERIFY(run);
    run->click();
    QVERIFY(bench.asked<api::CreateExperiment>().isEmpty());
    models::ExperimentDraft draft = dialog.draft();
    draft.name = u"mine"_s;
    draft.command = u"python3 train.py --lr {lr}"_s;
    draft.search = {{u"lr"_s, models::SearchKind::log_uniform, u"0.1"_s, u"0.0001"_s, {}}};
    dialog.setDraft(draft);
    QAbstractButton* swap = button(dialog, u"Swap them"_s);
    QVERIFY(swap);
    swap->click();
    QTRY_VERIFY(!button(dialog, u"Swap them"_s));
    QCOMPARE(dialog.draft().search[0].from, u"0.0001"_s);
    run->click();
    QTRY_COMPARE(bench.asked<api::CreateExperiment>().size(), 1);
    const ExperimentSpec spec = bench.asked<api::CreateExperiment>()[0].spec;
    QCOMPARE(spec.name, u"mine"_s);
    QCOMPARE(spec.trialCommand, u"python3 train.py --lr {lr}"_s);
    QCOMPARE(spec.maxTrialNumber, std::optional<qint64>(20));
    QTRY_COMPARE(bench.window.shown.size(), 2);
    QVERIFY(!dialog.isVisible());
}

void TstTrialPages::newExperimentTabsAsTheEyeGoes()
{
    Bench bench(1);
    ui::NewExperimentDialog dialog(bench.context, {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    dialog.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    models::ExperimentDraft draft = dialog.draft();
    draft.command = u"python3 train.py --lr {lr} --batch {batch}"_s;
    draft.search = {{u"lr"_s, models::SearchKind::uniform, u"0"_s, u"1"_s, {}},
        {u"batch"_s, models::SearchKind::choice, {}, {}, u"1, 2"_s}};
    dialog.setDraft(draft);
    QCoreApplication::processEvents(); // new rows show in the next turn
    QStringList found;
    for (int i = 0; i < 40; ++i) {
        const QWidget* at = dialog.focusWidget();
        const auto* button = qobject_cast<const QAbstractButton*>(at);
        found.append(!at->accessibleName().isEmpty() ? at->accessibleName() : button ? button->text() : QString());
        if (found.last().startsWith(u"Run 20"_s))
            break;
        QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
    }
    const QStringList wanted{u"Name of the experiment"_s, u"Script"_s, u"Choose"_s, u"Interpreter"_s,
        u"Command of a trial"_s, u"Explored by"_s, u"Name of the parameter"_s, u"Kind of range"_s, u"From"_s, u"To"_s,
        u"Remove this parameter"_s, u"Name of the parameter"_s, u"Kind of range"_s, u"Values to choose from"_s,
        u"Remove this parameter"_s, u"Add a parameter"_s, u"Direction"_s, u"Metric"_s,
        u"Pattern of the lines that tell it"_s, u"Platform"_s, u"GPUs a trial"_s, u"Trials at once"_s, u"Trials"_s,
        u"Time a trial"_s, u"Folder of the code"_s, u"Setup"_s, u"Tags"_s, u"Run one trial"_s, u"Save as file"_s,
        u"Cancel"_s, u"Run 20 trial(s)"_s};
    QVERIFY2(found == wanted, qPrintable(found.join(u" | "_s)));
}

void TstTrialPages::newExperimentReadsAScript()
{
    Bench bench(1);
    QTemporaryDir folder;
    QFile file(folder.filePath(u"train.py"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("p.add_argument('--lr', type=float, default=0.01)\n");
    file.close();
    ui::NewExperimentDialog dialog(bench.context, {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.openScript(file.fileName());
    QCOMPARE(dialog.draft().command, u"python3 train.py --lr {lr}"_s);
    QCOMPARE(dialog.draft().search.size(), 1);
    QCOMPARE(dialog.draft().codeDir, folder.path());
    dialog.openScript(folder.filePath(u"missing.py"_s));
    const auto labels = dialog.findChildren<QLabel*>();
    QVERIFY(std::any_of(
        labels.begin(), labels.end(), [](const QLabel* l) { return l->text().contains(u"cannot be read"_s); }));
}

void TstTrialPages::testRunOffersItsNumbersAsTheMetric()
{
    Bench bench(1);
    static const QByteArray output = "epoch 1 loss=0.7 took 3s\nepoch 2 loss=0.5 took 3s\nlast words 0.25\n";
    bench.port.setHandler([](const api::Command& command, const fakes::FakeEnginePort::Done& done) {
        const auto* read = std::get_if<api::ReadLog>(&command);
        if (!read)
            return false;
        api::Reply reply;
        reply.bytes = output.mid(read->tail ? 0 : read->offset);
        reply.size = output.size();
        reply.offset = output.size() - reply.bytes.size();
        reply.end = true;
        done(reply);
        return true;
    });
    ui::NewExperimentDialog dialog(bench.context, {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    models::ExperimentDraft draft = dialog.draft();
    draft.name = u"mine"_s;
    draft.command = u"true"_s;
    dialog.setDraft(draft);
    dialog.show();
    button(dialog, u"Run one trial"_s)->click(); // without a metric: it may be found
    QTRY_COMPARE(bench.asked<api::SubmitTrials>().size(), 1);
    const ExperimentId id = bench.asked<api::SubmitTrials>()[0].experiment;
    QTRY_VERIFY(!bench.mirror.state().trialsOf(id).empty());
    Trial ended = *bench.mirror.state().trialsOf(id).front();
    ended.status = TrialStatus::succeeded;
    ended.startTime = ended.submitTime;
    ended.endTime = ended.submitTime + 1;
    bench.port.publish(api::Change{.trials = {shared(ended)}});
    QAbstractButton* loss = nullptr;
    QTRY_VERIFY((loss = button(dialog, u"loss"_s)));
    QVERIFY(!button(dialog, u"epoch"_s));
    QVERIFY(fakes::shows(dialog, u"0.5000 to 0.7000, 2 line(s)"_s));
    // Without a choice nobody would see a result: that is said once.
    QAbstractButton* run = button(dialog, u"Run"_s);
    draft = dialog.draft();
    draft.metric = u"accuracy"_s;
    dialog.setDraft(draft);
    const qsizetype made = bench.asked<api::CreateExperiment>().size();
    run->click();
    QVERIFY(fakes::shows(dialog, u"The test run reported no value"_s));
    QCOMPARE(bench.asked<api::CreateExperiment>().size(), made);
    loss->click();
    QCOMPARE(dialog.draft().metric, u"loss"_s);
    QVERIFY(dialog.draft().pattern.startsWith(u"loss=(?<value>"_s));
    QVERIFY(!dialog.draft().maximize);
    // A line that the person points at offers its own numbers.
    auto* lines = dialog.findChild<ui::LogLines*>();
    QVERIFY(lines);
    emit lines->lineChosen(2);
    QTRY_VERIFY(button(dialog, u"words"_s));
    QVERIFY(!button(dialog, u"loss"_s));
    run->click();
    QTRY_COMPARE(bench.asked<api::CreateExperiment>().size(), made + 1);
    QCOMPARE(bench.asked<api::CreateExperiment>().last().spec.objective.metric, u"loss"_s);
}

void TstTrialPages::testRunIsNotKept()
{
    Bench bench(1);
    ui::NewExperimentDialog dialog(bench.context, {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    models::ExperimentDraft draft = dialog.draft();
    draft.name = u"mine"_s;
    draft.command = u"true"_s;
    dialog.setDraft(draft);
    dialog.show();
    QAbstractButton* test = button(dialog, u"Run one trial"_s);
    QVERIFY(test);
    test->click();
    QTRY_COMPARE(bench.asked<api::CreateExperiment>().size(), 1);
    QCOMPARE(bench.asked<api::CreateExperiment>()[0].spec.maxTrialNumber, std::optional<qint64>(1));
    // Without a search the one trial is asked for.
    QTRY_COMPARE(bench.asked<api::SubmitTrials>().size(), 1);
    dialog.reject();
    // Stopped first; removed once its trial has ended.
    QTRY_COMPARE(bench.asked<api::ActOnExperiment>().size(), 1);
    QCOMPARE(int(bench.asked<api::ActOnExperiment>()[0].action), int(api::ExperimentAction::stop));
    const ExperimentId id = bench.asked<api::ActOnExperiment>()[0].id;
    QTRY_VERIFY(!bench.mirror.state().trialsOf(id).empty());
    Trial ended = *bench.mirror.state().trialsOf(id).front();
    ended.status = TrialStatus::user_canceled;
    bench.port.publish(api::Change{.trials = {shared(ended)}});
    QTRY_COMPARE(bench.asked<api::ActOnExperiment>().size(), 2);
    QCOMPARE(int(bench.asked<api::ActOnExperiment>()[1].action), int(api::ExperimentAction::remove));
}

void TstTrialPages::theClockOfATestRunGoes()
{
    Bench bench(1);
    ui::NewExperimentDialog dialog(bench.context, {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    models::ExperimentDraft draft = dialog.draft();
    draft.name = u"mine"_s;
    draft.command = u"true"_s;
    dialog.setDraft(draft);
    dialog.show();
    button(dialog, u"Run one trial"_s)->click();
    QTRY_COMPARE(bench.asked<api::SubmitTrials>().size(), 1);
    const ExperimentId id = bench.asked<api::SubmitTrials>()[0].experiment;
    QTRY_VERIFY(!bench.mirror.state().trialsOf(id).empty());
    Trial running = *bench.mirror.state().trialsOf(id).front();
    running.status = TrialStatus::running;
    running.startTime = QDateTime::currentMSecsSinceEpoch() - 5'000;
    bench.port.publish(api::Change{.trials = {shared(running)}});
    auto* state = dialog.findChild<ui::TestRun*>()->findChild<ui::StateLabel*>();
    QTRY_VERIFY2(state->accessibleName().startsWith(u"Running"_s), qPrintable(state->accessibleName()));
    // No record changes from here on.
    const QString before = state->accessibleName();
    QTRY_VERIFY(state->accessibleName() != before);
    QVERIFY2(state->accessibleName().startsWith(u"Running"_s), qPrintable(state->accessibleName()));
    dialog.reject();
}

void TstTrialPages::copyKeepsWhatWasNotTouched()
{
    Bench bench(1);
    Trial trial = sampleTrial(1);
    trial.parameters = R"({"lr": 1.0e-3, "layers": [1, 2], "name": "a b"})";
    ui::CopyTrialDialog dialog(bench.context, trial);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    QCOMPARE(*dialog.parameters(), QByteArray(R"({"lr": 1.0e-3, "layers": [1, 2], "name": "a b"})"));
    dialog.show();
    QAbstractButton* run = button(dialog, u"Run this trial"_s);
    QVERIFY(run);
    run->click();
    QTRY_COMPARE(bench.asked<api::SubmitTrials>().size(), 1);
    QCOMPARE(bench.asked<api::SubmitTrials>()[0].trials[0].parameters, *dialog.parameters());
    QTRY_COMPARE(bench.window.shown.size(), 1);
}

/// Every focusable widget has an accessible name.
static QStringList nameless(QWidget* top)
{
    QStringList out;
    for (QWidget* widget : top->findChildren<QWidget*>()) {
        const bool isReached = widget->isVisibleTo(top) && (widget->focusPolicy() & Qt::TabFocus) && widget->isEnabled()
            && !widget->inherits("QScrollBar") && !widget->inherits("QHeaderView")
            && !widget->inherits("QAbstractScrollAreaScrollBarContainer") && !widget->objectName().startsWith(u"qt_"_s)
            && !qobject_cast<QComboBox*>(widget->parentWidget()) && !widget->inherits("QScrollArea")
            && !widget->focusProxy();
        if (!isReached || !widget->accessibleName().isEmpty())
            continue;
        const auto* labelled = qobject_cast<QAbstractButton*>(widget);
        const auto* label = qobject_cast<QLabel*>(widget);
        if ((labelled && !labelled->text().isEmpty()) || (label && !label->text().isEmpty())
            || widget->inherits("QTabBar") || widget->inherits("QSplitterHandle"))
            continue;
        out.append(QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->toolTip());
    }
    return out;
}

void TstTrialPages::everyControlHasAName()
{
    Bench bench(8);
    ui::TrialsPage trials(bench.context);
    ui::ChartsPage charts(bench.context);
    ui::FailuresPage failures(bench.context);
    ui::NewExperimentDialog dialog(bench.context, {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    bench.selection.setCurrent(Bench::make(3).id, nullptr);
    for (QWidget* one : std::initializer_list<QWidget*>{&trials, trials.panel(), &charts, &failures, &dialog}) {
        one->show();
        QCOMPARE(nameless(one).join(u"; "_s), QString());
    }
}

void TstTrialPages::lostLinkLeavesPagesReadable()
{
    Bench bench(12);
    ui::TrialsPage page(bench.context);
    page.setExperiment(experimentId);
    page.show();
    bench.port.setHandler([](const api::Command&, const fakes::FakeEnginePort::Done& done) {
        done(fail(Kind::network, u"The service is not reached."_s));
        return true;
    });
    page.shown();
    page.applyFilter(u"state:failed"_s);
    QCOMPARE(page.model().rowCount(), 3);
    // It is back, in another life.
    bench.port.setHandler({});
    bench.port.restart(u"epoch2"_s);
    QTRY_COMPARE(bench.mirror.state().epoch(), u"epoch2"_s);
    QTRY_COMPARE(page.model().rowCount(), 3);
}

void TstTrialPages::savedFiltersAreCounted()
{
    Bench bench(40);
    models::FilterCounter counter(bench.mirror);
    QCOMPARE(counter.count(u"state:failed"_s, experimentId), 10);
    QCOMPARE(counter.count(u"state:failed"_s, ExperimentId(u"e2"_s)), 0);
    QCOMPARE(counter.count(u"lr>>"_s, experimentId), 0);
    QCOMPARE(counter.count(u"state:failed"_s, {}), 10);
    bench.port.publish(api::Change{.trials = {shared(Bench::make(44))}});
    QTRY_COMPARE(counter.count(u"state:failed"_s, {}), 11);
}

QTEST_MAIN(TstTrialPages)
#include "tst_trial_pages.moc"
