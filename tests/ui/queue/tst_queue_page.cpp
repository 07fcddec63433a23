// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the queue: what its table has room for, and what it says where nothing waits.
#include "models/queue/queue_model.h"
#include "tests/fakes/fake_engine_client.h"
#include "tests/fakes/page_bench.h"
#include "ui/queue/queue_page.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace core;
using fakes::button;
using fakes::shows;
using models::QueueModel;

class TestQueuePage : public QObject
{
    Q_OBJECT
private slots:
    void theReasonHasTheRoomThatIsLeft();
    void ofOneExperimentItsNameIsNotRepeated();
    void whatWaitsElsewhereIsSaid();
    void noReasonOfAnotherTrial();

private:
    struct Bench : fakes::PageBench
    {
        Bench()
            : page(context)
            , card(page.inspector())
            , table(page.findChild<QTableView*>())
        {
            port.publish(fakes::sampleLab());
            client.start();
            page.resize(900, 600);
            page.show();
            (void)QTest::qWaitFor([this] { return table->model()->rowCount() >= 2; });
        }
        [[nodiscard]] bool shows(QueueModel::Column column) const { return !table->isColumnHidden(column); }

        ui::QueuePage page;
        std::unique_ptr<QWidget> card; ///< the window's, where there is one
        QTableView* table;
    };
};

void TestQueuePage::theReasonHasTheRoomThatIsLeft()
{
    Bench bench;
    for (const int width : {1240, 900, 760, 620, 460}) {
        bench.page.resize(width, 600);
        QTRY_COMPARE(bench.table->viewport()->width(), width);
        QTRY_COMPARE(bench.table->horizontalScrollBar()->maximum(), 0);
        QTRY_COMPARE(bench.table->horizontalHeader()->length(), width);
        if (bench.shows(QueueModel::ReasonColumn))
            QVERIFY(bench.table->columnWidth(QueueModel::ReasonColumn) >= 140);
        QCOMPARE(bench.shows(QueueModel::ReasonColumn), width >= 760);
        if (width == 620)
            bench.page.setExperiment(ExperimentId(u"e00000000000001"_s)); // no column for its name: room for 460
    }
}

void TestQueuePage::ofOneExperimentItsNameIsNotRepeated()
{
    Bench bench;
    QVERIFY(bench.shows(QueueModel::ExperimentColumn));
    bench.page.setExperiment(ExperimentId(u"e00000000000001"_s));
    QVERIFY(!bench.shows(QueueModel::ExperimentColumn));
    bench.page.setExperiment({});
    QVERIFY(bench.shows(QueueModel::ExperimentColumn));
}

void TestQueuePage::whatWaitsElsewhereIsSaid()
{
    Bench bench;
    Experiment other;
    other.id = ExperimentId(u"e00000000000007"_s);
    other.spec.name = u"other"_s;
    bench.port.publish({.experiments = {fakes::shared(other)}});
    QTRY_VERIFY(bench.mirror.state().experiments().find(other.id));
    const qint64 waiting = bench.mirror.state().counts()[size_t(TrialStatus::waiting)];
    QVERIFY(waiting > 0);
    bench.page.setExperiment(other.id);
    QTRY_VERIFY(shows(bench.page, u"Nothing of this experiment waits"_s));
    QVERIFY(shows(bench.page, QString::number(waiting)));
    QTest::mouseClick(button(bench.page, u"Show all experiments"_s), Qt::LeftButton);
    QCOMPARE(bench.window.shown, QStringList{QString()}); // of no experiment: all
}

/// It may have begun between the question and the answer.
void TestQueuePage::noReasonOfAnotherTrial()
{
    Bench bench;
    const api::Change lab = fakes::sampleLab();
    const auto has = [&](TrialStatus status) {
        return *std::ranges::find(lab.trials, status, [](const TrialPtr& trial) { return trial->status; });
    };
    bench.page.showRecord(has(TrialStatus::waiting)->id.value);
    QVERIFY(bench.table->currentIndex().isValid());
    QCOMPARE(bench.window.notes, QStringList());
    const TrialPtr running = has(TrialStatus::running);
    bench.page.showRecord(running->id.value);
    QVERIFY(!bench.table->currentIndex().isValid());
    QCOMPARE(bench.window.notes, QStringList{u"Trial %1 no longer waits."_s.arg(running->sequenceId)});
    bench.card->show();
    QVERIFY(shows(*bench.card, u"No trial is chosen"_s));
    bench.page.showRecord({}); // of no certain one
    QCOMPARE(bench.table->currentIndex().row(), 0);
}

QTEST_MAIN(TestQueuePage)
#include "tst_queue_page.moc"
