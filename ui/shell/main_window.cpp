// SPDX-License-Identifier: GPL-3.0-or-later
#include "main_window.h"

#include "banner.h"
#include "close_question.h"
#include "file_opener.h"
#include "gpu_strip.h"
#include "page_stack.h"
#include "pages.h"
#include "prompt_dialog.h"
#include "sidebar.h"
#include "status_line.h"
#include "top_bar.h"
#include "tray.h"
#include "window_actions.h"
#include "window_environment.h"
#include "window_regions.h"

#include "models/format.h"
#include "models/printable.h"
#include "models/sidebar_model.h"
#include "models/trials/filter_counter.h"
#include "ui/explore/compare_dialog.h"
#include "ui/guide/guide_opener.h"
#include "ui/kit/theme.h"
#include "ui/kit/toast.h"
#include "ui/kit/widgets.h"
#include "ui/start/getting_started.h"
#include "ui/start/plug_dialog.h"

#include "services/core/message/localized.h"

#include <QBoxLayout>
#include <QCloseEvent>
#include <QDateTime>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QSettings>
#include <QStackedWidget>

using namespace Qt::StringLiterals;

namespace ui {

using Link = client::EngineClient::LinkState;

MainWindow::MainWindow(models::EngineMirror& mirror, Theme& theme, WindowEnvironment& host)
    : m_mirror(mirror)
    , m_theme(theme)
    , m_environment(host)
    , m_context{mirror, m_selection, theme, *this}
    , m_events(mirror)
    , m_sidebarModel(new models::SidebarModel(mirror, this))
    , m_topBar(new TopBar(mirror, this))
    , m_banner(new Banner(this))
    , m_sidebar(new Sidebar(*m_sidebarModel, this))
    , m_stack(new PageStack(m_context, this))
    , m_strip(new GpuStrip(mirror, this))
    , m_status(new StatusLine(mirror, this))
    , m_toast(new Toast(this))
    , m_files(new FileOpener(m_context, host, *this))
    , m_guide(std::make_unique<GuideOpener>(
          theme, [&host](const QString& path) { return host.documentFile(path); }, this))
    , m_palette(new CommandPalette(
          this, [this](const QString& query) { return m_actions->paletteEntries(query, m_experiment); }))
    , m_actions(new WindowActions(
          *this, {m_context, host, *m_stack, *m_sidebar, *m_sidebarModel, *m_toast, *m_palette, *m_files, *m_guide}))
{
    setWindowTitle(tr("Trialdeck"));
    setWindowIcon(QIcon(u":/icons/trialdeck.svg"_s));
    setMinimumSize(960, 600);
    setAcceptDrops(true);
    build();
    m_tray = new Tray(
        *this, theme, {!host.isArchive(), !host.isArchive() && !host.ownsEngine() && !host.dataFolder().isEmpty()});
    connectParts();
    connectActions();
    restoreSettings();
    m_topBar->setServiceName(m_environment.serviceName());
    m_sidebarModel->setService(m_environment.serviceName(), tr("open"));
    onLink();
    openPage(u"overview"_s);
    m_stack->pages()->setFocus(); // the initial focus is on the page, not on the first button
}

MainWindow::~MainWindow()
{
    // Execute pending actions, also if another window replaces this one.
    m_toast->finishAll();
    if (!m_environment.isArchive()) // the next start is not in an old experiment
        savePlace(place());
}

void MainWindow::build()
{
    auto* center = new QWidget(this);
    auto* layout = new QVBoxLayout(center);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_topBar);
    layout->addWidget(m_banner);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(m_sidebar);
    auto* line = new QFrame(center);
    line->setFrameShape(QFrame::VLine);
    line->setFixedWidth(1);
    body->addWidget(line);
    body->addWidget(m_stack, 1);
    layout->addLayout(body, 1);
    layout->addWidget(m_strip);
    layout->addWidget(m_status);
    setCentralWidget(center);
    setTabOrder(m_topBar, m_sidebar);
    setTabOrder(m_sidebar, m_stack->pages());
    setTabOrder(m_stack->pages(), m_stack->inspectors());
    setTabOrder(m_stack->inspectors(), m_strip);
    setTabOrder(m_strip, m_status);
}

