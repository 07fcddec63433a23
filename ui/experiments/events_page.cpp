// SPDX-License-Identifier: GPL-3.0-or-later
#include "events_page.h"

#include "models/experiments/event_model.h"
#include "models/printable.h"
#include "ui/kit/actions.h"
#include "ui/kit/record_delegate.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QStackedLayout>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace ui {

using models::Event;
using models::EventModel;

EventsPage::EventsPage(const PageContext& context, QWidget* parent)
    : Page(context, parent)
    , m_model(new EventModel(context.mirror, this))
    , m_filter(new FilterField(tr("Filter, for example failed !demo"), this))
    , m_count(makeQuietLabel({}, TextSize::header, this))
    , m_table(new QTableView(this))
    , m_empty(new EmptyState(tr("Nothing has happened yet"),
          tr("Trials, machines and platforms tell here what they do, in plain sentences."), tr("Run the demo"), this))
    , m_stack(new QStackedLayout)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 12, 16, 12);
    head->setSpacing(metrics::margin);
    head->addWidget(makeLabel(title(), TextSize::title, QFont::DemiBold));
    head->addWidget(m_filter, 1);
    m_filter->setMaximumWidth(context.theme.scaled(520));
    head->addStretch(1);
    head->addWidget(m_count);
    layout->addLayout(head);
    layout->addLayout(m_stack, 1);
    setUpTable(m_table, title());
    m_table->setModel(m_model);
    auto* delegate = new RecordDelegate(m_table);
    delegate->setQuietColumns({EventModel::TimeColumn});
    delegate->setStateColumn(EventModel::SubjectColumn, [this](const QModelIndex& index) {
        const Event& event = m_model->eventAt(index.row());
        const Theme& theme = this->context().theme;
        StateLook look{&Roles::text, {}, models::printable(event.subject, 80)};
        if (event.status) {
            look.icon = theme.state(*event.status).icon;
            look.role = theme.state(*event.status).role;
        } else {
            look.icon = event.sort == Event::Sort::machine ? u"machines"_s
                : event.sort == Event::Sort::platform      ? u"platforms"_s
                : event.sort == Event::Sort::request       ? u"check"_s
                                                           : u"experiments"_s;
        }
        return look;
    });
    m_table->setItemDelegate(delegate);
    m_table->setColumnWidth(EventModel::TimeColumn, context.theme.scaled(150));
    m_table->setColumnWidth(EventModel::SubjectColumn, context.theme.scaled(220));
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    connect(m_filter, &FilterField::filterChanged, m_model, &EventModel::setFilter);
    connect(m_table, &QTableView::activated, this, &EventsPage::open);
    connect(m_empty, &EmptyState::pressed, this, [this] { this->context().actions.runDemo(); });
    for (const auto signal : {&QAbstractItemModel::modelReset})
        connect(m_model, signal, this, &EventsPage::refreshCount);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &EventsPage::refreshCount);
    refreshCount();
}

void EventsPage::refreshCount()
{
    const int rows = m_model->rowCount();
    m_count->setText(tr("%n event(s)", nullptr, rows));
    m_stack->setCurrentWidget(rows == 0 && m_filter->text().isEmpty() ? static_cast<QWidget*>(m_empty) : m_table);
}

void EventsPage::open(const QModelIndex& index)
{
    const Event& event = m_model->eventAt(index.row());
    if (!event.trial.isEmpty())
        context().actions.showTrial(event.trial);
    else if (!event.machine.isEmpty())
        context().actions.showMachine(event.machine);
    else if (!event.experiment.isEmpty())
        context().actions.showExperiment(event.experiment);
}

void EventsPage::applyFilter(const QString& text)
{
    m_filter->setText(text);
    m_model->setFilter(text);
}

QString EventsPage::filter() const
{
    return m_filter->text();
}

void EventsPage::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
}

void EventsPage::setExperiment(const core::ExperimentId& experiment)
{
    m_model->setExperiment(experiment);
}

QList<std::pair<QString, QString>> EventsPage::keys() const
{
    return {{u"Enter"_s, tr("Show the trial or machine of the event")}};
}

} // namespace ui
