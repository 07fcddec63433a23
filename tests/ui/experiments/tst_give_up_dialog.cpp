// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/page_bench.h"
#include "ui/experiments/experiments_page.h"
#include "ui/experiments/give_up_dialog.h"

#include <QPushButton>
#include <QLabel>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;
using fakes::sampleTrial;

class TestGiveUpDialog : public QObject
{
    Q_OBJECT
private slots:
    void nothingIsAskedWhereAllAnswer();
    void thePageAsks_data();
    void thePageAsks();
    void asksAndGoesOn_data();
    void asksAndGoesOn();
    void notNow();

private:
    struct Bench : fakes::PageBench
    {
        explicit Bench(TrialStatus status)
        {
            startWithTrial(status, MachineId(u"gpu-box-1"_s));
            page.show();
        }
        [[nodiscard]] QList<api::ActOnExperiment> asked() { return PageBench::asked<api::ActOnExperiment>(); }
        [[nodiscard]] QDialog* dialog() const { return page.findChild<ui::GiveUpDialog*>(); }

        ui::ExperimentsPage page{context};
        std::unique_ptr<QWidget> inspector{page.inspector()}; // a window would own it
        const ExperimentId experiment = sampleTrial(1).experimentId;
    };
};

void TestGiveUpDialog::nothingIsAskedWhereAllAnswer()
{
    Bench bench(TrialStatus::running);
    ui::askOrGiveUp(bench.context, {bench.experiment, api::ExperimentAction::stop}, &bench.page);
    QTRY_COMPARE(bench.mirror.state().experiments().find(bench.experiment)->state, ExperimentState::stopped);
    QVERIFY(!bench.dialog());
    QCOMPARE(bench.asked().size(), 1);
    QVERIFY(!bench.asked()[0].force);
    QVERIFY(bench.window.notes.isEmpty());
}

void TestGiveUpDialog::thePageAsks_data()
{
    QTest::addColumn<QString>("button");
    QTest::newRow("stop") << u"Stop"_s;
    QTest::newRow("cleanup") << u"Clean up"_s;
    QTest::newRow("delete") << u"Delete"_s;
}

void TestGiveUpDialog::thePageAsks()
{
    QFETCH(QString, button);
    Bench bench(TrialStatus::unknown);
    bench.page.showRecord(bench.experiment.value);
    QAbstractButton* found = fakes::button(*bench.inspector, button);
    QVERIFY2(found, qPrintable(button));
    found->setEnabled(true); // the sample may have ended
    found->click();
    QVERIFY(bench.window.pending); // it waits in a toast first
    bench.window.pending();
    QTRY_VERIFY(bench.dialog() && bench.dialog()->isVisible());
    QCOMPARE(bench.asked().size(), 1);
}

void TestGiveUpDialog::asksAndGoesOn_data()
{
    QTest::addColumn<int>("action");
    QTest::newRow("stop") << int(api::ExperimentAction::stop);
    QTest::newRow("cleanup") << int(api::ExperimentAction::cleanup);
    QTest::newRow("delete") << int(api::ExperimentAction::remove);
}

void TestGiveUpDialog::asksAndGoesOn()
{
    QFETCH(int, action);
    Bench bench(TrialStatus::unknown);
    ui::askOrGiveUp(bench.context, {bench.experiment, api::ExperimentAction(action)}, &bench.page);
    QTRY_VERIFY(bench.dialog() && bench.dialog()->isVisible());
    const auto labels = bench.dialog()->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
        [](const QLabel* label) { return label->text().contains(u"gpu-box-1"_s) && label->text().contains(u'1'); }));
    QVERIFY(qobject_cast<QPushButton*>(fakes::button(*bench.dialog(), u"Not now"_s))->isDefault());
    QVERIFY(bench.window.notes.isEmpty()); // the dialog says it, and nothing else
    QTest::mouseClick(fakes::button(*bench.dialog(), u"Give up what is there"_s), Qt::LeftButton);
    QTRY_COMPARE(bench.asked().size(), 2);
    QVERIFY(bench.asked()[1].force);
    QCOMPARE(int(bench.asked()[1].action), action);
    QTRY_VERIFY(!bench.dialog());
    if (api::ExperimentAction(action) == api::ExperimentAction::remove) {
        QTRY_COMPARE(bench.window.notes.size(), 1);
        QVERIFY2(bench.window.notes[0].contains(u"gpu-box-1"_s), qPrintable(bench.window.notes[0]));
    }
}

void TestGiveUpDialog::notNow()
{
    Bench bench(TrialStatus::unknown);
    ui::askOrGiveUp(bench.context, {bench.experiment, api::ExperimentAction::stop}, &bench.page);
    QTRY_VERIFY(bench.dialog() && bench.dialog()->isVisible());
    QTest::keyClick(bench.dialog(), Qt::Key_Return);
    QTRY_VERIFY(!bench.dialog());
    QCOMPARE(bench.asked().size(), 1);
    QVERIFY(bench.mirror.state().experiments().find(bench.experiment)->state != ExperimentState::stopped);
}

QTEST_MAIN(TestGiveUpDialog)
#include "tst_give_up_dialog.moc"
