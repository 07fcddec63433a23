// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_actions.h"

#include "file_opener.h"
#include "keys_dialog.h"
#include "keys_sheet.h"
#include "main_window.h"
#include "page_stack.h"
#include "pages.h"
#include "sidebar.h"
#include "window_environment.h"

#include "models/engine_mirror.h"
#include "models/machine_cells.h"
#include "models/machines/machine_inquiry.h"
#include "models/printable.h"
#include "models/selection.h"
#include "models/sidebar_model.h"
#include "ui/guide/guide_opener.h"
#include "ui/kit/actions.h"
#include "ui/kit/ask.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"
#include "ui/kit/toast.h"
#include "ui/trials/note_edit.h"

#include <QApplication>
#include <QDesktopServices>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace ui {

WindowActions::WindowActions(QMainWindow& window, Parts parts)
    : QObject(&window)
    , m_window(window)
    , m_parts(parts)
{
    QMenuBar* bar = window.menuBar();
    fillFile(*bar->addMenu(MainWindow::tr("&File")));
    fillView(*bar->addMenu(MainWindow::tr("&View")));
    fillTrials(*bar->addMenu(MainWindow::tr("&Trials")));
    fillHelp(*bar->addMenu(MainWindow::tr("&Help")));
    // Hidden until Alt is pressed; the palette always has its actions.
    bar->hide();
    m_menu = new QMenu(&window);
    for (QAction* action : bar->actions())
        m_menu->addAction(action);
}

QAction* WindowActions::add(
    const QString& id, const QString& text, const QString& icon, const QString& key, std::function<void()> run)
{
    QList<QKeySequence> usual;
    for (const QString& one : key.split(u'|', Qt::SkipEmptyParts))
        usual += QKeySequence(one);
    return add(KeyCommand{id, text, icon, usual}, std::move(run));
}

QAction* WindowActions::add(const KeyCommand& command, std::function<void()> run)
{
    auto* action = new QAction(command.title, &m_window);
    action->setObjectName(command.id);
    action->setIcon(icons::icon(m_parts.context.theme, command.icon));
    action->setShortcuts(keysOf(command));
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    m_window.addAction(action);
    m_actions.append({action, command});
    return action;
}

void WindowActions::fillFile(QMenu& menu)
{
    Actions& actions = m_parts.context.actions;
    menu.addAction(add(u"new"_s, MainWindow::tr("New experiment"), u"plus"_s, u"Ctrl+N"_s,
        [&actions] { actions.openNewExperiment({}, {}); }));
    menu.addAction(add(u"open"_s, MainWindow::tr("Open an experiment's file"), u"folder"_s, u"Ctrl+O"_s,
        [this] { m_parts.files.choose(); }));
    menu.addAction(add(u"openOld"_s, MainWindow::tr("Open an old experiment of NNI"), u"folder"_s, {},
        [this] { m_parts.files.chooseOld(); }));
    menu.addAction(add(u"demo"_s, MainWindow::tr("Run the demo"), u"play"_s, {}, [&actions] { actions.runDemo(); }));
    menu.addAction(add(
        u"addMachines"_s, MainWindow::tr("Add machines"), u"machines"_s, {}, [&actions] { actions.showMachine({}); }));
    menu.addAction(add(u"addPlatform"_s, MainWindow::tr("Add a platform"), u"platforms"_s, {}, [this] {
        m_parts.context.actions.showPage(u"platforms"_s);
        m_parts.pages.page()->showRecord({});
    }));
    menu.addSeparator();
    menu.addAction(add(u"background"_s, MainWindow::tr("Close, and keep running in the background"), u"moon"_s, {},
        [this] { emit backgroundWanted(); }));
    menu.addAction(add(u"quit"_s, MainWindow::tr("Quit"), u"close"_s, u"Ctrl+Q"_s, [this] { m_window.close(); }));
}

