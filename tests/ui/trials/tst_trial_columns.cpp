// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the table of trials: per experiment, as far as there is room, chosen in a dialog that stays open.
#include "models/trials/trial_model.h"
#include "tests/fakes/page_bench.h"
#include "tests/fakes/window_test.h"
#include "ui/trials/column_chooser.h"
#include "ui/trials/rows_view.h"
#include "ui/trials/trial_table_view.h"
#include "ui/trials/trials_page.h"

#include <QHeaderView>
#include <QListWidget>
#include <QSettings>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using fakes::sampleTrial;
using fakes::shared;
using models::TrialColumn;

namespace {

const ExperimentId firstExperiment(u"e00000000000008"_s);
const ExperimentId secondExperiment(u"e00000000000009"_s);

/// Two experiments; the trials of each have as many parameters as said.
class ColumnsBench : public fakes::PageBench
{
public:
    ColumnsBench(int parametersOfFirst, int parametersOfSecond)
    {
        api::Change change;
        for (const ExperimentId& id : {firstExperiment, secondExperiment}) {
            Experiment experiment;
            experiment.id = id;
            experiment.spec.name = id.value;
            change.experiments.append(shared(experiment));
        }
        change.trials.append(shared(make(2, firstExperiment, u"a"_s, parametersOfFirst)));
        change.trials.append(shared(make(3, secondExperiment, u"b"_s, parametersOfSecond)));
        port.publish(change);
        client.start();
        (void)QTest::qWaitFor([&] { return mirror.state().isReady() && mirror.state().trials().size() == 3; });
        page.resize(1'000, 600);
        page.setExperiment(firstExperiment);
        page.show();
        (void)QTest::qWaitForWindowExposed(&page);
    }

    [[nodiscard]] ui::TrialTableView& table() { return *page.findChild<ui::TrialTableView*>(); }
    [[nodiscard]] QList<int> shownParameters()
    {
        QList<int> shown;
        for (int column = models::baseColumns; column < page.model().columnCount(); ++column)
            if (table().isColumnShown(column))
                shown += column;
        return shown;
    }
    [[nodiscard]] int width() { return table().findChild<QTableView*>()->horizontalHeader()->length(); }

    ui::TrialsPage page{context};

private:
    static Trial make(int number, const ExperimentId& experiment, const QString& prefix, int parameters)
    {
        Trial trial = sampleTrial(number, experiment.value);
        Json values = Json::object();
        for (int i = 0; i < parameters; ++i)
            values[(prefix + QString::number(i)).toStdString()] = i;
        trial.parameters = dumpJson(values);
        return trial;
    }
};

} // namespace

class TestTrialColumns : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        ui::Theme theme;
        fakes::useTestLook(theme);
    }
    void init() { QSettings().clear(); }

    void nameTheExperimentWhereAllAreChosen()
    {
        constexpr int experiment = int(TrialColumn::experiment);
        ColumnsBench bench(1, 1);
        QVERIFY(!bench.table().isColumnShown(experiment));
        bench.table().chooseColumn(int(TrialColumn::tags), true);
        bench.page.setExperiment({});
        QVERIFY(bench.table().isColumnShown(experiment));
        QVERIFY(bench.table().isColumnShown(int(TrialColumn::tags))); // as chosen last
        bench.table().chooseColumn(experiment, false);
        bench.page.setExperiment(firstExperiment);
        bench.page.setExperiment({});
        QVERIFY(!bench.table().isColumnShown(experiment)); // the choice of this table is kept
        bench.table().useUsualColumns();
        QVERIFY(bench.table().isColumnShown(experiment));
        bench.page.setExperiment(secondExperiment);
        QVERIFY(!bench.table().isColumnShown(experiment));
    }

    void doNotGrowWithEachExperiment()
    {
        ColumnsBench bench(4, 9);
        bench.page.resize(1'600, 600);
        QTRY_COMPARE(bench.shownParameters().size(), 4);
        bench.page.setExperiment(secondExperiment);
        QCOMPARE(bench.shownParameters().size(), models::parametersAtFirst);
        for (int i = 0; i < 3; ++i) {
            bench.page.setExperiment(firstExperiment);
            QCOMPARE(bench.shownParameters().size(), 4);
            QCOMPARE(bench.table().shownColumns(), 7 + 4);
            bench.page.setExperiment(secondExperiment);
            QCOMPARE(bench.table().shownColumns(), 7 + models::parametersAtFirst);
        }
    }

    void theLastColumnIsWhole()
    {
        ColumnsBench bench(9, 1);
        for (const int width : {700, 800, 1'000, 1'400, 760}) {
            bench.page.resize(width, 600);
            QTRY_COMPARE(bench.page.width(), width);
            QTest::qWait(0);
            const int room = bench.table().rows()->viewport()->width();
            QVERIFY2(bench.width() <= room || bench.shownParameters().size() == 2,
                qPrintable(u"%1 of %2 at %3"_s.arg(bench.width()).arg(room).arg(width)));
            QVERIFY(bench.shownParameters().size() >= 2);
        }
        bench.page.resize(1'600, 600);
        QTRY_COMPARE(bench.shownParameters().size(), models::parametersAtFirst);
    }

    void aChoiceIsOfItsExperiment()
    {
        {
            ColumnsBench bench(3, 3);
            bench.table().chooseColumn(models::baseColumns + 1, false);
            bench.table().chooseColumn(int(TrialColumn::reason), true);
            bench.table().moveColumn(int(TrialColumn::machine), int(TrialColumn::number));
            bench.page.setExperiment(secondExperiment);
            QCOMPARE(bench.shownParameters().size(), 3);
            // What is not a parameter begins as it was chosen last.
            QVERIFY(bench.table().isColumnShown(int(TrialColumn::reason)));
            bench.table().chooseColumn(int(TrialColumn::reason), false);
            bench.page.setExperiment(firstExperiment);
            QVERIFY(bench.table().isColumnShown(int(TrialColumn::reason)));
        }
        // The next window.
        ColumnsBench bench(3, 3);
        QCOMPARE(bench.shownParameters(), (QList<int>{models::baseColumns, models::baseColumns + 2}));
        QVERIFY(bench.table().isColumnShown(int(TrialColumn::reason)));
        const QList<int> order = bench.table().columnsInOrder();
        QCOMPARE(order.indexOf(int(TrialColumn::machine)) + 1, order.indexOf(int(TrialColumn::number)));
        const auto views = bench.table().findChildren<QTableView*>();
        QCOMPARE(views.size(), 2);
        for (int visual = 0; visual < order.size(); ++visual)
            for (const QTableView* view : views)
                QCOMPARE(view->horizontalHeader()->logicalIndex(visual), order[visual]);
        bench.table().useUsualColumns();
        QCOMPARE(bench.shownParameters().size(), 3);
        QVERIFY(!bench.table().isColumnShown(int(TrialColumn::reason)));
    }

    void aBrokenSettingIsTheUsual()
    {
        QSettings().setValue(u"columns/of/e00000000000008"_s, u"[[\"state\",fal"_s);
        ColumnsBench bench(3, 3);
        QCOMPARE(bench.table().shownColumns(), 7 + 3);
    }

    void widthsAreKept()
    {
        {
            ColumnsBench bench(2, 2);
            bench.table().findChild<QTableView*>()->horizontalHeader()->resizeSection(int(TrialColumn::machine), 133);
        }
        ColumnsBench bench(2, 2);
        for (const QTableView* view : bench.table().findChildren<QTableView*>())
            QCOMPARE(view->horizontalHeader()->sectionSize(int(TrialColumn::machine)), 133);
    }

    void theDialogStaysOpen()
    {
        ColumnsBench bench(3, 2);
        QTest::mouseClick(fakes::button(bench.page, u"Columns"_s), Qt::LeftButton);
        auto* dialog = bench.page.findChild<ui::ColumnChooser*>();
        QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
        auto* list = dialog->findChild<QListWidget*>();
        QCOMPARE(list->count(), models::baseColumns + 3);
        const auto rowOf = [&](const QString& text) {
            const auto found = list->findItems(text, Qt::MatchExactly);
            return found.isEmpty() ? -1 : list->row(found.first());
        };
        QVERIFY(rowOf(u"Reason"_s) >= 0);
        for (const bool shown : {true, false}) {
            list->item(rowOf(u"Reason"_s))->setCheckState(shown ? Qt::Checked : Qt::Unchecked);
            QCOMPARE(bench.table().isColumnShown(int(TrialColumn::reason)), shown);
            QVERIFY(dialog->isVisible());
        }
        // A row is its state: it cannot be hidden.
        QVERIFY(!(list->item(0)->flags() & Qt::ItemIsUserCheckable));
        QTest::mouseClick(fakes::button(*dialog, u"No parameters"_s), Qt::LeftButton);
        QVERIFY(bench.shownParameters().isEmpty());
        // Moved by keys.
        list->setCurrentRow(rowOf(u"Ran"_s));
        const int before = list->currentRow();
        QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(list->currentRow(), before - 1);
        QCOMPARE(bench.table().columnsInOrder().indexOf(int(TrialColumn::ran)), before - 1);
        QCOMPARE(rowOf(u"Ran"_s), before - 1);
        QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(bench.table().columnsInOrder().indexOf(int(TrialColumn::ran)), before);
        // It follows the page to another experiment.
        bench.page.setExperiment(secondExperiment);
        QCOMPARE(list->count(), models::baseColumns + 2);
        dialog->findChild<QLineEdit*>()->setText(u"b1"_s);
        const auto shownRows = [&] {
            int rows = 0;
            for (int row = 0; row < list->count(); ++row)
                rows += list->item(row)->isHidden() ? 0 : 1;
            return rows;
        };
        QTRY_COMPARE(shownRows(), 1);
        QTest::mouseClick(fakes::button(*dialog, u"Close"_s), Qt::LeftButton);
        QTRY_VERIFY(!bench.page.findChild<ui::ColumnChooser*>());
    }
};

QTEST_MAIN(TestTrialColumns)
#include "tst_trial_columns.moc"
