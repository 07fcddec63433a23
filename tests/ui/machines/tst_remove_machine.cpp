// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/page_bench.h"
#include "ui/machines/remove_machine.h"

#include <QCheckBox>
#include <QPushButton>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;
using fakes::button;
using fakes::shows;

class TestRemoveMachine : public QObject
{
    Q_OBJECT
private slots:
    void saysWhatIsDeleted();
    void trialsUnderWayNeedATick();

private:
    struct Bench : fakes::PageBench
    {
        explicit Bench(TrialStatus status)
        {
            machine.id = MachineId(u"gpu-box-1"_s);
            startWithTrial(status, machine.id);
        }
        Machine machine;
    };
};

void TestRemoveMachine::saysWhatIsDeleted()
{
    Bench bench(TrialStatus::succeeded);
    ui::RemoveMachine dialog(bench.context, bench.machine);
    dialog.show();
    QVERIFY(!button(dialog, u"Remove"_s)->isEnabled()); // until the service has said what is there
    QTRY_VERIFY(shows(dialog, u"3 folder"_s));
    QVERIFY(!dialog.findChild<QCheckBox*>()->isVisible());
    QVERIFY(qobject_cast<QPushButton*>(button(dialog, u"Cancel"_s))->isDefault());
    QCOMPARE(bench.asked<api::RemoveMachine>().size(), 1);
    QVERIFY(bench.asked<api::RemoveMachine>()[0].dryRun);
    QTest::mouseClick(button(dialog, u"Remove"_s), Qt::LeftButton);
    QTRY_COMPARE(dialog.result(), int(QDialog::Accepted));
    QCOMPARE(bench.asked<api::RemoveMachine>().size(), 2);
    QVERIFY(!bench.asked<api::RemoveMachine>()[1].dryRun && !bench.asked<api::RemoveMachine>()[1].force);
    QTRY_VERIFY(!bench.mirror.state().machines().find(bench.machine.id));
    QCOMPARE(bench.window.notes, QStringList{bench.machine.id.value + u" was removed."_s});
}

void TestRemoveMachine::trialsUnderWayNeedATick()
{
    Bench bench(TrialStatus::running);
    ui::RemoveMachine dialog(bench.context, bench.machine);
    dialog.show();
    auto* giveUp = dialog.findChild<QCheckBox*>();
    QTRY_VERIFY(giveUp->isVisible());
    QVERIFY(giveUp->text().contains(u'1'));
    QAbstractButton* remove = button(dialog, u"Remove"_s);
    QVERIFY(!remove->isEnabled());
    giveUp->click();
    QVERIFY(remove->isEnabled());
    giveUp->click();
    QVERIFY(!remove->isEnabled());
    giveUp->click();
    QTest::mouseClick(remove, Qt::LeftButton);
    QTRY_COMPARE(dialog.result(), int(QDialog::Accepted));
    QVERIFY(bench.asked<api::RemoveMachine>().last().force);
    // What could not be deleted is said.
    QCOMPARE(bench.window.notes, QStringList{bench.machine.id.value + u" was removed. It is silent."_s});
}

QTEST_MAIN(TestRemoveMachine)
#include "tst_remove_machine.moc"