void MainWindow::connectParts()
{
    connect(m_sidebar, &Sidebar::pageChosen, this, [this](const QString& name) { openPage(name); });
    connect(m_sidebar, &Sidebar::stateChosen, this, [this](const QString& state) {
        openPage(u"trials"_s);
        page()->applyFilter(state == u"all"_s ? QString() : u"state:"_s + state);
        m_sidebar->setShown(m_stack->shown(), page()->filter());
    });
    m_sidebarModel->setFilterCounter(
        [counter = new models::FilterCounter(m_mirror, this)](
            const QString& text, const core::ExperimentId& experiment) { return counter->count(text, experiment); });
    connect(m_sidebar, &Sidebar::filterChosen, this, [this](const QString& text) { openPage(u"trials"_s, text); });
    connect(m_sidebar, &Sidebar::filterRemoved, this, [this](const QString& text) {
        QList<models::SidebarModel::SavedFilter> filters = m_sidebarModel->savedFilters();
        filters.removeIf([&](const auto& filter) { return filter.text == text; });
        m_sidebarModel->setSavedFilters(filters);
        saveSettings();
    });
    connect(m_topBar, &TopBar::experimentChosen, this, &MainWindow::choose);
    connect(m_topBar, &TopBar::searchWanted, m_palette, &CommandPalette::open);
    connect(m_topBar, &TopBar::pauseWanted, this, &MainWindow::pauseOrResume);
    connect(m_topBar, &TopBar::newWanted, this, [this] { openNewExperiment({}, {}); });
    connect(m_topBar->bell(), &QToolButton::clicked, this, &MainWindow::answerPrompts);
    connect(m_strip, &GpuStrip::trialChosen, this, &MainWindow::showTrial);
    connect(m_strip, &GpuStrip::machineChosen, this, &MainWindow::showMachine);
    connect(m_status, &StatusLine::statePressed, this, &MainWindow::showTrialsOfState);
    connect(m_status, &StatusLine::pageWanted, this, [this](const QString& name) { openPage(name); });
    connect(m_status, &StatusLine::linkPressed, this, [this] { openPage(u"platforms"_s); });
    connect(&m_mirror, &models::EngineMirror::linkChanged, this, &MainWindow::onLink);
    connect(&m_mirror, &models::EngineMirror::commandFailed, this, &MainWindow::error);
    connect(&m_mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->prompts.isEmpty() || !change->removed.prompts.isEmpty())
            onPrompts();
        if (m_last && m_mirror.state().isReady())
            selectAsLast();
        else if (change->full || !change->experiments.isEmpty() || !change->removed.experiments.isEmpty())
            followExperiments();
    });
    connect(&m_events, &models::EventModel::noteworthy, this, &MainWindow::notify);
    connect(m_banner, &Banner::pressed, this, [this] {
        if (m_mirror.link() == Link::connected)
            answerPrompts();
        else
            m_environment.reach([this](const core::Result<>& done) {
                if (!done)
                    error(done.error());
                m_mirror.client().retryNow();
            });
    });
    connect(m_stack, &PageStack::opened, this, [this](const QString& name) {
        m_topBar->setNewIsPrimary(name == u"trials"_s || name == u"charts"_s || name == u"experiments"_s);
        m_sidebar->setShown(name, page()->filter());
    });
    connect(
        m_stack, &PageStack::filterEdited, this, [this] { m_sidebar->setShown(m_stack->shown(), page()->filter()); });
    m_linkTimer.setInterval(1'000);
    connect(&m_linkTimer, &QTimer::timeout, this, &MainWindow::onLink);
}

void MainWindow::connectActions()
{
    m_topBar->service()->setMenu(m_actions->menu());
    connect(m_actions, &WindowActions::backgroundWanted, this, &MainWindow::closeToBackground);
    connect(m_actions, &WindowActions::pauseWanted, this, &MainWindow::pauseOrResume);
    connect(m_actions, &WindowActions::experimentChosen, this, &MainWindow::choose);
    connect(m_actions, &WindowActions::regionWanted, this, &MainWindow::moveRegion);
    connect(m_actions, &WindowActions::schemeChosen, this, &MainWindow::saveSettings);
    connect(m_actions, &WindowActions::languageWanted, this, &MainWindow::languageWanted);
    connect(m_tray, &Tray::pauseWanted, this, &MainWindow::pauseOrResume);
    connect(m_tray, &Tray::backgroundWanted, this, &MainWindow::closeToBackground);
    connect(m_tray, &Tray::stopServiceWanted, this, &MainWindow::stopService);
    connect(m_tray, &Tray::eventsWanted, this, [this] {
        showNormal();
        activateWindow();
        openPage(u"events"_s);
    });
}

