// SPDX-License-Identifier: GPL-3.0-or-later
#include "column_chooser.h"

#include "trial_table_view.h"

#include "models/trials/trial_model.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QScrollBar>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int columnRole = Qt::UserRole;

} // namespace

ColumnChooser::ColumnChooser(TrialTableView& table, models::TrialModel& model, QWidget* parent)
    : QDialog(parent)
    , m_table(table)
    , m_model(model)
    , m_field(new FilterField(tr("Find a column"), this))
    , m_list(new QListWidget(this))
{
    setWindowTitle(tr("Columns of this experiment"));
    m_field->setAccessibleName(tr("Find a column"));
    m_field->setList(m_list);
    m_list->setAccessibleName(tr("Columns"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->installEventFilter(this);
    auto* hint =
        makeQuietLabel(tr("Drag a column, or press Alt+Up and Alt+Down, to move it."), TextSize::caption, this);
    hint->setWordWrap(true);
    QPushButton* all = makeButton(tr("All parameters"), {}, this);
    QPushButton* none = makeButton(tr("No parameters"), {}, this);
    QPushButton* usual = makeButton(tr("Usual columns"), u"undo"_s, this);
    QPushButton* close = makePrimaryButton(tr("Close"), {}, this);
    for (QPushButton* button : {all, none, usual, close})
        button->setAutoDefault(false);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::margin, metrics::margin, metrics::margin, metrics::margin);
    layout->setSpacing(metrics::gap);
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    layout->addWidget(hint);
    auto* parameters = new QHBoxLayout;
    parameters->addWidget(all);
    parameters->addWidget(none);
    parameters->addStretch(1);
    layout->addLayout(parameters);
    auto* last = new QHBoxLayout;
    last->addWidget(usual);
    last->addStretch(1);
    last->addWidget(close);
    layout->addLayout(last);
    resize(roomOnScreen(this, {360, 560}));

    connect(m_field, &FilterField::filterChanged, this, &ColumnChooser::showMatching);
    connect(all, &QPushButton::clicked, this, [this] { showParameters(true); });
    connect(none, &QPushButton::clicked, this, [this] { showParameters(false); });
    connect(usual, &QPushButton::clicked, &m_table, &TrialTableView::useUsualColumns);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_list, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        if (m_isChanging)
            return;
        m_isChanging = true;
        m_table.chooseColumn(item->data(columnRole).toInt(), item->checkState() == Qt::Checked);
        m_isChanging = false;
    });
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this,
        [this](
            const QModelIndex&, int start, int, const QModelIndex&, int row) { moved(row > start ? row - 1 : row); });
    connect(&m_table, &TrialTableView::columnsChanged, this, &ColumnChooser::showColumns);
    showColumns();
    m_list->setFocus();
}

void ColumnChooser::showColumns()
{
    if (m_isChanging)
        return;
    m_isChanging = true;
    const QList<int> columns = m_table.columnsInOrder();
    const int current = m_list->currentRow();
    const int scrolled = m_list->verticalScrollBar()->value();
    while (m_list->count() > columns.size())
        delete m_list->takeItem(m_list->count() - 1);
    while (m_list->count() < columns.size())
        m_list->addItem(QString());
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        const int column = columns[row];
        item->setData(columnRole, column);
        const QString title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        item->setText(column < models::baseColumns ? title : tr("%1 (parameter)").arg(title));
        item->setCheckState(m_table.isColumnShown(column) ? Qt::Checked : Qt::Unchecked);
        Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled;
        if (column != 0) // the state is always shown
            flags |= Qt::ItemIsUserCheckable;
        item->setFlags(flags);
    }
    m_list->setCurrentRow(std::clamp(current, 0, std::max(0, m_list->count() - 1)));
    m_list->verticalScrollBar()->setValue(scrolled);
    m_isChanging = false;
    showMatching();
}

void ColumnChooser::showMatching()
{
    const QString words = m_field->text().trimmed();
    for (int row = 0; row < m_list->count(); ++row)
        m_list->item(row)->setHidden(!m_list->item(row)->text().contains(words, Qt::CaseInsensitive));
    // What is dragged between rows of which some are hidden would land in an unexpected place.
    m_list->setDragEnabled(words.isEmpty());
}

/// Of those that the field leaves in the list.
void ColumnChooser::showParameters(bool shown)
{
    QList<int> columns;
    for (int row = 0; row < m_list->count(); ++row)
        if (const int column = m_list->item(row)->data(columnRole).toInt();
            column >= models::baseColumns && !m_list->item(row)->isHidden())
            columns += column;
    m_table.chooseColumns(columns, shown);
}

void ColumnChooser::moved(int row)
{
    if (m_isChanging)
        return;
    const int column = m_list->item(row)->data(columnRole).toInt();
    const QListWidgetItem* next = m_list->item(row + 1);
    m_isChanging = true;
    m_table.moveColumn(column, next ? next->data(columnRole).toInt() : -1);
    m_isChanging = false;
}

void ColumnChooser::moveCurrent(int by)
{
    const int row = m_list->currentRow();
    const int to = row + by;
    if (row < 0 || to < 0 || to >= m_list->count() || !m_field->text().trimmed().isEmpty())
        return;
    const int column = m_list->item(row)->data(columnRole).toInt();
    const QListWidgetItem* next = m_list->item(by > 0 ? to + 1 : to);
    m_table.moveColumn(column, next ? next->data(columnRole).toInt() : -1);
    m_list->setCurrentRow(to);
}

bool ColumnChooser::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (key.modifiers() == Qt::AltModifier && (key.key() == Qt::Key_Up || key.key() == Qt::Key_Down)) {
            moveCurrent(key.key() == Qt::Key_Up ? -1 : 1);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace ui
