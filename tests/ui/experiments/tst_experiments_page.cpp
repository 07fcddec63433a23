// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/experiments/experiment_model.h"
#include "tests/fakes/page_bench.h"
#include "ui/experiments/experiments_page.h"
#include "ui/experiments/limit_fields.h"
#include "ui/fields/duration_box.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;
using fakes::shared;

class TestExperimentsPage : public QObject
{
    Q_OBJECT
private slots:
    void cleaningUpCanBeUndone()
    {
        Bench bench;
        bench.press(u"Clean up"_s);
        QVERIFY(bench.asked<api::ActOnExperiment>().isEmpty());
        QCOMPARE(bench.window.toasts.size(), 1);
        QVERIFY2(bench.window.toasts[0].contains(u"folders"_s), qPrintable(bench.window.toasts[0]));
        bench.window.pending();
        QTRY_COMPARE(bench.asked<api::ActOnExperiment>().size(), 1);
        QCOMPARE(int(bench.asked<api::ActOnExperiment>()[0].action), int(api::ExperimentAction::cleanup));
    }

    void onlyWhatWasTouchedIsWritten()
    {
        Bench bench;
        auto* fields = bench.inspector->findChild<ui::LimitFields*>();
        bench.field<QSpinBox>(u"At once"_s)->setValue(9);
        // Meanwhile another client changes another limit, which is shown and not taken back.
        Experiment changed = bench.experiment();
        changed.spec.maxTrialNumber = 77;
        bench.port.publish({.experiments = {shared(changed)}});
        QTRY_COMPARE(bench.field<QSpinBox>(u"Trials"_s)->value(), 77);
        QCOMPARE(bench.field<QSpinBox>(u"At once"_s)->value(), 9);
        bench.press(u"Change limits"_s);
        QTRY_COMPARE(bench.asked<api::PatchExperiment>().size(), 1);
        const api::PatchExperiment patch = bench.asked<api::PatchExperiment>()[0];
        QCOMPARE(patch.trialConcurrency.value_or(0), 9);
        QVERIFY(!patch.maxTrialNumber && !patch.maxDurationSeconds && !patch.maxTrialDurationSeconds && !patch.tags);
        QTRY_VERIFY(!fields->isEdited());
    }

    void timesAreInSeconds()
    {
        Bench bench;
        auto* time = bench.field<ui::DurationBox>(u"Time a trial"_s);
        QCOMPARE(time->text(), u"1 min 30 s"_s);
        bench.field<QLineEdit>(u"Tags"_s)->setFocus();
        QTest::keyClicks(bench.field<QLineEdit>(u"Tags"_s), u"a, b"_s);
        bench.press(u"Change limits"_s);
        QTRY_COMPARE(bench.asked<api::PatchExperiment>().size(), 1);
        QVERIFY(!bench.asked<api::PatchExperiment>()[0].maxTrialDurationSeconds); // 90 s, not rounded to 2 min
        QTRY_VERIFY(!bench.inspector->findChild<ui::LimitFields*>()->isEdited());
        time->selectAll();
        QTest::keyClicks(time, u"2h5s"_s);
        QTest::keyClick(time, Qt::Key_Return);
        bench.press(u"Change limits"_s);
        QTRY_COMPARE(bench.asked<api::PatchExperiment>().size(), 2);
        QCOMPARE(bench.asked<api::PatchExperiment>()[1].maxTrialDurationSeconds.value_or(0).value_or(0), 7'205);
        QCOMPARE(time->text(), u"2 h 5 s"_s);
    }

    void aTouchThatChangesNothingAsksNothing()
    {
        Bench bench;
        auto* count = bench.field<QSpinBox>(u"At once"_s);
        const int before = count->value();
        count->setValue(before + 1);
        count->setValue(before);
        bench.press(u"Change limits"_s);
        QVERIFY(bench.asked<api::PatchExperiment>().isEmpty());
        QVERIFY(!fakes::button(*bench.inspector, u"Change limits"_s)->isEnabled());
    }

    void noColumnIsCut()
    {
        Bench bench;
        bench.page.resize(800, 400);
        Experiment large = bench.experiment();
        large.counts[size_t(TrialStatus::succeeded)] = 1'234'567;
        large.counts[size_t(TrialStatus::waiting)] = 7'654'321;
        bench.port.publish({.experiments = {shared(large)}});
        auto* table = bench.page.findChild<QTableView*>();
        const QAbstractItemView& view = *table; // where sizeHintForColumn() is public
        const auto isWhole = [&] {
            for (int column = 0; column < models::ExperimentModel::columns; ++column)
                if (column != models::ExperimentModel::NameColumn
                    && table->columnWidth(column) < view.sizeHintForColumn(column))
                    return false;
            return true;
        };
        QTRY_VERIFY(table->model()
                        ->index(0, models::ExperimentModel::ProgressColumn)
                        .data()
                        .toString()
                        .contains(u"1,234,567"_s));
        QTRY_VERIFY(isWhole());
        bench.page.resize(1'400, 400);
        QTRY_COMPARE(table->horizontalHeader()->length(), table->viewport()->width()); // the name takes the rest
    }

private:
    struct Bench : fakes::PageBench
    {
        Bench()
        {
            startWithTrial(TrialStatus::running, MachineId(u"gpu-box-1"_s));
            Experiment limited = experiment();
            limited.spec.maxTrialDurationSeconds = 90;
            port.publish({.experiments = {shared(limited)}});
            (void)QTest::qWaitFor([&] { return experiment().spec.maxTrialDurationSeconds == 90; });
            page.show();
            inspector->show();
            (void)QTest::qWaitForWindowExposed(&page);
            page.shown();
            page.showRecord(id.value);
        }
        [[nodiscard]] Experiment experiment() { return *mirror.state().experiments().find(id); }
        void press(const QString& text)
        {
            QAbstractButton* found = fakes::button(*inspector, text);
            QVERIFY2(found && found->isEnabled(), qPrintable(text));
            QTest::mouseClick(found, Qt::LeftButton);
        }
        template <typename Widget>
        [[nodiscard]] Widget* field(const QString& name)
        {
            for (Widget* one : inspector->findChildren<Widget*>())
                if (one->accessibleName() == name)
                    return one;
            qFatal("There is no such field.");
        }

        const ExperimentId id{fakes::sampleTrial(1).experimentId};
        ui::ExperimentsPage page{context};
        std::unique_ptr<QWidget> inspector{page.inspector()}; // a window would own it
    };
};

QTEST_MAIN(TestExperimentsPage)
#include "tst_experiments_page.moc"
