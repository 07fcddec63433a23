// SPDX-License-Identifier: GPL-3.0-or-later
// The window's own actions: each has a name in the palette, most have a key; and what happens when the window closes.
#include "banner.h"
#include "gpu_strip.h"
#include "window_environment.h"
#include "keys_sheet.h"
#include "main_window.h"
#include "pages.h"
#include "plug_dialog.h"
#include "sidebar.h"
#include "status_line.h"
#include "top_bar.h"

#include "models/machine_cells.h"
#include "models/machines/machine_inquiry.h"
#include "models/printable.h"
#include "models/sidebar_model.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"
#include "ui/kit/toast.h"
#include "ui/kit/widgets.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QSystemTrayIcon>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace ui {

QAction* MainWindow::addAction(
    const QString& id, const QString& text, const QString& icon, const QString& key, std::function<void()> run)
{
    auto* action = new QAction(text, this);
    action->setObjectName(id);
    action->setIcon(icons::icon(themeOf(*this), icon));
    action->setProperty("icon", icon);
    if (!key.isEmpty()) {
        QList<QKeySequence> keys;
        for (const QString& one : key.split(u'|'))
            keys += QKeySequence(one);
        // A person's own keys, from the settings file: `keys/<id>=Ctrl+J`.
        const QString own = QSettings().value(u"keys/"_s + id).toString();
        action->setShortcuts(own.isEmpty() ? keys : QList<QKeySequence>{QKeySequence(own)});
    }
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    QMainWindow::addAction(action);
    m_actions += action;
    return action;
}