void WindowActions::fillView(QMenu& menu)
{
    int number = 0;
    for (const PageEntry& entry : pageTable()) {
        const QString name = QString::fromLatin1(entry.name);
        const QModelIndex row = m_parts.sidebarModel.find(models::SidebarModel::Sort::view, name);
        menu.addAction(add(u"page/"_s + name, row.data().toString(), name, u"Ctrl+%1"_s.arg(++number),
            [this, name] { m_parts.context.actions.showPage(name); }));
    }
    menu.addSeparator();
    menu.addAction(add(paletteKey(), [this] { m_parts.palette.open(); }));
    menu.addAction(add(filterKey(), [this] { m_parts.pages.page()->focusFilter(); }));
    menu.addAction(add(u"sidebar"_s, MainWindow::tr("Fold the sidebar"), u"sidebar"_s, u"Ctrl+B"_s,
        [this] { m_parts.sidebar.setFolded(!m_parts.sidebar.isFolded()); }));
    menu.addAction(add(u"inspector"_s, MainWindow::tr("Show or hide the inspector"), u"columns"_s, u"Ctrl+I"_s,
        [this] { m_parts.pages.toggleInspector(); }));
    menu.addAction(add(u"nextRegion"_s, MainWindow::tr("Next region of the window"), u"chevron-right"_s, u"F6"_s,
        [this] { emit regionWanted(1); }));
    menu.addAction(add(u"previousRegion"_s, MainWindow::tr("Previous region of the window"), u"chevron-left"_s,
        u"Shift+F6"_s, [this] { emit regionWanted(-1); }));
    fillLooks(*menu.addMenu(MainWindow::tr("Theme")));
    fillLanguages(*menu.addMenu(u"Language / 语言"_s));
}

void WindowActions::fillLooks(QMenu& menu)
{
    const auto choose = [this](Theme::Scheme scheme) {
        m_parts.context.theme.setScheme(scheme);
        emit schemeChosen();
    };
    menu.addAction(add(u"theme/system"_s, MainWindow::tr("Theme: as the system"), u"computer"_s, {},
        [choose] { choose(Theme::Scheme::system); }));
    menu.addAction(add(u"theme/light"_s, MainWindow::tr("Theme: light"), u"overview"_s, {},
        [choose] { choose(Theme::Scheme::light); }));
    menu.addAction(add(u"theme/dark"_s, MainWindow::tr("Theme: dark"), u"moon"_s, u"Ctrl+Shift+L"_s,
        [this, choose] { choose(m_parts.context.theme.isDark() ? Theme::Scheme::light : Theme::Scheme::dark); }));
}

void WindowActions::fillLanguages(QMenu& menu)
{
    // Each language by its own name, and by one in Latin letters that can be typed on any keyboard.
    for (const auto& [locale, name] :
        {std::pair(u"en"_s, u"Language: English"_s), {u"zh_CN"_s, u"Language: 简体中文 (Chinese)"_s}})
        menu.addAction(add(u"language/"_s + locale, name, u"tag"_s, {}, [this, locale = locale] {
            QSettings().setValue(u"locale"_s, locale);
            emit languageWanted(locale);
        }));
}

void WindowActions::fillTrials(QMenu& menu)
{
    Actions& actions = m_parts.context.actions;
    menu.addAction(add(u"pause"_s, MainWindow::tr("Pause or resume placement"), u"pause"_s, u"Ctrl+Shift+P"_s,
        [this] { emit pauseWanted(); }));
    menu.addAction(add(u"why"_s, MainWindow::tr("Why is it waiting?"), u"waiting"_s, u"W"_s, [this] { showWhy(); }));
    menu.addAction(
        add(u"note"_s, MainWindow::tr("Note on the selected trials"), u"note"_s, u"N"_s, [this] { writeNote(); }));
    auto* inquiry = new models::MachineInquiry(m_parts.context.mirror, this);
    connect(inquiry, &models::MachineInquiry::ended, this, [&actions](const QString& text) { actions.note(text); });
    menu.addAction(add(askMachinesKey(), [&actions, inquiry] {
        inquiry->ask();
        if (inquiry->isAsking())
            actions.note(MainWindow::tr("%n machine(s) are asked.", nullptr, inquiry->progress().asked));
    }));
    menu.addAction(add(undoKey(), [this] {
        if (!m_parts.toast.undo())
            m_parts.context.actions.note(MainWindow::tr("There is nothing to undo."));
    }));
}

