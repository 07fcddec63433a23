// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trials/trial_model.h"
#include "tests/fakes/page_bench.h"
#include "ui/kit/ask.h"
#include "ui/trials/note_edit.h"
#include "ui/trials/note_view.h"
#include "ui/trials/trial_detail_panel.h"
#include "ui/trials/trials_page.h"

#include <QMenu>
#include <QPlainTextEdit>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using fakes::sampleTrial;
using fakes::shared;

class TestTrialNotes : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_bench = std::make_unique<fakes::PageBench>();
        api::Change change;
        for (int number = 1; number <= 3; ++number) {
            Trial trial = sampleTrial(number);
            trial.note = number == 2 ? u"too high"_s : number == 3 ? u"once more"_s : QString();
            change.trials.append(shared(trial));
        }
        m_bench->port.publish(change);
        m_bench->client.start();
        QTRY_COMPARE(m_bench->mirror.state().trials().size(), size_t(3));
    }
    void cleanup() { m_bench.reset(); }

    void aNoteIsWrittenAndUndone()
    {
        QWidget window;
        ui::editNote(m_bench->context, {sampleTrial(2).id}, &window);
        auto* dialog = window.findChild<ui::TextDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->text(), u"too high"_s);
        auto* field = dialog->findChild<QPlainTextEdit*>();
        QTest::keyClicks(field, u"!"_s);
        QCOMPARE(dialog->text(), u"too high!"_s); // one key does not replace what is there
        QTest::keyClick(field, Qt::Key_Return);
        QTest::keyClicks(field, u"once more"_s);
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        if (dialog->isVisible())
            dialog->accept(); // the shortcut needs an active window
        QTRY_COMPARE(m_bench->asked<api::PatchTrials>().size(), 1);
        QCOMPARE(m_bench->asked<api::PatchTrials>()[0].set.note, std::optional(u"too high!\nonce more"_s));
        QCOMPARE(m_bench->window.toasts, QStringList{u"Noted on trial 2"_s});
        m_bench->window.undo();
        QTRY_COMPARE(m_bench->asked<api::PatchTrials>().size(), 2);
        QCOMPARE(m_bench->asked<api::PatchTrials>()[1].set.note, std::optional(u"too high"_s));
    }

    void notesThatDifferAreNotLostUnawares()
    {
        QWidget window;
        ui::editNote(m_bench->context, {sampleTrial(2).id, sampleTrial(3).id}, &window);
        auto* dialog = window.findChild<ui::TextDialog*>();
        QCOMPARE(dialog->text(), QString());
        QVERIFY(fakes::shows(*dialog, u"Their notes differ"_s));
        dialog->setText(u"both"_s);
        dialog->accept();
        QTRY_COMPARE(m_bench->asked<api::PatchTrials>().size(), 1);
        QCOMPARE(m_bench->asked<api::PatchTrials>()[0].selection.ids.size(), 2);
        m_bench->window.undo();
        QTRY_COMPARE(m_bench->asked<api::PatchTrials>().size(), 3); // each its own
    }

    void tooLongIsRefused()
    {
        QWidget window;
        ui::editNote(m_bench->context, {sampleTrial(1).id}, &window);
        auto* dialog = window.findChild<ui::TextDialog*>();
        dialog->setText(QString(maxNoteLength + 1, u'x'));
        QVERIFY(!fakes::button(*dialog, u"OK"_s)->isEnabled());
        dialog->setText(QString(maxNoteLength, u'x'));
        QVERIFY(fakes::button(*dialog, u"OK"_s)->isEnabled());
    }

    void nothingSelectedIsSaid()
    {
        QWidget window;
        ui::editNote(m_bench->context, {}, &window);
        QVERIFY(!window.findChild<ui::TextDialog*>());
        QCOMPARE(m_bench->window.notes, QStringList{u"No trial is selected."_s});
    }

    void theInspectorShowsIt()
    {
        ui::TrialDetailPanel panel(m_bench->context);
        panel.resize(440, 700);
        panel.show();
        auto* view = panel.findChild<ui::NoteView*>();
        m_bench->selection.setCurrent(sampleTrial(1).id, this);
        QVERIFY(!view->isVisibleTo(&panel));
        m_bench->selection.setCurrent(sampleTrial(2).id, this);
        QVERIFY(view->isVisibleTo(&panel));
        QVERIFY(fakes::shows(*view, u"too high"_s));
        Trial changed = sampleTrial(2);
        changed.note = u"<b>1</b>\n2\n3\n4\n5\n6"_s;
        api::Change change;
        change.trials = {shared(changed)};
        m_bench->port.publish(change);
        QTRY_VERIFY(fakes::shows(*view, u"<b>1</b>\n2\n3\n4\n5 …"_s)); // as plain text, and not in the curve's place
        fakes::button(*view, {})->click();
        QVERIFY(panel.findChild<ui::TextDialog*>());
    }

    void theTableFindsIt()
    {
        ui::TrialsPage page(m_bench->context);
        page.setExperiment(sampleTrial(1).experimentId);
        page.applyFilter(u"high"_s);
        QCOMPARE(page.model().rowCount(), 1);
        page.applyFilter(u"note:HIGH"_s);
        QCOMPARE(page.model().rowCount(), 1);
        page.applyFilter(u"note~^once"_s);
        QCOMPARE(page.model().rowCount(), 1);
        page.applyFilter(u"note:lower"_s);
        QCOMPARE(page.model().rowCount(), 0);
    }

private:
    std::unique_ptr<fakes::PageBench> m_bench;
};

QTEST_MAIN(TestTrialNotes)
#include "tst_trial_notes.moc"
