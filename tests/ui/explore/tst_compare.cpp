// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/curves_bench.h"

#include "ui/charts/metric_chart.h"
#include "ui/explore/compare_dialog.h"
#include "ui/explore/compare_table.h"
#include "ui/explore/series_legend.h"

#include <QComboBox>
#include <QPointer>
#include <QPushButton>
#include <QTreeWidget>

using namespace Qt::StringLiterals;
using core::TrialId;
using fakes::CurvesBench;

class TstCompare : public QObject
{
    Q_OBJECT
private slots:
    void rowsThatDifferComeFirst();
    void valuesThatLookTheSameAreExact();
    void theBestComeFirst();
    void numbersSayHowTheyDifferFromTheBaseline();
    void aBaselineIsChosen();
    void theSelectionIsCompared();
    void ofManyTheBestAreCompared();
    void withoutASelectionTheBestAreCompared();
    void colorsAreThoseOfTheSelection();
    void itIsClosedByButtonAndKey();
};

static core::Trial withParameters(int number, const QByteArray& parameters)
{
    core::Trial trial = CurvesBench::make(number);
    trial.parameters = parameters;
    return trial;
}

static QStringList namesOf(const std::vector<ui::CompareRow>& rows)
{
    QStringList out;
    for (const ui::CompareRow& row : rows)
        out.append(row.name);
    return out;
}

static ui::CompareDialog* open(CurvesBench& bench, const QSet<TrialId>& ids)
{
    static QWidget parent;
    ui::compareTrials(bench.context, ids, &parent, CurvesBench::experiment());
    const auto dialogs = parent.findChildren<ui::CompareDialog*>();
    return dialogs.isEmpty() ? nullptr : dialogs.last();
}

static QStringList headersOf(const ui::CompareDialog& dialog)
{
    const auto* table = dialog.findChild<QTreeWidget*>();
    QStringList out;
    for (int i = 1; i < table->columnCount(); ++i)
        out.append(table->headerItem()->text(i).remove(u", baseline"_s));
    return out;
}

void TstCompare::rowsThatDifferComeFirst()
{
    models::TrialTable table;
    table.put(fakes::shared(withParameters(2, R"({"same":1,"lr":0.00514,"kind":"adam"})")));
    table.put(fakes::shared(withParameters(3, R"({"same":1,"lr":0.02,"kind":"sgd"})")));
    const ui::CompareRows rows = ui::compareRows(table, 0);
    QCOMPARE(namesOf(rows.parameters), (QStringList{u"lr"_s, u"kind"_s}));
    QCOMPARE(rows.parameters[0].cells, (QStringList{u"0.0051"_s, u"0.02"_s})); // as in the trials table
    QCOMPARE(namesOf(rows.results), (QStringList{u"Best"_s, u"Machine"_s}));
    QCOMPARE(rows.results[0].cells, (QStringList{u"0.0020"_s, u"0.0030"_s}));
    QVERIFY(namesOf(rows.equal).contains(u"same"_s) && namesOf(rows.equal).contains(u"State"_s));
}

void TstCompare::valuesThatLookTheSameAreExact()
{
    models::TrialTable table;
    table.put(fakes::shared(withParameters(2, R"({"lr":0.123456789})")));
    table.put(fakes::shared(withParameters(3, R"({"lr":0.123456780})")));
    const ui::CompareRows rows = ui::compareRows(table, 0);
    QCOMPARE(namesOf(rows.parameters), QStringList{u"lr"_s});
    QVERIFY(rows.parameters[0].cells[0] != rows.parameters[0].cells[1]);
}

void TstCompare::numbersSayHowTheyDifferFromTheBaseline()
{
    models::TrialTable table;
    table.put(fakes::shared(withParameters(2, R"({"lr":0.0079,"drop":0.15,"kind":"adam","batch":128})")));
    table.put(fakes::shared(withParameters(3, R"({"lr":0.0042,"drop":0.1,"kind":"sgd","batch":128})")));
    table.put(fakes::shared(withParameters(4, R"({"lr":0.0151,"drop":0.32,"kind":"sgd"})")));
    auto experiment = std::make_shared<core::Experiment>();
    experiment->spec.searchSpace = *core::parseJson(
        R"({"lr":{"_type":"loguniform","_value":[1,2]},"drop":{"_type":"uniform"},"batch":[1],"kind":null})");
    QCOMPARE(ui::logParameters(experiment), QSet<QString>{u"lr"_s});
    QCOMPARE(ui::logParameters({}), QSet<QString>());
    const ui::CompareRows rows = ui::compareRows(table, 0, ui::logParameters(experiment));
    QCOMPARE(namesOf(rows.parameters), (QStringList{u"lr"_s, u"drop"_s, u"kind"_s, u"batch"_s}));
    QCOMPARE(rows.parameters[0].deltas, (QStringList{{}, u"×0.532"_s, u"×1.91"_s}));
    QCOMPARE(rows.parameters[1].deltas, (QStringList{{}, u"−0.05"_s, u"+0.17"_s}));
    QCOMPARE(rows.parameters[2].deltas, (QStringList{{}, {}, {}}));
    QCOMPARE(rows.parameters[3].deltas, (QStringList{{}, {}, {}}));
    QCOMPARE(rows.results[0].deltas, (QStringList{{}, u"+0.001"_s, u"+0.002"_s}));
}