void MainWindow::choose(const core::ExperimentId& experiment)
{
    m_chosen = true;
    showExperiment(experiment);
}

/// Selects the newest experiment unless the user has selected one that still exists.
void MainWindow::followExperiments()
{
    const auto& list = m_mirror.state().experiments().list();
    const bool gone = !m_experiment.isEmpty() && !m_mirror.state().experiments().find(m_experiment);
    m_chosen = m_chosen && !gone;
    if (!m_chosen && !list.isEmpty()) {
        const auto newest =
            std::max_element(list.begin(), list.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
        if ((*newest)->id != m_experiment)
            showExperiment((*newest)->id);
    } else if (gone) {
        showExperiment({});
    }
    m_tray->show(m_mirror.state().counts(), m_mirror.link());
}

Page* MainWindow::page() const
{
    return m_stack->page();
}

WindowPlace MainWindow::place() const
{
    if (m_last) {
        WindowPlace last = *m_last;
        last.page = m_stack->shown();
        return last;
    }
    return {saveGeometry(), m_stack->shown(), page()->filter(), m_experiment, m_chosen, m_selection.trials(),
        m_selection.current()};
}

void MainWindow::goTo(const WindowPlace& place)
{
    restoreGeometry(place.geometry);
    m_chosen = place.isChosen;
    showExperiment(place.experiment);
    m_selection.set(place.trials, this);
    m_selection.setCurrent(place.current, this);
    openPage(place.page, place.filter);
}

void MainWindow::goToLastPlace()
{
    m_last = savedPlace();
    openPage(m_last->page);
    if (m_mirror.state().isReady())
        selectAsLast();
}

void MainWindow::selectAsLast()
{
    const WindowPlace last = *std::exchange(m_last, {});
    const bool isThere = last.experiment.isEmpty() || m_mirror.state().experiments().find(last.experiment);
    if (last.isChosen && !m_chosen && isThere)
        choose(last.experiment);
    followExperiments();
    if (m_experiment != last.experiment)
        return;
    QSet<core::TrialId> trials = last.trials;
    trials.removeIf([this](const core::TrialId& id) { return !m_mirror.state().trial(id); });
    if (trials.isEmpty())
        return;
    m_selection.set(trials, this);
    if (trials.contains(last.current))
        m_selection.setCurrent(last.current, this);
}

QStringList MainWindow::pageNames() const
{
    QStringList names;
    for (const PageEntry& entry : pageTable())
        names += QString::fromLatin1(entry.name);
    return names;
}

bool MainWindow::openPage(const QString& name, const QString& filter)
{
    if (!m_stack->open(name, filter))
        return false;
    onPrompts();
    return true;
}

void MainWindow::toastWithUndo(UndoText text, int seconds, std::function<void()> doIt, std::function<void()> undone)
{
    m_toast->offerUndo(std::move(text), seconds, std::move(doIt), std::move(undone));
}

void MainWindow::note(const QString& text)
{
    m_toast->tell(text);
}

void MainWindow::error(const core::Error& error)
{
    keepNotice(core::localized(error.message));
    m_toast->tell(core::localized(error.message), {}, true);
}

/// Chooses the experiment of a trial, unless all experiments are shown.
void MainWindow::chooseExperimentOf(const core::TrialId& trial)
{
    const core::TrialPtr record = m_mirror.state().trial(trial);
    if (record && !m_experiment.isEmpty() && record->experimentId != m_experiment)
        choose(record->experimentId);
}

void MainWindow::showTrial(const core::TrialId& trial)
{
    chooseExperimentOf(trial);
    openPage(u"trials"_s);
    page()->showRecord(trial.value);
}

/// The status line counts trials of all experiments: all are chosen, unless each trial in this state belongs to the chosen one.
void MainWindow::showTrialsOfState(core::TrialStatus status)
{
    const core::ExperimentPtr chosen = m_mirror.state().experiments().find(m_experiment);
    if (chosen && chosen->count(status) != m_mirror.state().counts()[size_t(status)])
        choose({});
    openPage(u"trials"_s, u"state:"_s + core::statusName(status).toLower());
}

void MainWindow::showBest()
{
    const core::ExperimentPtr experiment = m_mirror.state().experiments().find(m_experiment);
    if (experiment && experiment->best)
        showTrial(experiment->best->trialId);
}

void MainWindow::showMachine(const core::MachineId& machine)
{
    openPage(u"machines"_s);
    page()->showRecord(machine.value);
}

void MainWindow::showPage(const QString& name, const QString& filter)
{
    openPage(name, filter);
}

void MainWindow::showExperiment(const core::ExperimentId& experiment)
{
    m_experiment = experiment;
    m_topBar->setExperiment(experiment);
    m_sidebarModel->setExperiment(experiment);
    m_stack->setExperiment(experiment);
    const core::ExperimentPtr chosen = m_mirror.state().experiments().find(experiment);
    setWindowTitle(chosen ? tr("%1 – Trialdeck").arg(models::printable(chosen->spec.name, 80)) : tr("Trialdeck"));
}

void MainWindow::compareTrials(const QSet<core::TrialId>& trials)
{
    ui::compareTrials(m_context, trials, this);
}

void MainWindow::showWhyWaiting(const core::TrialId& trial)
{
    chooseExperimentOf(trial);
    openPage(u"queue"_s);
    page()->showRecord(trial.value);
}

void MainWindow::openNewExperiment(const core::ExperimentSpec& prefill, const core::TrialId& copyOf)
{
    askForNewExperiment(m_context, prefill, copyOf, this);
}

void MainWindow::runDemo()
{
    const core::Result<Demo> demo = m_environment.demo();
    if (!demo) {
        error(demo.error());
        return;
    }
    ui::runDemo(m_mirror, *demo, this,
        {[this](const core::ExperimentId& id) {
             choose(id);
             if (m_stack->shown() == u"overview"_s)
                 page()->shown();
         },
            [this](const core::ExperimentId& id) { emit demoStarted(id); }});
}

QString MainWindow::guideTitle(const QString& page)
{
    const models::GuideBook& book = m_guide->book();
    return book.has(page) ? book.title(page) : QString();
}

GuideWindow& MainWindow::showGuide(const QString& page)
{
    return m_guide->open(page);
}

QString MainWindow::guidePage() const
{
    return m_guide->shownPage();
}

void MainWindow::openExperimentFile()
{
    m_files->choose();
}

void MainWindow::installService()
{
    m_environment.installService([this, alive = QPointer(this)](const core::Result<QString>& done) {
        if (!alive)
            return;
        if (!done) {
            error(done.error());
            return;
        }
        markLeftRunning();
        note(*done);
    });
}

void MainWindow::saveFilter(const QString& name, const QString& filter)
{
    QList<models::SidebarModel::SavedFilter> filters = m_sidebarModel->savedFilters();
    filters.removeIf([&](const auto& other) { return other.name == name; });
    filters.append({name, filter});
    m_sidebarModel->setSavedFilters(filters);
    saveSettings();
    note(tr("The filter “%1” is in the sidebar.").arg(name));
}

void MainWindow::pauseOrResume()
{
    const bool pause = isPlacing(m_mirror.state(), m_experiment);
    for (const auto& experiment : m_mirror.state().experiments().list()) {
        if (!m_experiment.isEmpty() && experiment->id != m_experiment)
            continue;
        const bool fits = pause ? experiment->state == core::ExperimentState::running
                || experiment->state == core::ExperimentState::preparing
                                : experiment->state == core::ExperimentState::paused;
        if (fits)
            m_mirror.execute(api::ActOnExperiment{
                experiment->id, pause ? api::ExperimentAction::pause : api::ExperimentAction::resume});
    }
}

void MainWindow::onLink()
{
    m_tray->show(m_mirror.state().counts(), m_mirror.link());
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    switch (m_mirror.link()) {
    case Link::connected:
        m_linkTimer.stop();
        m_banner->hide();
        onPrompts();
        return;
    case Link::connecting:
        if (m_mirror.lastContact() == 0)
            return; // still starting; shown in the status line
        break;
    case Link::lost:
        break;
    }
    const QString what = m_mirror.lastContact()
        ? tr("Service not reached for %1.").arg(models::durationText(now - m_mirror.lastContact()))
        : tr("Service not reached.");
    const QString why = models::printableLines(m_mirror.linkMessage());
    const QString more = m_mirror.lastContact()
        ? tr("What you see is from %1. Trials go on.").arg(models::clockText(m_mirror.lastContact(), now))
        : why;
    m_banner->tell(false, what, more, tr("Try now"));
    m_banner->setToolTip(why);
    m_linkTimer.start();
}

void MainWindow::onPrompts()
{
    QList<core::PromptPtr> prompts = m_mirror.state().prompts().list();
    prompts.removeIf([this](const core::PromptPtr& prompt) { return page() && page()->showsPrompt(prompt->id); });
    if (m_mirror.link() == Link::connected) {
        if (prompts.isEmpty())
            m_banner->hide();
        else
            m_banner->tell(false, tr("%1 has a question.").arg(models::printable(prompts.first()->subject, 60)),
                models::printable(prompts.first()->text, 160), tr("Answer"));
    }
    QStringList said;
    for (const auto& prompt : prompts)
        said += tr("%1 has a question.").arg(models::printable(prompt->subject, 60));
    said += m_notices.mid(0, 8);
    m_topBar->setBell(int(prompts.size()), said.isEmpty() ? tr("No notices") : said.join(u'\n'));
}

void MainWindow::answerPrompts()
{
    const auto& prompts = m_mirror.state().prompts().list();
    if (prompts.isEmpty()) {
        openPage(u"events"_s);
        return;
    }
    // The list of prompts may change while the dialog is open: the question may be answered by another client or move in the
    // list.
    const core::PromptPtr prompt = prompts.first();
    PromptDialog dialog(*prompt, this);
    connect(&m_mirror, &models::EngineMirror::changed, &dialog, [this, &dialog, id = prompt->id] {
        if (!m_mirror.state().prompts().find(id))
            dialog.reject();
    });
    if (dialog.exec() == QDialog::Accepted)
        m_mirror.execute(api::AnswerPrompt{prompt->id, dialog.answer()});
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_toast->place(m_strip->height() + m_status->height());
}

void MainWindow::pullPlug()
{
    PlugDialog dialog([this] { return m_environment.makePlugRun(); }, this);
    dialog.exec();
    markLeftRunning();
}

void MainWindow::moveRegion(int step)
{
    focusRegion({m_topBar, m_sidebar, m_stack->pages(), m_stack->inspectors(), m_strip, m_status}, focusWidget(), step);
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
    m_tray->notify(subject, text);
}

void MainWindow::restoreSettings()
{
    QSettings settings;
    resize(1440, 900);
    restoreGeometry(settings.value(u"window/geometry"_s).toByteArray());
    m_sidebar->setFolded(settings.value(u"window/sidebarFolded"_s, false).toBool());
    m_sidebarModel->setSavedFilters(savedFilters());
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
    saveFilters(m_sidebarModel->savedFilters());
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
    switch (askHowToClose(this, waiting)) {
    case CloseAnswer::keepRunning:
        closeToBackground();
        return false; // closed by closeToBackground() once the service has taken over
    case CloseAnswer::stopPlacing:
        return true;
    case CloseAnswer::stay:
        break;
    }
    return false;
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
        if (done) {
            markLeftRunning();
            finish();
        } else {
            error(done.error());
        }
    });
}

void MainWindow::stopService()
{
    m_environment.stopService([this, alive = QPointer(this)](const core::Result<>& done) {
        if (!alive)
            return;
        if (done)
            note(tr("The service was stopped. Running trials go on; Try now starts it again."));
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

void MainWindow::openFile(const QString& path)
{
    m_files->open(path);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!FileOpener::fileOf(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString path = FileOpener::fileOf(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    openFile(path);
}

} // namespace ui
