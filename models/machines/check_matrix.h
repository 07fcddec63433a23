// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QAbstractTableModel>

namespace models {

/// What a check found, as words. Pure.
[[nodiscard]] QString shortWord(const core::CheckStep& step); ///< its first clause: `0.4 s`, `known`, `12.3 GiB free`
/// The same for a cell of the matrix: a figure, a word or two, or that it is good.
[[nodiscard]] QString cellWord(const core::CheckStep& step);
/// The command that a remedy ends with, behind its last colon; empty: none.
[[nodiscard]] QString commandOf(const QString& remedy);
/// The steps that need a person's eye, the failed ones first.
[[nodiscard]] QList<core::CheckStep> findingsOf(const QList<core::CheckStep>& steps);
/// The column for each machine of a request's steps, in the order in which they came; one without a name when none is named.
[[nodiscard]] QList<core::MachineId> machinesOf(const core::Operation& request);
/// Its steps, in the order in which one would look.
[[nodiscard]] QList<core::CheckStep> stepsOf(const core::Operation& request, const core::MachineId& machine);
/// The latest that tells of the machine, with no steps but its own: its doctor, or a check of its platform. Null: none.
[[nodiscard]] core::OperationPtr latestCheck(const QList<core::OperationPtr>& requests, const core::Machine& machine);

/// Checks by machines: a row a check, in the order in which one would look, a column a machine. Rows come as the first machine
/// tells them; nothing is reset while it goes on.
class CheckMatrix : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role { StateRole = Qt::UserRole }; ///< `running ok warn fail skipped`, `waiting`; empty: not told yet

    struct Column
    {
        QString key; ///< tells columns apart
        QString title;
        QList<core::CheckStep> steps;
        bool operator==(const Column&) const = default;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setColumns(const QList<Column>& columns);
    [[nodiscard]] const QList<Column>& columns() const { return m_columns; }
    /// Null: not told yet. Valid until the next change.
    [[nodiscard]] const core::CheckStep* step(const QModelIndex& index) const;
    /// Where that column's step stands; invalid when it has none.
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