void TstCompare::aBaselineIsChosen()
{
    CurvesBench bench(20);
    const std::unique_ptr<ui::CompareDialog> dialog(
        open(bench, {CurvesBench::id(4), CurvesBench::id(7), CurvesBench::id(9)}));
    auto* table = dialog->findChild<QTreeWidget*>();
    auto* baselines = dialog->findChild<QComboBox*>();
    QCOMPARE(table->headerItem()->text(1), u"Trial 9, baseline"_s);
    QCOMPARE(baselines->count(), 3);
    baselines->setFocus();
    baselines->setCurrentIndex(2);
    emit baselines->activated(2);
    QCOMPARE(headersOf(*dialog), (QStringList{u"Trial 4"_s, u"Trial 9"_s, u"Trial 7"_s}));
    QCOMPARE(table->headerItem()->text(1), u"Trial 4, baseline"_s);
    QVERIFY2(table->topLevelItem(0)->text(2).startsWith(u"+"_s), qPrintable(table->topLevelItem(0)->text(2)));
    // It stays while others are shown beside it, if it is one of them.
    fakes::button(*dialog, u"Best 4"_s)->click();
    QCOMPARE(table->headerItem()->text(1), u"Trial 20, baseline"_s);
    fakes::button(*dialog, u"Selected"_s)->click();
    QCOMPARE(table->headerItem()->text(1), u"Trial 4, baseline"_s);
}

void TstCompare::theBestComeFirst()
{
    QList<core::TrialPtr> trials;
    for (int i = 2; i < 8; ++i)
        trials.append(fakes::shared(CurvesBench::make(i)));
    core::Trial none = CurvesBench::make(1);
    none.bestMetric.reset();
    trials.prepend(fakes::shared(none));
    const auto numbers = [](const QList<core::TrialPtr>& list) {
        QList<qint64> out;
        for (const core::TrialPtr& trial : list)
            out.append(trial->sequenceId);
        return out;
    };
    QCOMPARE(numbers(ui::bestOf(trials, true, 3)), (QList<qint64>{7, 6, 5}));
    QCOMPARE(numbers(ui::bestOf(trials, false, 10)), (QList<qint64>{2, 3, 4, 5, 6, 7, 1}));
}

void TstCompare::theSelectionIsCompared()
{
    CurvesBench bench(20);
    const std::unique_ptr<ui::CompareDialog> dialog(open(bench, {CurvesBench::id(4), CurvesBench::id(7)}));
    QVERIFY(dialog);
    QCOMPARE(headersOf(*dialog), (QStringList{u"Trial 7"_s, u"Trial 4"_s}));
    const auto* table = dialog->findChild<QTreeWidget*>();
    QCOMPARE(table->topLevelItem(0)->text(0), u"lr"_s);
    // What is equal is one row that opens.
    const QTreeWidgetItem* fold = table->topLevelItem(table->topLevelItemCount() - 1);
    QVERIFY(fold->childCount() > 0);
    QVERIFY(!fold->isExpanded());
    QCOMPARE(fold->text(0), u"and %1 the same"_s.arg(fold->childCount()));
    // The best ones instead.
    fakes::button(*dialog, u"Best 4"_s)->click();
    QCOMPARE(headersOf(*dialog), (QStringList{u"Trial 20"_s, u"Trial 19"_s, u"Trial 18"_s, u"Trial 17"_s}));
}

void TstCompare::ofManyTheBestAreCompared()
{
    CurvesBench bench(20);
    QSet<TrialId> ids;
    for (int i = 2; i < 16; ++i)
        ids.insert(CurvesBench::id(i));
    const std::unique_ptr<ui::CompareDialog> dialog(open(bench, ids));
    QCOMPARE(headersOf(*dialog).size(), 8);
    QCOMPARE(headersOf(*dialog).first(), u"Trial 15"_s);
    dialog->show();
    QVERIFY(fakes::shows(*dialog, u"The best 8 of 14 selected"_s));
}

void TstCompare::withoutASelectionTheBestAreCompared()
{
    CurvesBench bench(20);
    const std::unique_ptr<ui::CompareDialog> dialog(open(bench, {}));
    QVERIFY(dialog);
    QCOMPARE(headersOf(*dialog).size(), 4);
    QVERIFY(!fakes::button(*dialog, u"Selected"_s));
    // Without any value there is nothing to compare.
    QWidget parent;
    ui::compareTrials(bench.context, {}, &parent);
    QVERIFY(parent.findChildren<ui::CompareDialog*>().isEmpty());
    QCOMPARE(bench.window.notes.size(), 1);
}

void TstCompare::colorsAreThoseOfTheSelection()
{
    CurvesBench bench(20);
    bench.selection.set({CurvesBench::id(9)}, nullptr);
    bench.selection.set({CurvesBench::id(9), CurvesBench::id(4)}, nullptr);
    const std::unique_ptr<ui::CompareDialog> dialog(open(bench, bench.selection.trials()));
    const auto* header = dialog->findChild<QTreeWidget*>()->headerItem();
    const auto dot = [header](int column) {
        const QImage image = header->icon(column).pixmap(ui::seriesDotSize).toImage();
        return image.pixelColor(image.width() / 2, image.height() / 2);
    };
    const auto& series = bench.theme.roles().series;
    QCOMPARE(header->text(1), u"Trial 9, baseline"_s);
    QCOMPARE(dot(1), series[size_t(bench.selection.colorOf(CurvesBench::id(9)))]);
    QCOMPARE(dot(1), series[0]);
    QCOMPARE(dot(2), series[1]);
}

void TstCompare::itIsClosedByButtonAndKey()
{
    CurvesBench bench(20);
    for (const bool byKey : {false, true}) {
        QPointer<ui::CompareDialog> dialog = open(bench, {});
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->isVisible());
        auto* close = dialog->findChild<QPushButton*>(u"close"_s);
        QVERIFY(close->icon().isNull()); // one of the desktop's is black on a dark window
        if (byKey)
            QTest::keyClick(dialog, Qt::Key_Escape);
        else
            close->click();
        QTRY_VERIFY(!dialog);
    }
}

QTEST_MAIN(TstCompare)
#include "tst_compare.moc"
