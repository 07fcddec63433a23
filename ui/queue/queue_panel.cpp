// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_panel.h"

#include "why_card.h"

#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/queue/queue_model.h"
#include "ui/kit/actions.h"
#include "ui/kit/record_delegate.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace ui {

using models::QueueModel;

QueuePanel::QueuePanel(const PageContext& context, QWidget* parent)
    : SidePanel(parent)
    , m_context(context)
    , m_model(new QueueModel(context.mirror, this))
    , m_card(new WhyCard(context))
    , m_count(makeQuietLabel({}, TextSize::body, this))
    , m_table(new QTableView(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("Why it waits"));
    m_card->setBackgroundRole(QPalette::Base);
    m_card->setAutoFillBackground(true);
    scroll->setWidget(m_card);
    layout->addWidget(scroll, 3);
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::HLine);
    line->setFixedHeight(1);
    layout->addWidget(line);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 10, 16, 8);
    head->addWidget(makeLabel(tr("Queue"), TextSize::body, QFont::DemiBold, this));
    head->addSpacing(4);
    head->addWidget(m_count, 1);
    layout->addLayout(head);
    setUpTable(m_table, tr("Queue"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->hide();
    m_table->setModel(m_model);
    for (const int column :
        {QueueModel::PlaceColumn, QueueModel::ExperimentColumn, QueueModel::PriorityColumn, QueueModel::ReasonColumn})
        m_table->hideColumn(column);
    auto* delegate = new RecordDelegate(m_table);
    delegate->setQuietColumns({QueueModel::NeedsColumn, QueueModel::WaitedColumn});
    delegate->setStateColumn(QueueModel::NumberColumn, [this](const QModelIndex& index) {
        const auto trial = m_model->record(index);
        StateLook look = m_context.theme.state(core::TrialStatus::waiting);
        if (trial && trial->hold)
            look.icon = u"paused"_s;
        look.role = &Roles::text;
        look.word = index.data().toString();
        return look;
    });
    m_table->setItemDelegate(delegate);
    m_table->setColumnWidth(QueueModel::NumberColumn, context.theme.scaled(72));
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(QueueModel::NeedsColumn, QHeaderView::Stretch);
    m_table->setColumnWidth(QueueModel::WaitedColumn, context.theme.scaled(96));
    layout->addWidget(m_table, 2);

    connect(m_card, &WhyCard::closed, this, &QueuePanel::closed);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &QueuePanel::refresh);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (const auto trial = m_model->record(index))
            m_context.actions.showWhyWaiting(trial->id);
    });
    // Limits updates, because text and buttons would flicker at the frame rate.
    auto* later = new QTimer(this);
    later->setSingleShot(true);
    later->setInterval(250);
    connect(later, &QTimer::timeout, this, &QueuePanel::refresh);
    connect(&context.theme, &Theme::changed, this, &QueuePanel::refresh);
    connect(&context.mirror, &models::EngineMirror::changed, this, [later] {
        if (!later->isActive())
            later->start();
    });
    refresh();
}

void QueuePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh(); // hidden panels are not updated
}

bool QueuePanel::isEmpty() const
{
    return m_model->rowCount() == 0;
}

void QueuePanel::refresh()
{
    const int rows = m_model->rowCount();
    if (rows > 0 && !m_table->currentIndex().isValid())
        m_table->setCurrentIndex(m_model->index(0, 0));
    m_count->setText(tr("%1 waiting").arg(models::countText(rows)));
    if (isVisible())
        m_card->setTrial(m_model->record(m_table->currentIndex()), m_model->records());
    if (std::exchange(m_wasEmpty, rows == 0) != (rows == 0))
        emit emptyChanged();
}

} // namespace ui