void WindowActions::fillHelp(QMenu& menu)
{
    menu.addAction(
        add(u"guide"_s, MainWindow::tr("Guide"), u"book"_s, u"F1"_s, [this] { (void)m_parts.guide.open(); }));
    menu.addAction(add(u"keys"_s, MainWindow::tr("Keys"), u"help"_s, u"?"_s, [this] { showKeys(); }));
    menu.addAction(add(u"changeKeys"_s, MainWindow::tr("Change keys"), u"edit"_s, {}, [this] { changeKeys(); }));
    menu.addAction(
        add(u"plug"_s, MainWindow::tr("Pull the plug"), u"plug"_s, {}, [this] { m_parts.context.actions.pullPlug(); }));
    menu.addAction(add(u"start"_s, MainWindow::tr("Getting started"), u"star"_s, {}, [this] {
        m_parts.context.actions.showPage(u"overview"_s);
        m_parts.pages.page()->showRecord(u"start"_s);
    }));
    if (!m_parts.environment.dataFolder().isEmpty())
        menu.addAction(
            add(u"installService"_s, MainWindow::tr("Install the service, so that it runs whenever you are logged in"),
                u"moon"_s, {}, [this] { m_parts.context.actions.installService(); }));
    if (const QString folder = m_parts.environment.dataFolder(); !folder.isEmpty())
        menu.addAction(add(u"data"_s, MainWindow::tr("Open the data folder"), u"folder"_s, {},
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_parts.environment.dataFolder())); }));
    menu.addAction(add(u"about"_s, MainWindow::tr("About Trialdeck"), u"info"_s, {}, [this] { showAbout(); }));
}

void WindowActions::showWhy()
{
    const api::Mirror& state = m_parts.context.mirror.state();
    const auto waits = [](const core::TrialPtr& trial) { return trial && trial->status == core::TrialStatus::waiting; };
    core::TrialPtr trial = state.trial(m_parts.context.selection.current());
    if (!waits(trial)) {
        const auto first = std::find_if(state.trials().begin(), state.trials().end(), waits);
        if (first != state.trials().end())
            trial = *first;
        else if (!state.trials().empty())
            trial = state.trials().back();
    }
    m_parts.context.actions.showWhyWaiting(trial ? trial->id : core::TrialId());
}

void WindowActions::showAbout()
{
    (void)askToChoose(&m_window, MainWindow::tr("About Trialdeck"),
        MainWindow::tr("Trialdeck %1").arg(QApplication::applicationVersion()),
        MainWindow::tr("Runs and watches machine-learning trials on whatever computers you have.\n"
                       "GPL-3.0-or-later. Nothing is sent anywhere."),
        {MainWindow::tr("Close")}, m_window.windowIcon().pixmap(64));
}

void WindowActions::writeNote()
{
    QSet<core::TrialId> trials = m_parts.pages.page()->chosenTrials();
    if (const core::TrialId current = m_parts.context.selection.current(); trials.isEmpty() && !current.isEmpty())
        trials = {current};
    editNote(m_parts.context, trials, &m_window);
}

void WindowActions::showKeys()
{
    QList<KeyGroup> groups;
    const Page* page = m_parts.pages.page();
    KeyGroup here{page->title(), {}};
    KeyGroup window{MainWindow::tr("Everywhere"), {}};
    const auto list = [](KeyGroup& group, const KeyCommand& command) {
        if (const QString keys = keysText(keysOf(command)); !keys.isEmpty())
            group.keys.append({keys, command.title});
    };
    for (const PageCommand& command : page->commands())
        list(here, command.key);
    here.keys += page->keys();
    for (const Entry& entry : std::as_const(m_actions))
        list(window, entry.key);
    if (!here.keys.isEmpty())
        groups += here;
    groups += window;
    KeysSheet sheet(groups, &m_window);
    bool isChangeWanted = false;
    connect(&sheet, &KeysSheet::changeWanted, &sheet, [&] {
        isChangeWanted = true;
        sheet.accept();
    });
    sheet.exec();
    if (isChangeWanted)
        changeKeys();
}

