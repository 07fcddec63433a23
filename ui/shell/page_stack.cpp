// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_stack.h"

#include "main_window.h"
#include "pages.h"
#include "window_settings.h"

#include "models/engine_mirror.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QAbstractScrollArea>
#include <QLineEdit>
#include <QStackedWidget>

#include <algorithm>

namespace ui {

PageStack::PageStack(const PageContext& context, QWidget* window)
    : QSplitter(window)
    , m_context(context)
    , m_pages(new QStackedWidget(this))
    , m_inspectors(new QStackedWidget(this))
    , m_loading(new EmptyState({}, {}, {}, m_pages))
{
    setChildrenCollapsible(false);
    addWidget(m_pages);
    addWidget(m_inspectors);
    setStretchFactor(0, 1);
    setStretchFactor(1, 0);
    m_inspectors->setMinimumWidth(context.theme.scaled(metrics::inspectorLeast));
    m_inspectors->setMaximumWidth(context.theme.scaled(metrics::inspectorMost));
    m_inspectors->setAutoFillBackground(true);
    m_inspectors->setBackgroundRole(QPalette::Base);
    m_inspectors->hide();
    m_pages->setAccessibleName(MainWindow::tr("Page"));
    m_pages->setFocusPolicy(Qt::ClickFocus);
    m_inspectors->setAccessibleName(MainWindow::tr("Inspector"));
    m_pages->addWidget(m_loading);
    sayLoading();
    connect(&context.mirror, &models::EngineMirror::linkChanged, this, &PageStack::sayLoading);
    connect(&context.mirror, &models::EngineMirror::changed, this, [this] {
        if (m_loading && m_context.mirror.state().isReady())
            showPage();
    });
    connect(this, &QSplitter::splitterMoved, this, [this] {
        m_inspectorWidths[m_shown] = m_inspectors->width();
        saveInspectorWidth(m_shown, m_inspectors->width());
    });
}

Page* PageStack::make(const QString& name)
{
    const auto& table = pageTable();
    const auto entry =
        std::find_if(table.begin(), table.end(), [&](const PageEntry& e) { return name == QLatin1String(e.name); });
    if (entry == table.end())
        return nullptr;
    Page* page = entry->make(m_context, m_pages);
    m_made.insert(name, page);
    if (const int width = savedInspectorWidth(name); width > 0)
        m_inspectorWidths.insert(name, width);
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
            emit filterEdited();
    });
    connect(page, &Page::inspectorDone, this, [this, page] {
        if (page == this->page())
            setInspector(nullptr, false);
    });
    return page;
}

bool PageStack::open(const QString& name, const QString& filter)
{
    Page* page = m_made.contains(name) ? m_made.value(name) : make(name);
    if (!page)
        return false;
    m_shown = name;
    // The minimum size of the window follows from the current page only, not from the widest one.
    if (QWidget* former = m_pages->currentWidget())
        former->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    page->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    showPage();
    if (!filter.isEmpty())
        page->applyFilter(filter);
    setInspector(page->inspector(), page->inspector() && page->inspector()->property("wanted").toBool());
    emit opened(name);
    page->shown();
    focusPage(*page);
    return true;
}

void PageStack::showPage()
{
    if (!m_context.mirror.state().isReady())
        return;
    if (page())
        m_pages->setCurrentWidget(page());
    if (!m_loading)
        return;
    // The placeholder had the keys of the page that it stood for.
    const bool hadFocus = !window()->focusWidget() || m_pages->isAncestorOf(window()->focusWidget())
        || window()->focusWidget() == m_pages;
    m_loading->deleteLater();
    m_loading = nullptr;
    if (page() && hadFocus)
        focusPage(*page());
}

void PageStack::sayLoading()
{
    if (!m_loading)
        return;
    if (m_context.mirror.link() == client::EngineClient::LinkState::lost)
        m_loading->setTexts(
            MainWindow::tr("Loading is interrupted"), MainWindow::tr("It goes on as soon as the service answers."), {});
    else
        m_loading->setTexts(MainWindow::tr("Loading …"),
            MainWindow::tr("Experiments, trials and machines are on their way from the service."), {});
}

void PageStack::setExperiment(const core::ExperimentId& experiment)
{
    m_experiment = experiment;
    for (Page* page : std::as_const(m_made))
        page->setExperiment(experiment);
}

/// Moves the focus to the page's list, unless the page has already set it to one of its other widgets.
void PageStack::focusPage(Page& page)
{
    QWidget* now = window()->focusWidget();
    if (now && page.isAncestorOf(now) && !qobject_cast<QLineEdit*>(now))
        return;
    for (QAbstractScrollArea* list : page.findChildren<QAbstractScrollArea*>())
        if (list->isVisibleTo(&page) && list->isEnabled() && (list->focusPolicy() & Qt::TabFocus)) {
            list->setFocus();
            return;
        }
    m_pages->setFocus();
}

void PageStack::readKeys()
{
    for (Page* page : std::as_const(m_made))
        page->readKeys();
}

void PageStack::toggleInspector()
{
    setInspector(page()->inspector(), !m_inspectors->isVisible() && page()->inspector());
}

void PageStack::setInspector(QWidget* inspector, bool visible)
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
    // The pages share the splitter, but each has a width of its own.
    if (visible && (!was || m_sizedFor != m_shown)) {
        m_sizedFor = isVisible() ? m_shown : QString(); // before, the sizes are a guess
        const Theme& theme = m_context.theme;
        const int width = m_inspectorWidths.value(m_shown, theme.scaled(440));
        // The splitter's width is not valid before the first layout; use the window's.
        const int whole = std::max(this->width(), window()->width() - theme.scaled(metrics::sidebar));
        const int wanted = std::min(width, std::max(theme.scaled(metrics::inspectorLeast), whole / 2 - 60));
        setSizes({whole - wanted, wanted});
    }
}

} // namespace ui