void MainWindow::makeActions()
{
    QMenuBar* bar = menuBar();
    QMenu* file = bar->addMenu(tr("&File"));
    QMenu* view = bar->addMenu(tr("&View"));
    QMenu* trials = bar->addMenu(tr("&Trials"));
    QMenu* help = bar->addMenu(tr("&Help"));

    file->addAction(
        addAction(u"new"_s, tr("New experiment"), u"plus"_s, u"Ctrl+N"_s, [this] { openNewExperiment({}, {}); }));
    file->addAction(
        addAction(u"open"_s, tr("Open an experiment's file"), u"folder"_s, u"Ctrl+O"_s, [this] { chooseFile(); }));
    file->addAction(addAction(
        u"openOld"_s, tr("Open an old experiment of NNI"), u"folder"_s, {}, [this] { chooseOldExperiment(); }));
    file->addAction(addAction(u"demo"_s, tr("Run the demo"), u"play"_s, {}, [this] { runDemo(); }));
    file->addAction(addAction(u"addMachines"_s, tr("Add machines"), u"machines"_s, {}, [this] {
        openPage(u"machines"_s);
        page()->showRecord({});
    }));
    file->addAction(addAction(u"addPlatform"_s, tr("Add a platform"), u"platforms"_s, {}, [this] {
        openPage(u"platforms"_s);
        page()->showRecord({});
    }));
    file->addSeparator();
    file->addAction(addAction(u"background"_s, tr("Close, and keep running in the background"), u"moon"_s, {},
        [this] { closeToBackground(); }));
    file->addAction(addAction(u"quit"_s, tr("Quit"), u"close"_s, u"Ctrl+Q"_s, [this] { close(); }));

    int number = 0;
    for (const PageEntry& entry : pageTable()) {
        const QString name = QString::fromLatin1(entry.name);
        const QModelIndex row = m_sidebarModel->find(models::SidebarModel::Sort::view, name);
        view->addAction(addAction(u"page/"_s + name, row.data().toString(), name, u"Ctrl+%1"_s.arg(++number),
            [this, name] { openPage(name); }));
    }
    view->addSeparator();
    view->addAction(
        addAction(u"palette"_s, tr("Go to, or do"), u"search"_s, u"Ctrl+K"_s, [this] { m_palette->open(); }));
    view->addAction(
        addAction(u"filter"_s, tr("Filter this page"), u"filter"_s, u"/"_s, [this] { page()->focusFilter(); }));
    view->addAction(addAction(u"sidebar"_s, tr("Fold the sidebar"), u"sidebar"_s, u"Ctrl+B"_s,
        [this] { m_sidebar->setFolded(!m_sidebar->isFolded()); }));
    view->addAction(addAction(u"inspector"_s, tr("Show or hide the inspector"), u"columns"_s, u"Ctrl+I"_s,
        [this] { setInspector(page()->inspector(), !m_inspectors->isVisible() && page()->inspector()); }));
    view->addAction(addAction(
        u"nextRegion"_s, tr("Next region of the window"), u"chevron-right"_s, u"F6"_s, [this] { moveRegion(1); }));
    view->addAction(addAction(u"previousRegion"_s, tr("Previous region of the window"), u"chevron-left"_s,
        u"Shift+F6"_s, [this] { moveRegion(-1); }));
    QMenu* looks = view->addMenu(tr("Theme"));
    looks->addAction(addAction(u"theme/system"_s, tr("Theme: as the system"), u"computer"_s, {}, [this] {
        m_theme.setScheme(Theme::Scheme::system);
        saveSettings();
    }));
    looks->addAction(addAction(u"theme/light"_s, tr("Theme: light"), u"overview"_s, {}, [this] {
        m_theme.setScheme(Theme::Scheme::light);
        saveSettings();
    }));
    looks->addAction(addAction(u"theme/dark"_s, tr("Theme: dark"), u"moon"_s, u"Ctrl+Shift+L"_s, [this] {
        m_theme.setScheme(m_theme.isDark() ? Theme::Scheme::light : Theme::Scheme::dark);
        saveSettings();
    }));
    QMenu* languages = view->addMenu(u"Language / 语言"_s);
    // Each by its own name, and by one that can be typed on any keyboard.
    for (const auto& [locale, name] :
        {std::pair(u"en"_s, u"Language: English"_s), {u"zh_CN"_s, u"Language: 简体中文 (Chinese)"_s}})
        languages->addAction(addAction(u"language/"_s + locale, name, u"tag"_s, {}, [this, locale = locale] {
            QSettings().setValue(u"locale"_s, locale);
            emit languageWanted(locale);
        }));

    trials->addAction(addAction(
        u"pause"_s, tr("Pause or resume placement"), u"pause"_s, u"Ctrl+Shift+P"_s, [this] { pauseOrResume(); }));
    trials->addAction(addAction(u"why"_s, tr("Why is it waiting?"), u"waiting"_s, u"W"_s, [this] {
        core::TrialPtr trial = m_mirror.state().trial(m_selection.current());
        for (size_t i = 0;
             (!trial || trial->status != core::TrialStatus::waiting) && i < m_mirror.state().trials().size(); ++i)
            trial = m_mirror.state().trials()[i];
        showWhyWaiting(trial ? trial->id : core::TrialId());
    }));
    m_inquiry = new models::MachineInquiry(m_mirror, this);
    connect(m_inquiry, &models::MachineInquiry::ended, this, &MainWindow::note);
    trials->addAction(addAction(u"ask"_s, tr("Ask the machines now"), u"refresh"_s, u"F5"_s, [this] {
        m_inquiry->ask();
        if (m_inquiry->isAsking())
            note(tr("%n machine(s) are asked.", nullptr, m_inquiry->progress().asked));
    }));
    trials->addAction(addAction(u"undo"_s, tr("Undo"), u"undo"_s, u"Ctrl+Z"_s, [this] {
        if (!m_toast->undo())
            note(tr("There is nothing to undo."));
    }));

    help->addAction(addAction(u"keys"_s, tr("Keys"), u"help"_s, u"?|F1"_s, [this] { showKeys(); }));
    help->addAction(addAction(u"plug"_s, tr("Pull the plug"), u"plug"_s, {}, [this] { pullPlug(); }));
    help->addAction(addAction(u"start"_s, tr("Getting started"), u"star"_s, {}, [this] {
        openPage(u"overview"_s);
        page()->showRecord(u"start"_s);
    }));
    if (!m_environment.dataFolder().isEmpty())
        help->addAction(addAction(u"data"_s, tr("Open the data folder"), u"folder"_s, {},
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_environment.dataFolder())); }));
    help->addAction(addAction(u"about"_s, tr("About Trialdeck"), u"info"_s, {}, [this] { showAbout(); }));

    // The bar shows with Alt alone; its actions are in the palette at any time.
    bar->hide();
    auto* menu = new QMenu(this);
    for (QAction* action : bar->actions())
        menu->addAction(action);
    m_topBar->service()->setMenu(menu);
}

void MainWindow::pullPlug()
{
    PlugDialog dialog([this] { return m_environment.makePlugRun(); }, this);
    dialog.exec();
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Trialdeck"),
        tr("<h3>Trialdeck %1</h3><p>Runs and watches machine-learning trials on whatever computers you have.</p>"
           "<p>GPL-3.0-or-later. Nothing is sent anywhere.</p>")
            .arg(QApplication::applicationVersion()));
}

