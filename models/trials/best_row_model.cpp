// SPDX-License-Identifier: GPL-3.0-or-later
#include "best_row_model.h"

namespace models {

BestRowModel::BestRowModel(TrialModel& trials, QObject* parent)
    : QAbstractTableModel(parent)
    , m_trials(trials)
    , m_columns(trials.columnCount())
{
    connect(&trials, &QAbstractItemModel::modelAboutToBeReset, this, &BestRowModel::beginResetModel);
    connect(&trials, &QAbstractItemModel::modelReset, this, [this] {
        m_columns = m_trials.columnCount();
        m_row = m_trials.table().find(m_trials.bestTrial());
        endResetModel();
    });
    connect(&trials, &QAbstractItemModel::columnsInserted, this, [this](const QModelIndex&, int first, int last) {
        beginInsertColumns({}, first, last);
        m_columns = m_trials.columnCount();
        endInsertColumns();
    });
    connect(&trials, &TrialModel::summaryChanged, this, &BestRowModel::follow);
    follow();
}

void BestRowModel::follow()
{
    const std::optional<quint32> row = m_trials.table().find(m_trials.bestTrial());
    if (row.has_value() != m_row.has_value()) {
        beginResetModel();
        m_row = row;
        endResetModel();
        return;
    }
    m_row = row;
    if (m_row)
        emit dataChanged(index(0, 0), index(0, m_columns - 1));
}

int BestRowModel::rowCount(const QModelIndex& parent) const
{
    return !parent.isValid() && m_row ? 1 : 0;
}

int BestRowModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_columns;
}

QVariant BestRowModel::data(const QModelIndex& index, int role) const
{
    return index.isValid() && m_row ? m_trials.cell(index.column(), *m_row, role) : QVariant();
}

QVariant BestRowModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_trials.headerData(section, orientation, role);
}

} // namespace models
