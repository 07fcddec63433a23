// SPDX-License-Identifier: GPL-3.0-or-later
#include "main_window.h"

#include "banner.h"
#include "gpu_strip.h"
#include "window_environment.h"
#include "pages.h"
#include "prompt_dialog.h"
#include "sidebar.h"
#include "status_line.h"
#include "top_bar.h"

#include "models/format.h"
#include "models/printable.h"
#include "models/sidebar_model.h"
#include "models/trials/filter_counter.h"
#include "ui/explore/compare_dialog.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"
#include "ui/kit/toast.h"
#include "ui/kit/widgets.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDateTime>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QSystemTrayIcon>

using namespace Qt::StringLiterals;

namespace ui {

using Link = client::EngineClient::LinkState;

MainWindow::MainWindow(models::EngineMirror& mirror, Theme& theme, WindowEnvironment& host)
    : m_mirror(mirror)
    , m_theme(theme)
    , m_environment(host)
    , m_events(mirror)
    , m_sidebarModel(new models::SidebarModel(mirror, this))
    , m_topBar(new TopBar(mirror, this))
    , m_banner(new Banner(this))
    , m_sidebar(new Sidebar(*m_sidebarModel, this))
    , m_splitter(new QSplitter(this))
    , m_pages(new QStackedWidget(this))
    , m_inspectors(new QStackedWidget(this))
    , m_strip(new GpuStrip(mirror, this))
    , m_status(new StatusLine(mirror, this))
    , m_toast(new Toast(this))
    , m_palette(new CommandPalette(this, [this](const QString& query) { return paletteEntries(query); }))
{
    setWindowTitle(tr("Trialdeck"));
    setWindowIcon(QIcon(u":/icons/trialdeck.svg"_s));
    setMinimumSize(960, 600);
    setAcceptDrops(true);
    build();
    makeActions();
    makeTray();
    connectParts();
    restoreSettings();
    m_topBar->setServiceName(m_environment.serviceName());
    m_sidebarModel->setService(m_environment.serviceName(), tr("open"));
    onLink();
    openPage(u"overview"_s);
    m_pages->setFocus(); // Not the first button: the keyboard begins where the eye is.
}

MainWindow::~MainWindow()
{
    // What was announced is done, also when another window takes its place.
    m_toast->finishAll();
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
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_pages);
    m_splitter->addWidget(m_inspectors);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_inspectors->setMinimumWidth(m_theme.scaled(metrics::inspectorLeast));
    m_inspectors->setMaximumWidth(m_theme.scaled(metrics::inspectorMost));
    m_inspectors->setAutoFillBackground(true);
    m_inspectors->setBackgroundRole(QPalette::Base);
    m_inspectors->hide();
    body->addWidget(m_splitter, 1);
    layout->addLayout(body, 1);
    layout->addWidget(m_strip);
    layout->addWidget(m_status);
    setCentralWidget(center);
    m_pages->setAccessibleName(tr("Page"));
    m_pages->setFocusPolicy(Qt::ClickFocus);
    m_inspectors->setAccessibleName(tr("Inspector"));
    setTabOrder(m_topBar, m_sidebar);
    setTabOrder(m_sidebar, m_pages);
    setTabOrder(m_pages, m_inspectors);
    setTabOrder(m_inspectors, m_strip);
    setTabOrder(m_strip, m_status);
}