void MainWindow::showKeys()
{
    QList<KeyGroup> groups;
    KeyGroup here{page()->title(), page()->keys()};
    if (!here.keys.isEmpty())
        groups += here;
    KeyGroup window{tr("Everywhere"), {}};
    for (const QAction* action : std::as_const(m_actions)) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys += key.toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            window.keys.append({keys.join(u" · "_s), action->text()});
    }
    groups += window;
    KeysSheet sheet(groups, this);
    sheet.exec();
}

QList<PaletteEntry> MainWindow::paletteEntries(const QString& query)
{
    QList<PaletteEntry> entries;
    for (QAction* action : std::as_const(m_actions))
        if (action->objectName() != u"palette"_s)
            entries.append({action->text(), action->shortcut().toString(QKeySequence::NativeText),
                action->property("icon").toString(), [action] { action->trigger(); }});
    const api::Mirror& state = m_mirror.state();
    for (const auto& experiment : state.experiments().list())
        entries.append({models::printable(experiment->spec.name, 80), tr("experiment"), u"experiments"_s,
            [this, id = experiment->id] {
                m_chosen = true;
                showExperiment(id);
            }});
    for (const auto& machine : state.machines().list())
        entries.append({models::machineName(*machine, state), tr("machine"), u"machines"_s,
            [this, id = machine->id] { showMachine(id); }});
    // A number is a trial of the chosen experiment; an id is looked up whole or by its beginning.
    if (query.isEmpty())
        return entries;
    bool isNumber = false;
    const qint64 number = query.section(u' ', -1).toLongLong(&isNumber);
    if (isNumber) {
        for (const core::TrialPtr& trial :
            m_experiment.isEmpty() ? std::vector<core::TrialPtr>(state.trials()) : state.trialsOf(m_experiment))
            if (trial->sequenceId == number && entries.size() < 500)
                entries.prepend({tr("Trial %1").arg(number), m_theme.state(trial->status).word,
                    m_theme.state(trial->status).icon, [this, id = trial->id] { showTrial(id); }});
    } else if (query.size() >= 6 && query.startsWith(u't')) {
        if (const core::TrialPtr trial = state.trial(core::TrialId(query)))
            entries.prepend({trial->id.value, tr("Trial %1").arg(trial->sequenceId), u"trials"_s,
                [this, id = trial->id] { showTrial(id); }});
    }
    return entries;
}

void MainWindow::moveRegion(int step)
{
    const QList<QWidget*> regions{m_topBar, m_sidebar, m_pages, m_inspectors, m_strip, m_status};
    int now = 0;
    for (qsizetype i = 0; i < regions.size(); ++i)
        if (QWidget* focus = focusWidget(); focus && (focus == regions[i] || regions[i]->isAncestorOf(focus)))
            now = int(i);
    for (int tried = 1; tried <= regions.size(); ++tried) {
        QWidget* region = regions[(now + step * tried + 2 * regions.size()) % regions.size()];
        if (!region->isVisible())
            continue;
        if (region->focusPolicy() != Qt::NoFocus) {
            region->setFocus(Qt::TabFocusReason);
            return;
        }
        for (QWidget* child : region->findChildren<QWidget*>())
            if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus)) {
                child->setFocus(Qt::TabFocusReason);
                return;
            }
    }
}

void MainWindow::makeTray()
{
    if (m_environment.isArchive() || !QSystemTrayIcon::isSystemTrayAvailable())
        return;
    m_tray = new QSystemTrayIcon(windowIcon(), this);
    auto* menu = new QMenu(this);
    menu->addAction(tr("Open the window"), this, [this] {
        showNormal();
        raise();
        activateWindow();
    });
    menu->addAction(tr("Pause or resume placement"), this, &MainWindow::pauseOrResume);
    menu->addSeparator();
    menu->addAction(tr("Close the window, trials go on"), this, [this] { closeToBackground(); });
    menu->addAction(tr("Quit"), this, &QWidget::close);
    m_tray->setContextMenu(menu);
    connect(m_tray, &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger) {
            setVisible(!isVisible() || isMinimized());
            if (isVisible()) {
                showNormal();
                activateWindow();
            }
        }
    });
    m_tray->show();
}

