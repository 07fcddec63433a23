// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/engine_mirror.h"
#include "models/selection.h"
#include "services/client/local_engine_client.h"
#include "tests/fakes/fake_actions.h"
#include "tests/fakes/fake_engine_port.h"
#include "ui/experiments/experiments_page.h"
#include "ui/experiments/give_up_dialog.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;
using fakes::sampleTrial;
using fakes::shared;

class TestGiveUpDialog : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_theme.setScheme(ui::Theme::Scheme::light);
        QApplication::setStyle(new ui::Style(m_theme));
    }
    void cleanupTestCase() { QApplication::setStyle(u"fusion"_s); } // ours uses the theme

    void nothingIsAskedWhereAllAnswer();
    void thePageAsks_data();
    void thePageAsks();
    void asksAndGoesOn_data();
    void asksAndGoesOn();
    void notNow();

private:
    struct Bench
    {
        Bench(ui::Theme& theme, TrialStatus status)
            : context{mirror, selection, theme, window}
            , page(context)
        {
            Trial trial = sampleTrial(1);
            trial.status = status;
            trial.machineId = MachineId(u"gpu-box-1"_s);
            experiment = trial.experimentId;
            api::Change change;
            change.trials = {shared(trial)};
            port.publish(change);
            client.start();
            (void)QTest::qWaitFor([this] {
                const auto seen = mirror.state().isReady() ? mirror.state().trial(sampleTrial(1).id) : nullptr;
                return seen && seen->machineId.value == u"gpu-box-1";
            });
            page.show();
        }
        [[nodiscard]] QList<api::ActOnExperiment> asked()
        {
            port.settle();
            QList<api::ActOnExperiment> out;
            for (const api::Command& command : port.commands())
                if (const auto* one = std::get_if<api::ActOnExperiment>(&command))
                    out.append(*one);
            return out;
        }
        [[nodiscard]] QDialog* dialog() const { return page.findChild<ui::GiveUpDialog*>(); }
        [[nodiscard]] QPushButton* button(const QString& text) const
        {
            for (QPushButton* one : dialog()->findChildren<QPushButton*>())
                if (one->text() == text)
                    return one;
            return nullptr;
        }

        fakes::FakeEnginePort port;
        client::LocalEngineClient client{port};
        models::EngineMirror mirror{client};
        models::Selection selection;
        fakes::FakeActions window;
        ui::PageContext context;
        ui::ExperimentsPage page;
        std::unique_ptr<QWidget> inspector{page.inspector()}; // a window would own it
        ExperimentId experiment;
    };
    ui::Theme m_theme;
};

void TestGiveUpDialog::nothingIsAskedWhereAllAnswer()
{
    Bench bench(m_theme, TrialStatus::running);
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
    QTest::addColumn<bool>("undo"); ///< it waits in a toast first
    QTest::newRow("stop") << u"Stop"_s << true;
    QTest::newRow("cleanup") << u"Clean up"_s << false;
    QTest::newRow("delete") << u"Delete"_s << true;
}

void TestGiveUpDialog::thePageAsks()
{
    QFETCH(QString, button);
    QFETCH(bool, undo);
    Bench bench(m_theme, TrialStatus::unknown);
    bench.page.showRecord(bench.experiment.value);
    const auto buttons = bench.inspector->findChildren<QPushButton*>();
    const auto found =
        std::find_if(buttons.begin(), buttons.end(), [&](const QPushButton* one) { return one->text() == button; });
    QVERIFY2(found != buttons.end(), qPrintable(button));
    (*found)->setEnabled(true); // the sample may have ended
    (*found)->click();
    if (undo) {
        QVERIFY(bench.window.pending);
        bench.window.pending();
    }
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
    Bench bench(m_theme, TrialStatus::unknown);
    ui::askOrGiveUp(bench.context, {bench.experiment, api::ExperimentAction(action)}, &bench.page);
    QTRY_VERIFY(bench.dialog() && bench.dialog()->isVisible());
    const auto labels = bench.dialog()->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
        [](const QLabel* label) { return label->text().contains(u"gpu-box-1"_s) && label->text().contains(u'1'); }));
    QVERIFY(bench.button(u"Not now"_s)->isDefault());
    QVERIFY(bench.window.notes.isEmpty()); // the dialog says it, and nothing else
    QTest::mouseClick(bench.button(u"Give up what is there"_s), Qt::LeftButton);
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
    Bench bench(m_theme, TrialStatus::unknown);
    ui::askOrGiveUp(bench.context, {bench.experiment, api::ExperimentAction::stop}, &bench.page);
    QTRY_VERIFY(bench.dialog() && bench.dialog()->isVisible());
    QTest::keyClick(bench.dialog(), Qt::Key_Return);
    QTRY_VERIFY(!bench.dialog());
    QCOMPARE(bench.asked().size(), 1);
    QVERIFY(bench.mirror.state().experiments().find(bench.experiment)->state != ExperimentState::stopped);
}

QTEST_MAIN(TestGiveUpDialog)
#include "tst_give_up_dialog.moc"