void MainWindow::connectParts()
{
    connect(m_sidebar, &Sidebar::pageChosen, this, [this](const QString& name) { openPage(name); });
    connect(m_sidebar, &Sidebar::stateChosen, this, [this](const QString& state) {
        openPage(u"trials"_s);
        page()->applyFilter(state == u"all"_s ? QString() : u"state:"_s + state);
        m_sidebar->setShown(m_shown, page()->filter());
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
    connect(m_topBar, &TopBar::experimentChosen, this, [this](const core::ExperimentId& id) {
        m_chosen = true;
        showExperiment(id);
    });
    connect(m_topBar, &TopBar::searchWanted, m_palette, &CommandPalette::open);
    connect(m_topBar, &TopBar::pauseWanted, this, &MainWindow::pauseOrResume);
    connect(m_topBar, &TopBar::newWanted, this, [this] { openNewExperiment({}, {}); });
    connect(m_topBar->bell(), &QToolButton::clicked, this, &MainWindow::answerPrompts);
    connect(m_strip, &GpuStrip::trialChosen, this, &MainWindow::showTrial);
    connect(m_strip, &GpuStrip::machineChosen, this, &MainWindow::showMachine);
    connect(m_status, &StatusLine::statePressed, this,
        [this](const QString& state) { openPage(u"trials"_s, u"state:"_s + state); });
    connect(m_status, &StatusLine::pageWanted, this, [this](const QString& name) { openPage(name); });
    connect(m_status, &StatusLine::linkPressed, this, [this] { openPage(u"platforms"_s); });
    connect(&m_mirror, &models::EngineMirror::linkChanged, this, &MainWindow::onLink);
    connect(&m_mirror, &models::EngineMirror::commandFailed, this, &MainWindow::error);
    connect(&m_mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->prompts.isEmpty() || !change->removed.prompts.isEmpty())
            onPrompts();
        if (change->full || !change->experiments.isEmpty() || !change->removed.experiments.isEmpty()) {
            // Until a person chooses, the newest experiment is the one of interest.
            const auto& list = m_mirror.state().experiments().list();
            const bool gone = !m_experiment.isEmpty() && !m_mirror.state().experiments().find(m_experiment);
            if ((!m_chosen || gone) && !list.isEmpty()) {
                const auto newest = std::max_element(
                    list.begin(), list.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
                if ((*newest)->id != m_experiment)
                    showExperiment((*newest)->id);
            } else if (gone) {
                showExperiment({});
            }
            updateTray();
        }
    });
    connect(&m_events, &models::EventModel::noteworthy, this, &MainWindow::notify);
    connect(m_banner, &Banner::pressed, this, [this] {
        if (m_mirror.link() == Link::connected)
            answerPrompts();
        else
            m_mirror.client().start();
    });
    connect(
        m_splitter, &QSplitter::splitterMoved, this, [this] { m_inspectorWidths[m_shown] = m_inspectors->width(); });
    m_linkTimer.setInterval(1'000);
    connect(&m_linkTimer, &QTimer::timeout, this, &MainWindow::onLink);
}

Page* MainWindow::page() const
{
    return m_made.value(m_shown);
}

WindowPlace MainWindow::place() const
{
    return {
        saveGeometry(), m_shown, page()->filter(), m_experiment, m_chosen, m_selection.trials(), m_selection.current()};
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

QStringList MainWindow::pageNames() const
{
    QStringList names;
    for (const PageEntry& entry : pageTable())
        names += QString::fromLatin1(entry.name);
    return names;
}

bool MainWindow::openPage(const QString& name, const QString& filter)
{
    const auto& table = pageTable();
    const auto entry =
        std::find_if(table.begin(), table.end(), [&](const PageEntry& e) { return name == QLatin1String(e.name); });
    if (entry == table.end())
        return false;
    Page* page = m_made.value(name);
    if (!page) {
        page = entry->make(PageContext{m_mirror, m_selection, m_theme, *this}, m_pages);
        m_made.insert(name, page);
        page->setObjectName(name);
        page->setAccessibleName(page->title());
        m_pages->addWidget(page);
        if (QWidget* inspector = page->inspector())
            m_inspectors->addWidget(inspector);
        page->setExperiment(m_experiment);
        connect(page, &Page::inspectorWanted, this, [this, page] {
            if (page == this->page())
                setInspector(page->inspector(), true);
        });
        connect(page, &Page::filterEdited, this, [this, page] {
            if (page == this->page())
                m_sidebar->setShown(m_shown, page->filter());
        });
        connect(page, &Page::inspectorDone, this, [this, page] {
            if (page == this->page())
                setInspector(nullptr, false);
        });
    }
    m_shown = name;
    // The least size of the window is that of the page in view, not of the widest of all.
    if (QWidget* former = m_pages->currentWidget())
        former->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    page->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_pages->setCurrentWidget(page);
    if (!filter.isEmpty())
        page->applyFilter(filter);
    setInspector(page->inspector(), page->inspector() && page->inspector()->property("wanted").toBool());
    m_topBar->setNewIsPrimary(name == u"trials"_s || name == u"charts"_s || name == u"experiments"_s);
    m_sidebar->setShown(name, page->filter());
    page->shown();
    onPrompts();
    focusPage(*page);
    return true;
}

/// Keys go on where the eye goes: to the list of the page that came up, unless it has chosen another place itself.
void MainWindow::focusPage(Page& page)
{
    QWidget* now = focusWidget();
    if (now && page.isAncestorOf(now) && !qobject_cast<QLineEdit*>(now))
        return;
    if (page.focusProxy()) {
        page.setFocus();
        return;
    }
    for (QAbstractScrollArea* list : page.findChildren<QAbstractScrollArea*>())
        if (list->isVisibleTo(&page) && list->isEnabled() && (list->focusPolicy() & Qt::TabFocus)) {
            list->setFocus();
            return;
        }
    m_pages->setFocus();
}

void MainWindow::setInspector(QWidget* inspector, bool visible)
{
    if (inspector) {
        if (m_inspectors->indexOf(inspector) < 0)
            m_inspectors->addWidget(inspector);
        m_inspectors->setCurrentWidget(inspector);
        inspector->setProperty("wanted", visible);
    }
    if (!inspector && page() && page()->inspector())
        page()->inspector()->setProperty("wanted", false);
    const bool was = m_inspectors->isVisible();
    m_inspectors->setVisible(visible);
    if (visible && (!was || !m_inspectorWidths.contains(m_shown))) {
        const int width = m_inspectorWidths.value(m_shown, m_theme.scaled(440));
        // Before the first layout the splitter does not know its own width; the window does.
        const int whole = std::max(m_splitter->width(), this->width() - m_theme.scaled(metrics::sidebar));
        const int wanted = std::min(width, std::max(m_theme.scaled(metrics::inspectorLeast), whole / 2 - 60));
        m_splitter->setSizes({whole - wanted, wanted});
    }
}

void MainWindow::toastWithUndo(
    const QString& text, int seconds, std::function<void()> doIt, std::function<void()> undone)
{
    m_toast->offerUndo(text, seconds, std::move(doIt), std::move(undone));
}

void MainWindow::note(const QString& text)
{
    m_toast->tell(text);
}

void MainWindow::error(const core::Error& error)
{
    keepNotice(error.message);
    m_toast->tell(error.message, {}, true);
}

void MainWindow::showTrial(const core::TrialId& trial)
{
    openPage(u"trials"_s);
    m_selection.set({trial}, this);
    m_selection.setCurrent(trial, this);
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
    for (Page* page : std::as_const(m_made))
        page->setExperiment(experiment);
    const core::ExperimentPtr chosen = m_mirror.state().experiments().find(experiment);
    setWindowTitle(chosen ? tr("%1 – Trialdeck").arg(models::printable(chosen->spec.name, 80)) : tr("Trialdeck"));
}

void MainWindow::compareTrials(const QSet<core::TrialId>& trials)
{
    ui::compareTrials(PageContext{m_mirror, m_selection, m_theme, *this}, trials, this);
}

void MainWindow::showWhyWaiting(const core::TrialId& trial)
{
    openPage(u"queue"_s);
    page()->showRecord(trial.value);
}

void MainWindow::openNewExperiment(const core::ExperimentSpec& prefill, const core::TrialId& copyOf)
{
    askForNewExperiment(PageContext{m_mirror, m_selection, m_theme, *this}, prefill, copyOf, this);
}

void MainWindow::runDemo()
{
    const core::Result<Demo> demo = m_environment.demo();
    if (!demo) {
        error(demo.error());
        return;
    }
    m_mirror.execute(
        api::CreateExperiment{demo->experiment, {}}, [this, alive = QPointer(this), trials = demo->trials](auto reply) {
            if (!alive || !reply)
                return;
            const core::Result<core::Json> document = client::documentOf(*reply);
            if (!document)
                return;
            const core::ExperimentId id(document->value("id", QString()));
            m_chosen = true;
            showExperiment(id);
            if (m_shown == u"overview"_s)
                page()->shown();
            m_mirror.execute(api::SubmitTrials{id, trials, {}}, [this, alive, id](const auto& submitted) {
                if (alive && submitted)
                    emit demoStarted(id);
            });
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
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    switch (m_mirror.link()) {
    case Link::connected:
        m_linkTimer.stop();
        m_banner->hide();
        onPrompts();
        return;
    case Link::connecting:
        if (m_mirror.lastContact() == 0)
            return; // Still starting; the status line says so.
        break;
    case Link::lost:
        break;
    }
    const QString what = m_mirror.lastContact()
        ? tr("Service not reached for %1.").arg(models::durationText(now - m_mirror.lastContact()))
        : tr("Service not reached.");
    const QString more = m_mirror.lastContact()
        ? tr("What you see is from %1. Trials go on.").arg(models::clockText(m_mirror.lastContact(), now))
        : m_mirror.linkMessage();
    m_banner->tell(false, what, more, tr("Try now"));
    m_banner->setToolTip(m_mirror.linkMessage());
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
    // While it is open the service goes on: the question may be answered elsewhere, or be the second in the list by then.
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

} // namespace ui
