// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QAbstractTableModel>

namespace models {

/// Texts for the steps of a check. Pure functions.
[[nodiscard]] QString shortWord(const core::CheckStep& step); ///< its first clause: `0.4 s`, `known`, `12.3 GiB free`
/// The same for a cell of the matrix: a figure, a word or two, or the state.
[[nodiscard]] QString cellWord(const core::CheckStep& step);
/// What is to be copied from a remedy: the command after its last colon, or the text below its first line; empty: nothing.
[[nodiscard]] QString commandOf(const QString& remedy);
/// The steps with a failure or warning, the failed ones first.
[[nodiscard]] QList<core::CheckStep> findingsOf(const QList<core::CheckStep>& steps);
/// The machines that a request's steps name, in order of appearance; one empty id if they name none.
[[nodiscard]] QList<core::MachineId> machinesOf(const core::Operation& request);
/// The request's steps for the machine, in display order.
[[nodiscard]] QList<core::CheckStep> stepsOf(const core::Operation& request, const core::MachineId& machine);
/// The latest check that includes the machine (a check of the machine or of its platform), reduced to the machine's steps. Null:
/// none.
[[nodiscard]] core::OperationPtr latestCheck(const QList<core::OperationPtr>& requests, const core::Machine& machine);

/// A table with one row per check, in display order, and one column per machine. Rows are inserted when the first machine reports
/// them; the model is not reset while checks run.
class CheckMatrix : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role { StateRole = Qt::UserRole }; ///< `running ok warn fail skipped`, `waiting`; empty: not reported yet

    struct Column
    {
        QString key; ///< unique
        QString title;
        QList<core::CheckStep> steps;
        bool operator==(const Column&) const = default;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setColumns(const QList<Column>& columns);
    [[nodiscard]] const QList<Column>& columns() const { return m_columns; }
    /// Null: not reported yet. Valid until the next change.
    [[nodiscard]] const core::CheckStep* step(const QModelIndex& index) const;
    /// The index of the column's step; invalid if there is none.
    [[nodiscard]] QModelIndex find(const QString& key, const QString& step) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void bringColumns(const QList<Column>& wanted);
    void bringRows();

    QList<Column> m_columns;
    QStringList m_rows; ///< ids of checks
    QHash<QString, QString> m_titles;
};

} // namespace models