void WindowActions::changeKeys()
{
    QList<KeyScope> scopes{{MainWindow::tr("Everywhere"), {}, true}};
    for (const Entry& entry : std::as_const(m_actions))
        scopes.first().commands += entry.key;
    for (const PageEntry& entry : pageTable()) {
        const QModelIndex row =
            m_parts.sidebarModel.find(models::SidebarModel::Sort::view, QString::fromLatin1(entry.name));
        if (entry.keys)
            scopes.append({row.data().toString(), entry.keys()});
    }
    auto* dialog = new KeysDialog(scopes, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &KeysDialog::keysChanged, this, &WindowActions::readKeys);
    dialog->open();
}

void WindowActions::readKeys()
{
    for (const Entry& entry : std::as_const(m_actions))
        entry.action->setShortcuts(keysOf(entry.key));
    m_parts.pages.readKeys();
    m_window.update(); // where keys are painted
}

QList<PaletteEntry> WindowActions::paletteEntries(const QString& query, const core::ExperimentId& experiment)
{
    QList<PaletteEntry> entries;
    const auto add = [&](const KeyCommand& key, std::function<void()> run) {
        entries.append({key.title, keysText(keysOf(key).mid(0, 1)), key.icon, std::move(run)});
    };
    if (const Page* page = m_parts.pages.page())
        for (const PageCommand& command : page->commands())
            add(command.key, command.run);
    for (const Entry& entry : std::as_const(m_actions))
        if (entry.key.id != paletteKey().id)
            add(entry.key, [action = entry.action] { action->trigger(); });
    for (const QString& page : m_parts.guide.book().pages().mid(1)) // the first one is what the action opens
        entries.append({m_parts.guide.book().title(page), MainWindow::tr("guide"), u"book"_s,
            [this, page] { (void)m_parts.guide.open(page); }});
    const api::Mirror& state = m_parts.context.mirror.state();
    for (const auto& one : state.experiments().list())
        entries.append({models::printable(one->spec.name, 80), MainWindow::tr("experiment"), u"experiments"_s,
            [this, id = one->id] { emit experimentChosen(id); }});
    for (const auto& machine : state.machines().list())
        entries.append({models::machineName(*machine, state), MainWindow::tr("machine"), u"machines"_s,
            [this, id = machine->id] { m_parts.context.actions.showMachine(id); }});
    if (!query.isEmpty())
        addTrials(entries, query, experiment);
    return entries;
}

/// Adds the trial of the selected experiment for a number, or the trial with exactly this id.
void WindowActions::addTrials(QList<PaletteEntry>& entries, const QString& query, const core::ExperimentId& experiment)
{
    const api::Mirror& state = m_parts.context.mirror.state();
    const auto show = [this](const core::TrialId& id) { return [this, id] { m_parts.context.actions.showTrial(id); }; };
    bool isNumber = false;
    const qint64 number = query.section(u' ', -1).toLongLong(&isNumber);
    if (isNumber) {
        for (const core::TrialPtr& trial :
            experiment.isEmpty() ? std::vector<core::TrialPtr>(state.trials()) : state.trialsOf(experiment))
            if (trial->sequenceId == number && entries.size() < 500) {
                const StateLook look = m_parts.context.theme.state(trial->status);
                entries.prepend({MainWindow::tr("Trial %1").arg(number), look.word, look.icon, show(trial->id)});
            }
    } else if (query.size() >= 6 && query.startsWith(u't')) {
        if (const core::TrialPtr trial = state.trial(core::TrialId(query)))
            entries.prepend(
                {trial->id.value, MainWindow::tr("Trial %1").arg(trial->sequenceId), u"trials"_s, show(trial->id)});
    }
}

} // namespace ui
