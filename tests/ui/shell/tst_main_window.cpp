// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window over a client without an engine: what a person can see, reach and undo.
#include "models/trials/trial_model.h"
#include "services/core/record_json.h"
#include "tests/fakes/window_test.h"
#include "ui/keys/key_edit.h"
#include "ui/kit/ask.h"
#include "ui/kit/page.h"
#include "ui/kit/toast.h"
#include "ui/machines/machine_boxes.h"
#include "ui/fields/kind_form.h"
#include "ui/shell/banner.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/gpu_strip.h"
#include "ui/shell/keys_dialog.h"
#include "ui/shell/page_stack.h"
#include "ui/shell/status_line.h"
#include "ui/trials/trials_page.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QPushButton>
#include <QShortcut>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

/// Something that the keyboard can reach, by our own rules.
bool isControl(const QWidget* widget)
{
    const auto* area = qobject_cast<const QAbstractScrollArea*>(widget->parentWidget());
    if (area && area->viewport() == widget)
        return false; // A part of its area, which has the name.
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus)
        && !widget->inherits("QScrollBar") && !widget->inherits("QTabBar") && !widget->inherits("QHeaderView")
        && widget->objectName() != u"qt_spinbox_lineedit"_s;
}

QString nameOf(const QWidget* widget)
{
    if (!widget->accessibleName().isEmpty())
        return widget->accessibleName();
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
        return button->text();
    if (const auto* label = qobject_cast<const QLabel*>(widget))
        return label->text();
    return {};
}

} // namespace

class TestMainWindow : public fakes::WindowTest
{
    Q_OBJECT

    /// A newer experiment, without trials.
    static Experiment secondOf(const api::Change& lab)
    {
        Experiment second = *lab.experiments[0];
        second.id = ExperimentId(u"e00000000000002"_s);
        second.spec.name = u"second"_s;
        second.counts = {};
        second.best = {};
        return second;
    }
    void publishSecond(const api::Change& lab)
    {
        m_client->publish({.experiments = {std::make_shared<const Experiment>(secondOf(lab))}});
    }
    static api::Change labOfTwo()
    {
        api::Change lab = fakes::sampleLab();
        lab.experiments.append(std::make_shared<const Experiment>(secondOf(lab)));
        return lab;
    }
    /// The window is closed, and opened without any records yet.
    void startAgain()
    {
        m_window.reset();
        m_client = std::make_unique<fakes::FakeEngineClient>();
        m_mirror = std::make_unique<models::EngineMirror>(*m_client);
        m_window = std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment);
        m_window->setAsksBeforeClosing(false);
        m_window->goToLastPlace();
        m_window->show();
    }

