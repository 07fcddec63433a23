// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/engine_mirror.h"
#include "models/selection.h"
#include "services/client/local_engine_client.h"
#include "tests/fakes/fake_actions.h"
#include "tests/fakes/fake_engine_port.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"
#include "ui/machines/remove_machine.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;
using fakes::sampleTrial;
using fakes::shared;

class TestRemoveMachine : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_theme.setScheme(ui::Theme::Scheme::light);
        QApplication::setStyle(new ui::Style(m_theme));
    }
    void cleanupTestCase() { QApplication::setStyle(u"fusion"_s); } // ours uses the theme

    void saysWhatIsDeleted();
    void trialsUnderWayNeedATick();

private:
    struct Bench
    {
        explicit Bench(ui::Theme& theme, TrialStatus status)
            : context{mirror, selection, theme, window}
        {
            machine.id = MachineId(u"gpu-box-1"_s);
            Trial trial = sampleTrial(1);
            trial.status = status;
            trial.machineId = machine.id;
            api::Change change;
            change.trials = {shared(trial)};
            port.publish(change);
            client.start();
            (void)QTest::qWaitFor([this] {
                const auto seen = mirror.state().isReady() ? mirror.state().trial(sampleTrial(1).id) : nullptr;
                return seen && seen->machineId == machine.id;
            });
        }
        [[nodiscard]] QList<api::RemoveMachine> asked()
        {
            port.settle();
            QList<api::RemoveMachine> out;
            for (const api::Command& command : port.commands())
                if (const auto* one = std::get_if<api::RemoveMachine>(&command))
                    out.append(*one);
            return out;
        }

        fakes::FakeEnginePort port;
        client::LocalEngineClient client{port};
        models::EngineMirror mirror{client};
        models::Selection selection;
        fakes::FakeActions window;
        Machine machine;
        ui::PageContext context;
    };

    static QPushButton* button(const QWidget& in, const QString& text)
    {
        for (auto* one : in.findChildren<QPushButton*>())
            if (one->text() == text)
                return one;
        return nullptr;
    }
    static bool shows(const QWidget& in, const QString& words)
    {
        for (const auto* one : in.findChildren<QLabel*>())
            if (one->isVisible() && one->text().contains(words))
                return true;
        return false;
    }

    ui::Theme m_theme;
};

void TestRemoveMachine::saysWhatIsDeleted()
{
    Bench bench(m_theme, TrialStatus::succeeded);
    ui::RemoveMachine dialog(bench.context, bench.machine);
    dialog.show();
    QVERIFY(!button(dialog, u"Remove"_s)->isEnabled()); // until the service has said what is there
    QTRY_VERIFY(shows(dialog, u"3 folder"_s));
    QVERIFY(!dialog.findChild<QCheckBox*>()->isVisible());
    QVERIFY(button(dialog, u"Cancel"_s)->isDefault());
    QCOMPARE(bench.asked().size(), 1);
    QVERIFY(bench.asked()[0].dryRun);
    QTest::mouseClick(button(dialog, u"Remove"_s), Qt::LeftButton);
    QTRY_COMPARE(dialog.result(), int(QDialog::Accepted));
    QCOMPARE(bench.asked().size(), 2);
    QVERIFY(!bench.asked()[1].dryRun && !bench.asked()[1].force);
    QTRY_VERIFY(!bench.mirror.state().machines().find(bench.machine.id));
    QCOMPARE(bench.window.notes, QStringList{bench.machine.id.value + u" was removed."_s});
}

void TestRemoveMachine::trialsUnderWayNeedATick()
{
    Bench bench(m_theme, TrialStatus::running);
    ui::RemoveMachine dialog(bench.context, bench.machine);
    dialog.show();
    auto* giveUp = dialog.findChild<QCheckBox*>();
    QTRY_VERIFY(giveUp->isVisible());
    QVERIFY(giveUp->text().contains(u'1'));
    QPushButton* remove = button(dialog, u"Remove"_s);
    QVERIFY(!remove->isEnabled());
    giveUp->click();
    QVERIFY(remove->isEnabled());
    giveUp->click();
    QVERIFY(!remove->isEnabled());
    giveUp->click();
    QTest::mouseClick(remove, Qt::LeftButton);
    QTRY_COMPARE(dialog.result(), int(QDialog::Accepted));
    QVERIFY(bench.asked().last().force);
    // What could not be deleted is said.
    QCOMPARE(bench.window.notes, QStringList{bench.machine.id.value + u" was removed. It is silent."_s});
}

QTEST_MAIN(TestRemoveMachine)
#include "tst_remove_machine.moc"