void MainWindow::updateTray()
{
    if (!m_tray)
        return;
    const auto& counts = m_mirror.state().counts();
    m_tray->setToolTip(tr("Trialdeck: %1").arg(countsSentence(counts)));
}

void MainWindow::keepNotice(const QString& text)
{
    m_notices.prepend(text);
    if (m_notices.size() > 50)
        m_notices.resize(50);
}

void MainWindow::notify(const models::Event& event)
{
    const QString subject = models::printable(event.subject, 80);
    const QString text = models::printable(event.text, 300);
    keepNotice(u"%1: %2"_s.arg(subject, text));
    onPrompts();
    if (m_tray && !isActiveWindow())
        m_tray->showMessage(subject, text, windowIcon());
}

void MainWindow::restoreSettings()
{
    QSettings settings;
    resize(1440, 900);
    restoreGeometry(settings.value(u"window/geometry"_s).toByteArray());
    m_sidebar->setFolded(settings.value(u"window/sidebarFolded"_s, false).toBool());
    const int count = settings.beginReadArray(u"filters"_s);
    QList<models::SidebarModel::SavedFilter> filters;
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        filters.append({settings.value(u"name"_s).toString(), settings.value(u"text"_s).toString()});
    }
    settings.endArray();
    m_sidebarModel->setSavedFilters(filters);
}

void MainWindow::fitToScreen()
{
    const QSize room = roomOnScreen(this);
    if (isMaximized() || isFullScreen() || size().boundedTo(room) == size())
        return;
    resize(size().boundedTo(room));
    setWindowState(windowState() | Qt::WindowMaximized);
}

void MainWindow::saveSettings() const
{
    QSettings settings;
    settings.setValue(u"window/geometry"_s, saveGeometry());
    settings.setValue(u"window/sidebarFolded"_s, m_sidebar->isFolded());
    settings.setValue(u"theme"_s, QVariant::fromValue(m_theme.scheme()).toString());
    settings.beginWriteArray(u"filters"_s);
    const auto& filters = m_sidebarModel->savedFilters();
    for (qsizetype i = 0; i < filters.size(); ++i) {
        settings.setArrayIndex(int(i));
        settings.setValue(u"name"_s, filters[i].name);
        settings.setValue(u"text"_s, filters[i].text);
    }
    settings.endArray();
}

bool MainWindow::mayClose()
{
    const auto& counts = m_mirror.state().counts();
    const qint64 waiting = counts[size_t(core::TrialStatus::waiting)];
    bool searching = false;
    for (const auto& experiment : m_mirror.state().experiments().list())
        searching =
            searching || (experiment->state == core::ExperimentState::running && !experiment->spec.tunerName.isEmpty());
    if (!m_asks || !m_environment.ownsEngine() || (waiting == 0 && !searching))
        return true;
    QMessageBox box(this);
    box.setIcon(QMessageBox::NoIcon);
    box.setWindowTitle(tr("Close Trialdeck"));
    box.setText(
        waiting > 0 ? tr("%n trial(s) wait for a place.", nullptr, int(waiting)) : tr("A search is still running."));
    box.setInformativeText(
        tr("Running trials go on in any case. Without a service in the background nothing new is started until you "
           "open Trialdeck again."));
    QPushButton* keep = box.addButton(tr("Keep running in the background"), QMessageBox::AcceptRole);
    QPushButton* stop = box.addButton(tr("Stop placing"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(keep);
    box.exec();
    if (box.clickedButton() == keep) {
        closeToBackground();
        return false; // It closes when the service has taken over.
    }
    return box.clickedButton() == stop;
}

void MainWindow::closeToBackground()
{
    if (m_closing)
        return;
    if (!m_environment.ownsEngine()) {
        finish();
        return;
    }
    m_closing = true;
    m_toast->finishAll();
    m_banner->tell(false, tr("Handing over to a service in the background."), tr("Trials go on meanwhile."), {});
    m_environment.keepRunning([this](const core::Result<>& done) {
        m_closing = false;
        if (done)
            finish();
        else
            error(done.error());
    });
}

void MainWindow::finish()
{
    m_toast->finishAll();
    saveSettings();
    m_asks = false;
    m_closing = true;
    if (m_tray)
        m_tray->hide();
    hide();
    emit finished();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_closing) {
        event->accept();
        return;
    }
    if (!mayClose()) {
        event->ignore();
        return;
    }
    event->accept();
    finish();
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        m_sidebarModel->retranslate();
    QMainWindow::changeEvent(event);
}

} // namespace ui
