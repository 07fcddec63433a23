// SPDX-License-Identifier: GPL-3.0-or-later
// Machines added by hand and eye: real sshds, a real service, the window. One is known, one must be asked about, one is off.
#include "lab.h"

#include "models/machines/add_machines_model.h"
#include "ui/fields/prompt_form.h"
#include "ui/machines/add_machines.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QListView>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTest>

using namespace Qt::StringLiterals;
using models::AddMachinesModel;
using Verdict = AddMachinesModel::Verdict;

namespace {

constexpr int patience = 60'000;

template <typename Button = QAbstractButton>
Button* buttonOf(QWidget* parent, const QString& text)
{
    for (auto* button : parent->findChildren<Button*>())
        if (button->isVisible() && button->text().startsWith(text))
            return button;
    return nullptr;
}

} // namespace

class TestAddMachines : public QObject
{
    Q_OBJECT
private slots:
    void fromTheSettingsToAReadyMachine()
    {
        Lab lab;
        lab.addHost(u"lab1"_s,
            TestSshd::readFile(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/fixtures/nvidia-smi/two_foreign.xml")));
        TestSshd& stranger = lab.addHost(u"lab2"_s, "#!/bin/sh\nexit 9\n", false);
        lab.nameHost(u"off"_s, "  HostName 127.0.0.1\n  Port 1\n");
        QVERIFY(lab.start());
        QVERIFY(lab.window->openPage(u"machines"_s));
        lab.window->page()->showRecord({}); // what the button and the menu do
        auto* adding = lab.window->findChild<ui::AddMachines*>();
        QVERIFY(adding && adding->isVisible());
        AddMachinesModel& intake = adding->intake();
        QTRY_COMPARE_WITH_TIMEOUT(intake.rowCount(), 3, patience);

        // With nothing ready there is nothing to add, and the button shows why.
        QAbstractButton* early = buttonOf(adding, u"Add"_s);
        QVERIFY(early && !early->isEnabled());
        QVERIFY2(early->toolTip().contains(u"Tick one"_s), qPrintable(early->toolTip()));

        // Ticked with the keyboard, as a person without a mouse does.
        const auto lists = adding->findChildren<QListView*>();
        const auto hosts = std::find_if(
            lists.begin(), lists.end(), [](const QListView* one) { return one->accessibleName() == u"Hosts"_s; });
        QVERIFY(hosts != lists.end()); // the other one is the popup of the platforms
        QListView* list = *hosts;
        for (int row = 0; row < 3; ++row) {
            list->setCurrentIndex(list->model()->index(row, 0));
            QTest::keyClick(list, Qt::Key_Space);
        }
        QCOMPARE(intake.counts().chosen, 3);
        QTRY_COMPARE_WITH_TIMEOUT(intake.verdict(1), Verdict::question, patience);
        QTRY_COMPARE_WITH_TIMEOUT(intake.verdict(2), Verdict::failed, patience);
        QTRY_VERIFY_WITH_TIMEOUT(intake.verdict(0) == Verdict::ready || intake.verdict(0) == Verdict::warned, patience);
        const models::CheckMatrix& checks = intake.checks();
        for (const QString& id : {u"login"_s, u"hostKey"_s, u"cleanShell"_s, u"clockSkew"_s, u"disk"_s, u"gpu"_s,
                 u"process"_s, u"trial"_s}) {
            const QModelIndex cell = checks.find(u"lab1"_s, id);
            QVERIFY2(cell.isValid(), qPrintable(id));
            QVERIFY2(!cell.data().toString().isEmpty(), qPrintable(id));
        }
        QCOMPARE(checks.find(u"off"_s, u"login"_s).data(models::CheckMatrix::StateRole).toString(), u"fail"_s);
        // The question stands in the page, with the fingerprint; not in a banner over it as well.
        auto* form = adding->findChild<ui::PromptForm*>();
        QVERIFY(form);
        QVERIFY(lab.window->page()->showsPrompt(intake.prompts().first().second->id));
        QAbstractButton* trust = buttonOf(form, u"Trust"_s);
        QVERIFY(trust);
        QTest::mouseClick(trust, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(
            intake.verdict(1) != Verdict::question && intake.verdict(1) != Verdict::checking, patience);
        // Its nvidia-smi does not work: what is found, with a remedy, and it can be taken along all the same.
        QCOMPARE(intake.verdict(1), Verdict::failed);
        QCOMPARE(checks.find(u"lab2"_s, u"gpu"_s).data(models::CheckMatrix::StateRole).toString(), u"fail"_s);
        auto* table = adding->findChild<QTableView*>();
        table->setCurrentIndex(checks.find(u"lab2"_s, u"gpu"_s));
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(adding, u"Add it anyway"_s), patience);
        QTest::mouseClick(buttonOf(adding, u"Add it anyway"_s), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(intake.counts().ready, 2, patience);
        QVERIFY(TestSshd::readFile(lab.service.dataDir() + u"/known_hosts"_s).contains(stranger.hostPublicKey()));

        // The test trial's own words.
        table->setCurrentIndex(checks.find(u"lab1"_s, u"trial"_s));
        bool said = false;
        for (const auto* text : adding->findChildren<QPlainTextEdit*>())
            said = said || text->toPlainText().contains(u"hello from"_s);
        QVERIFY(said);

        QAbstractButton* add = buttonOf(adding, u"Add 2"_s);
        QVERIFY(add && add->isEnabled());
        QTest::mouseClick(add, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!adding->isVisible(), patience);
        core::PlatformPtr platform;
        QTRY_VERIFY_WITH_TIMEOUT(
            platform = lab.mirror->state().platforms().find(core::PlatformId(u"remote"_s)), patience);
        QStringList names;
        for (const core::Json& machine : platform->settings["machineList"])
            names += machine["host"].get<QString>();
        QCOMPARE(names, (QStringList{u"lab1"_s, u"lab2"_s}));
        const auto ready = [&](const char16_t* id) {
            const auto machine = lab.mirror->state().machines().find(core::MachineId(QString::fromUtf16(id)));
            return machine && machine->state == core::MachineState::ready;
        };
        QTRY_VERIFY_WITH_TIMEOUT(ready(u"remote.lab1") && ready(u"remote.lab2"), patience);
        // Its table of GPUs comes a moment after its hello.
        QTRY_COMPARE_WITH_TIMEOUT(
            int(lab.mirror->state().machines().find(core::MachineId(u"remote.lab1"_s))->gpus.size()), 2, patience);
        // Once more: those are there now.
        lab.window->page()->showRecord({});
        QTRY_COMPARE_WITH_TIMEOUT(intake.rowCount(), 3, patience);
        QCOMPARE(intake.verdict(0), Verdict::there);
    }
};

QTEST_MAIN(TestAddMachines)
#include "tst_add_machines.moc"