private slots:
    void anEmptyPageOffersNothingToActOn()
    {
        m_client->begin();
        const auto words = [this] {
            QStringList found;
            for (const QAbstractButton* one : m_window->page()->findChildren<QAbstractButton*>())
                if (one->isVisible())
                    found += one->text();
            return found;
        };
        open(u"charts"_s);
        QCOMPARE(words(), QStringList{u"New experiment"_s});
        open(u"trials"_s);
        QCOMPARE(words(), QStringList{u"New experiment"_s});
        open(u"failures"_s);
        QCOMPARE(words(), QStringList{u"Show all trials"_s});
        for (const QLabel* label : m_window->page()->findChildren<QLabel*>())
            QVERIFY(!label->text().contains(u"Choose an experiment"_s)); // there is none
        // With an experiment they have their bars again.
        m_client->begin(fakes::sampleLab());
        open(u"trials"_s);
        QTRY_VERIFY(words().contains(u"Columns"_s));
    }
    void everyControlHasANameAndAPlaceInTheTabOrder_data() { pageRows(); }
    void everyControlHasANameAndAPlaceInTheTabOrder()
    {
        QFETCH(QString, page);
        m_client->begin(fakes::sampleLab());
        QVERIFY(m_window->openPage(page));
        if (page == u"machines"_s || page == u"queue"_s || page == u"experiments"_s)
            emit m_window->page()->inspectorWanted();
        QTest::qWait(0);
        // What the Tab key comes to, once round.
        m_window->activateWindow();
        QTRY_VERIFY(QApplication::focusWidget());
        QSet<QWidget*> reached;
        for (QWidget* at = QApplication::focusWidget(); at && !reached.contains(at); at = QApplication::focusWidget()) {
            reached.insert(at);
            QTest::keyClick(at, Qt::Key_Tab);
        }
        int controls = 0;
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!isControl(widget))
                continue;
            ++controls;
            QVERIFY2(!nameOf(widget).isEmpty(),
                qPrintable(
                    u"%1 %2 in %3 has no accessible name"_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                        widget->objectName(), QString::fromLatin1(widget->parentWidget()->metaObject()->className()))));
            // Of buttons that exclude each other the arrow keys choose; an editor may be a part of what has the focus.
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool byArrows = button && button->autoExclusive() && !button->isChecked();
            if (!byArrows)
                QVERIFY2(reached.contains(widget) || (widget->focusProxy() && reached.contains(widget->focusProxy())),
                    qPrintable(u"Tab does not come to "_s + nameOf(widget)));
        }
        QVERIFY(controls > 10);
    }

    /// Another language makes another window: replies to commands of the old one are dropped.
    void answersAfterTheWindow_data() { everyControlHasANameAndAPlaceInTheTabOrder_data(); }
    void answersAfterTheWindow()
    {
        QFETCH(QString, page);
        m_client->begin(fakes::sampleLab());
        QVERIFY(m_window->openPage(page));
        QTest::qWait(0);
        if (page == u"platforms"_s) {
            QVERIFY(!m_client->commands.isEmpty()); // for the kinds; and a check
            for (auto* button : m_window->page()->findChildren<QPushButton*>()) {
                if (button->text() == u"Check"_s)
                    button->click();
            }
            QVERIFY(m_client->commands.size() > 1);
        }
        m_window.reset();
        // One who closes a page may ask for something itself, so they are counted now.
        for (qsizetype left = m_client->commands.size(); left > 0; --left)
            m_client->answer(api::Reply{.document = Json::object()});
        QTest::qWait(0);
    }

    void everyPageDrawsInBothThemes_data() { everyControlHasANameAndAPlaceInTheTabOrder_data(); }
    void everyPageDrawsInBothThemes()
    {
        QFETCH(QString, page);
        m_client->begin(fakes::sampleLab());
        QVERIFY(m_window->openPage(page));
        QTest::qWait(0);
        const QImage light = m_window->grab().toImage();
        m_theme->setScheme(ui::Theme::Scheme::dark);
        QTest::qWait(0);
        const QImage dark = m_window->grab().toImage();
        m_theme->setScheme(ui::Theme::Scheme::light);
        // The middle of the page, the tool bar and the foot: nowhere may the other theme's ground be left.
        for (const QPoint& at : {QPoint(700, 20), QPoint(30, 500), QPoint(600, 708)}) {
            QVERIFY2(light.pixelColor(at).lightness() > 200, qPrintable(light.pixelColor(at).name()));
            QVERIFY2(dark.pixelColor(at).lightness() < 80, qPrintable(dark.pixelColor(at).name()));
        }
    }

    void theWindowFitsOnItsScreen()
    {
        m_window->fitToScreen();
        const QSize room = m_window->screen()->availableSize();
        // A test's screen may be smaller than the smallest window.
        const QSize most = room.expandedTo(m_window->minimumSize());
        QVERIFY2(m_window->width() <= most.width() && m_window->height() <= most.height(),
            qPrintable(u"%1 x %2"_s.arg(m_window->width()).arg(m_window->height())));
    }

    void theInspectorOpensAtItsWidth()
    {
        m_client->begin(fakes::sampleLab());
        m_window->resize(1440, 900);
        // The widest page must not take from the others.
        m_window->openPage(u"charts"_s);
        m_window->openPage(u"trials"_s);
        QTRY_VERIFY(m_window->page()->inspector()->isVisible());
        QTRY_COMPARE(m_window->page()->inspector()->width(), m_theme->scaled(440));
    }

    void anotherLanguageIsTheSamePlace()
    {
        const api::Change lab = labOfTwo();
        m_client->begin(lab);
        m_window->openPage(u"trials"_s, u"state:running"_s);
        ui::WindowPlace place = m_window->place();
        QCOMPARE(place.experiment, lab.experiments[1]->id);
        place.experiment = lab.experiments[0]->id;
        place.isChosen = true;
        ui::MainWindow other(*m_mirror, *m_theme, *m_environment);
        other.setAsksBeforeClosing(false);
        other.goTo(place);
        other.show();
        QCOMPARE(other.page()->objectName(), u"trials"_s);
        QCOMPARE(other.page()->filter(), u"state:running"_s);
        QVERIFY(other.windowTitle().startsWith(lab.experiments[0]->spec.name));
    }

    void theNextStartIsTheSamePlace()
    {
        const api::Change lab = labOfTwo();
        const QSet<TrialId> chosen{lab.trials[0]->id, lab.trials[2]->id};
        m_client->begin(lab);
        ui::WindowPlace place = m_window->place();
        place.experiment = lab.experiments[0]->id;
        place.isChosen = true;
        place.trials = chosen + QSet<TrialId>{TrialId(u"tgone"_s)};
        place.current = lab.trials[2]->id;
        place.page = u"trials"_s;
        m_window->goTo(place);
        startAgain(); // before the records are there
        QCOMPARE(m_window->page()->objectName(), u"trials"_s);
        m_client->begin(lab);
        QTRY_VERIFY(m_window->windowTitle().startsWith(lab.experiments[0]->spec.name));
        QCOMPARE(m_window->place().trials, chosen);
        QCOMPARE(m_window->place().current, lab.trials[2]->id);
    }

    void theNextStartShowsAllExperimentsAgain()
    {
        const api::Change lab = labOfTwo();
        m_client->begin(lab);
        ui::WindowPlace place = m_window->place();
        place.experiment = {};
        place.isChosen = true;
        place.trials = {lab.trials[0]->id};
        m_window->goTo(place);
        startAgain();
        m_client->begin(lab);
        QTRY_COMPARE(m_window->place().trials, QSet<TrialId>{lab.trials[0]->id});
        QCOMPARE(m_window->place().experiment, ExperimentId());
        QVERIFY(m_window->place().isChosen);
    }

    void anOldExperimentIsNoPlace()
    {
        ui::savePlace({{}, u"machines"_s, {}, {}, false, {}, {}});
        m_environment->archive = true;
        m_window = std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment);
        ui::savePlace({{}, u"machines"_s, {}, {}, false, {}, {}}); // the former window has left its own
        m_window->openPage(u"charts"_s);
        m_window.reset();
        QCOMPARE(ui::savedPlace().page, u"machines"_s);
    }

    void aPlaceThatIsGoneIsTheUsual()
    {
        ui::savePlace(
            {{}, u"nowhere"_s, {}, ExperimentId(u"egone"_s), true, {TrialId(u"tgone"_s)}, TrialId(u"tgone"_s)});
        m_window->goToLastPlace();
        QCOMPARE(m_window->page()->objectName(), u"overview"_s);
        m_client->begin(fakes::sampleLab());
        QTRY_VERIFY(m_window->windowTitle().contains(u"resnet"_s));
        QVERIFY(!m_window->place().trials.contains(TrialId(u"tgone"_s)));
    }

    void eachPageKeepsTheWidthOfItsInspector()
    {
        m_client->begin(fakes::sampleLab());
        m_window->resize(1440, 900);
        const auto drag = [this](const QString& page, int width) {
            open(page);
            auto* splitter = m_window->findChild<ui::PageStack*>();
            const int whole = splitter->sizes().value(0) + splitter->sizes().value(1);
            splitter->setSizes({whole - width, width});
            emit splitter->splitterMoved(whole - width, 1); // as a drag does
        };
        drag(u"trials"_s, 380);
        drag(u"machines"_s, 420);
        for (int i = 0; i < 2; ++i) {
            open(u"trials"_s);
            QCOMPARE(m_window->page()->inspector()->width(), 380);
            open(u"machines"_s);
            QCOMPARE(m_window->page()->inspector()->width(), 420);
            m_window = std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment); // and after a restart
            m_window->setAsksBeforeClosing(false);
            m_window->resize(1440, 900);
            m_window->show();
            QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        }
    }

    void aWindowThatGoesDoesWhatItAnnounced()
    {
        int done = 0;
        m_window->findChild<ui::Toast*>()->offerUndo(
            [](const QString& s) { return u"in %1 s"_s.arg(s); }, 60, [&] { ++done; }, {});
        m_window.reset(); // as when another language takes its place
        QCOMPARE(done, 1);
    }

    void theFilterLeadsToItsList()
    {
        m_client->begin(fakes::sampleLab());
        m_window->openPage(u"trials"_s);
        QTest::keyClick(m_window.get(), Qt::Key_Slash);
        QVERIFY(qobject_cast<QLineEdit*>(m_window->focusWidget()));
        QTest::keyClicks(m_window->focusWidget(), u"state:running"_s);
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
        QVERIFY(qobject_cast<QTableView*>(m_window->focusWidget()));
        QCOMPARE(m_window->page()->filter(), u"state:running"_s);
    }

    void theNewestExperimentIsShownUntilAPersonChooses()
    {
        api::Change lab = fakes::sampleLab();
        m_client->begin(lab);
        QVERIFY(m_window->windowTitle().contains(u"resnet"_s));
        publishSecond(lab);
        QTRY_VERIFY(m_window->windowTitle().contains(u"second"_s));
    }

    /// The status line counts trials of all experiments, the table may show those of one.
    void aPressedCountShowsAllThatItCounts()
    {
        const api::Change lab = fakes::sampleLab();
        m_client->begin(lab);
        const qint64 failed = lab.experiments[0]->count(TrialStatus::failed);
        QVERIFY(failed > 0);
        const auto count = [this](const QString& name) {
            const QList<QToolButton*> parts = m_window->findChild<ui::StatusLine*>()->findChildren<QToolButton*>();
            const auto part = std::ranges::find(parts, name, &QWidget::accessibleName);
            return part == parts.end() ? nullptr : *part;
        };
        QTRY_VERIFY(count(u"failed"_s)->isVisible());
        QVERIFY(count(u"failed"_s)->text().contains(QString::number(failed)));
        const auto rows = [this] { return qobject_cast<ui::TrialsPage*>(m_window->page())->model().rowCount(); };
        count(u"failed"_s)->click();
        QCOMPARE(m_window->page()->filter(), u"state:failed"_s);
        QTRY_COMPARE(rows(), int(failed));
        QVERIFY(m_window->windowTitle().contains(u"resnet"_s)); // it has all of them

        publishSecond(lab);
        QTRY_VERIFY(m_window->windowTitle().contains(u"second"_s));
        QTRY_COMPARE(rows(), 0);
        count(u"failed"_s)->click();
        QCOMPARE(m_window->windowTitle(), u"Trialdeck"_s);
        QTRY_COMPARE(rows(), int(failed));
    }

    void aTrialThatIsAskedForIsInTheTable()
    {
        const api::Change lab = fakes::sampleLab();
        m_client->begin(lab);
        publishSecond(lab);
        QTRY_VERIFY(m_window->windowTitle().contains(u"second"_s));
        m_window->openPage(u"trials"_s, u"state:waiting"_s);
        const TrialPtr wanted = lab.trials[2]; // it holds a GPU
        QVERIFY(wanted->status != TrialStatus::waiting);
        emit m_window->findChild<ui::GpuStrip*>()->trialChosen(wanted->id);
        QVERIFY(m_window->windowTitle().contains(u"resnet"_s));
        QCOMPARE(m_window->page()->filter(), QString());
        auto* page = qobject_cast<ui::TrialsPage*>(m_window->page());
        QVERIFY(page);
        QVERIFY(page->model().rowOf(wanted->id) >= 0);
        QCOMPARE(page->chosenTrials(), QSet<TrialId>{wanted->id});
        const QList<QTableView*> tables = page->findChildren<QTableView*>(); // one is of the best trial, pinned above
        QVERIFY(std::ranges::any_of(tables,
            [&](const QTableView* table) { return table->currentIndex().row() == page->model().rowOf(wanted->id); }));
    }

    void aLostLinkIsABannerAndNeverADialog()
    {
        m_client->begin(fakes::sampleLab());
        auto* banner = m_window->findChild<ui::Banner*>();
        QVERIFY(!banner->isVisible());
        m_client->lose(u"The service was not reached."_s, QDateTime::currentMSecsSinceEpoch() - 120'000);
        QVERIFY(banner->isVisible());
        QVERIFY(banner->accessibleDescription().contains(u"2 min"_s));
        QCOMPARE(QApplication::activeModalWidget(), nullptr);
        m_client->begin(fakes::sampleLab());
        QVERIFY(!banner->isVisible());
    }

    void undoSendsNothing()
    {
        ui::Toast* toast = m_window->findChild<ui::Toast*>();
        int done = 0;
        int undone = 0;
        toast->offerUndo([](const QString& s) { return u"10 trials will be cancelled in %1 s"_s.arg(s); }, 60,
            [&] { ++done; }, [&] { ++undone; });
        QVERIFY(toast->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(done, 0);
        QCOMPARE(undone, 1);
        QVERIFY(!toast->isVisible());
        // What was announced and not undone is done when the window goes.
        toast->offerUndo([](const QString& s) { return u"again in %1 s"_s.arg(s); }, 60, [&] { ++done; }, {});
        m_window->close();
        QCOMPARE(done, 1);
    }

    void theToastShowsNamesAsTheyAre()
    {
        ui::Toast* toast = m_window->findChild<ui::Toast*>();
        toast->tell(u"R&D %1 was deleted"_s);
        auto* label = toast->findChild<QLabel*>();
        QCOMPARE(label->text(), u"R&D %1 was deleted"_s);
        QCOMPARE(toast->accessibleDescription(), label->text());
        toast->offerUndo(
            [](const QString& seconds) { return u"%1 is removed in %2 s"_s.arg(u"a%1b%2"_s, seconds); }, 60, [] {}, {});
        QCOMPARE(label->text(), u"a%1b%2 is removed in 60 s"_s);
        toast->undo();
        QLabel other(u"RD %1 was deleted"_s);
        other.setFont(label->font());
        QLabel same(label->text());
        same.setFont(label->font());
        QVERIFY(same.sizeHint().width() > other.sizeHint().width()); // the & is drawn, and underlines nothing
    }

    void theToastActsWhenItsTimeIsOver()
    {
        ui::Toast* toast = m_window->findChild<ui::Toast*>();
        int done = 0;
        toast->offerUndo([](const QString& s) { return u"soon, in %1 s"_s.arg(s); }, 0, [&] { ++done; }, {});
        QTRY_COMPARE(done, 1);
    }

    void thePaletteReachesEveryAction()
    {
        m_client->begin(fakes::sampleLab());
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = m_window->findChild<ui::CommandPalette*>();
        QVERIFY(palette->isVisible());
        auto* field = palette->findChild<QLineEdit*>();
        // Every command of the menu, whose name is found first.
        QStringList commands;
        const std::function<void(const QList<QAction*>&)> collect = [&](const QList<QAction*>& actions) {
            for (const QAction* action : actions) {
                if (action->menu())
                    collect(action->menu()->actions());
                else if (!action->isSeparator() && action->objectName() != u"palette"_s)
                    commands += action->text();
            }
        };
        collect(m_window->menuBar()->actions());
        QVERIFY(commands.size() > 20);
        const auto* list = palette->findChild<QListView*>();
        for (const QString& command : std::as_const(commands)) {
            field->setText(command);
            QCOMPARE(list->model()->index(0, 0).data().toString(), command);
        }
        // Records by their names, trials by their numbers.
        for (const auto& [query, title] : {std::pair(u"lab3"_s, u"lab3"_s), {u"trial 3"_s, u"Trial 3"_s}}) {
            field->setText(query);
            QCOMPARE(list->model()->index(0, 0).data().toString(), title);
        }
        field->setText(u"machines"_s);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QCOMPARE(m_window->page()->objectName(), u"machines"_s);
        QVERIFY(ui::paletteScore(u"new exp"_s, u"New experiment"_s) > ui::paletteScore(u"exp"_s, u"Next export"_s));
        QCOMPARE(ui::paletteScore(u"xyz"_s, u"New experiment"_s), 0);
    }

    void pagesOpenByKey()
    {
        m_client->begin(fakes::sampleLab());
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QCOMPARE(m_window->page()->objectName(), u"machines"_s);
        QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier);
        QCOMPARE(m_window->page()->objectName(), u"queue"_s);
        QVERIFY(!m_window->openPage(u"nowhere"_s));
    }

    void keysAreChangedWhereTheyAct()
    {
        m_client->begin(fakes::sampleLab());
        const auto give = [this](const QString& id, Qt::Key key) {
            m_window->findChild<QAction*>(u"changeKeys"_s)->trigger();
            auto* dialog = m_window->findChild<ui::KeysDialog*>();
            QVERIFY(dialog);
            dialog->choose(id);
            QTest::keyClick(dialog->findChild<ui::KeyEdit*>(), key);
            delete dialog;
        };
        give(u"page/queue"_s, Qt::Key_F9);
        QTest::keyClick(m_window.get(), Qt::Key_F9);
        QCOMPARE(m_window->page()->objectName(), u"queue"_s);
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier); // its usual key
        QCOMPARE(m_window->page()->objectName(), u"overview"_s);
        // Of a page that is there already: one that takes the key itself, and one with a shortcut.
        m_window->openPage(u"trials"_s);
        ui::Page* page = m_window->page();
        give(u"trials/goTo"_s, Qt::Key_F8);
        QVERIFY(!page->findChild<ui::TextDialog*>());
        QTest::keyClick(page, Qt::Key_F8);
        QVERIFY(page->findChild<ui::TextDialog*>());
        page->findChild<ui::TextDialog*>()->reject();
        m_window->openPage(u"queue"_s);
        give(u"queue/hold"_s, Qt::Key_F7);
        const auto keys = [this] {
            QStringList out;
            for (const QShortcut* one : m_window->page()->findChildren<QShortcut*>())
                out += one->key().toString();
            return out;
        };
        QVERIFY(keys().contains(u"F7"_s) && !keys().contains(u"H"_s));
    }

    void aNoteIsWrittenByKey()
    {
        m_client->begin(fakes::sampleLab());
        m_window->openPage(u"charts"_s);
        QTest::keyClick(m_window.get(), Qt::Key_N);
        QVERIFY(!m_window->findChild<ui::TextDialog*>()); // nothing is selected
        m_window->openPage(u"trials"_s);
        auto* rows = m_window->page()->findChild<QTableView*>();
        QTRY_VERIFY(rows->model()->rowCount() > 0);
        rows->setFocus();
        rows->selectRow(0);
        QTest::keyClick(m_window.get(), Qt::Key_N);
        QVERIFY(m_window->findChild<ui::TextDialog*>());
    }

    void gpusAreReachedAndReservedByKey()
    {
        m_client->begin(fakes::sampleLab());
        m_window->openPage(u"machines"_s);
        auto* boxes = m_window->findChild<ui::MachineBoxes*>();
        boxes->setFocus();
        QTRY_COMPARE(boxes->currentMachine(), MachineId(u"local"_s));
        QTest::keyClick(boxes, Qt::Key_Down);
        QCOMPARE(boxes->currentMachine(), MachineId(u"lab3"_s));
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(boxes, Qt::Key_Right);
        QCOMPARE(boxes->currentGpu(), 4);
        QVERIFY(boxes->accessibleDescription().contains(u"free"_s));
        QTest::keyClick(boxes, Qt::Key_R);
        QTRY_VERIFY(!m_client->commands.isEmpty());
        const auto& reserve = std::get<api::ReserveGpu>(m_client->commands.last());
        QCOMPARE(reserve.machine, MachineId(u"lab3"_s));
        QCOMPARE(reserve.index, 4);
        QVERIFY(!reserve.release);
        QTest::keyClick(boxes, Qt::Key_Left);
        QTest::keyClick(boxes, Qt::Key_R);
        QVERIFY(std::get<api::ReserveGpu>(m_client->commands.last()).release);
    }

    void theDemoIsOneKeyAwayFromAnEmptyWindow()
    {
        api::Change empty = fakes::sampleLab();
        empty.experiments.clear();
        empty.trials.clear();
        m_client->begin(empty);
        QSignalSpy started(m_window.get(), &ui::MainWindow::demoStarted);
        m_window->startDemo();
        QVERIFY(std::holds_alternative<api::CreateExperiment>(m_client->commands.last()));
        api::Reply reply;
        reply.document = Json{{"id", "e00000000000009"}};
        m_client->answer(reply);
        const auto& submit = std::get<api::SubmitTrials>(m_client->commands.last());
        QCOMPARE(submit.experiment, ExperimentId(u"e00000000000009"_s));
        QCOMPARE(submit.trials.size(), 1);
        m_client->answer(api::Reply());
        QCOMPARE(started.count(), 1);
    }

    void closingHandsOverWhatWaits()
    {
        m_environment->own = true;
        m_client->begin(fakes::sampleLab());
        QSignalSpy finished(m_window.get(), &ui::MainWindow::finished);
        for (QAction* action : m_window->findChildren<QAction*>())
            if (action->objectName() == u"background"_s)
                action->trigger();
        QCOMPARE(m_environment->kept, 1);
        QCOMPARE(finished.count(), 1);
        QVERIFY(!m_window->isVisible());
    }

    void aFormIsDrawnFromFields()
    {
        const Result<Json> fields = parseJson(R"([
            {"name": "maxTrialNumberPerGpu", "type": "integer", "default": 1, "title": "Trials per GPU"},
            {"name": "gpuIndices", "type": "indices", "title": "GPUs"},
            {"name": "useActiveGpu", "type": "boolean", "default": false, "title": "Busy"},
            {"name": "mode", "type": "string", "words": ["a", "b"], "default": "a", "title": "Mode"},
            {"name": "token", "type": "string", "secret": true, "title": "Token"},
            {"name": "machineList", "type": "list", "title": "Machines", "items": [
                {"name": "host", "type": "string", "required": true, "title": "Host"},
                {"name": "port", "type": "integer", "default": 22, "title": "Port"}]}])");
        QVERIFY(fields.has_value());
        ui::KindForm form;
        form.setFields(*fields,
            Json{{"token", {{"set", true}}}, {"gpuIndices", {0, 2}},
                {"machineList", {{{"host", "a"}}, {{"host", "b"}}}}});
        Json settings = form.settings();
        QCOMPARE(dumpJson(settings),
            QByteArray(
                R"({"gpuIndices":[0,2],"mode":"a","token":{"set":true},"machineList":[{"host":"a"},{"host":"b"}]})"));
        const auto field = [&](const QString& name) {
            for (QLineEdit* line : form.findChildren<QLineEdit*>())
                if (line->accessibleName() == name)
                    return line;
            return static_cast<QLineEdit*>(nullptr);
        };
        QTest::keyClicks(field(u"Token"_s), u"secret"_s);
        QTest::keyClicks(field(u"Trials per GPU"_s), u"two"_s);
        settings = form.settings();
        QCOMPARE(settings["token"].get<QString>(), u"secret"_s);
        QCOMPARE(
            settings["maxTrialNumberPerGpu"].get<QString>(), u"two"_s); // The service reports what is wrong with it.
        QCOMPARE(field(u"Token"_s)->echoMode(), QLineEdit::Password);
        QVERIFY(form.showError(u"maxTrialNumberPerGpu must be a whole number."_s));
        QVERIFY(field(u"Trials per GPU"_s)->property("invalid").toBool());
        form.clearErrors();
        QVERIFY(!field(u"Trials per GPU"_s)->property("invalid").toBool());
        QVERIFY(form.showError(u"machineList[1].port must be a whole number."_s));
        QVERIFY(!form.showError(u"The network is down."_s));
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
