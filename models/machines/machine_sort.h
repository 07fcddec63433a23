// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "machine_model.h"

#include <QCollator>
#include <QSortFilterProxyModel>

namespace models {

/// The machines in the order of one column: numbers by value, names as people count (`lab2` before `lab10`), equal ones by name. With
/// no column (-1) in the order of their settings. A changed machine moves alone.
class MachineSort : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit MachineSort(MachineModel& machines, QObject* parent = nullptr);

    [[nodiscard]] core::MachinePtr record(const QModelIndex& index) const
    {
        return m_machines.record(mapToSource(index));
    }
    [[nodiscard]] QModelIndex find(const core::MachineId& machine) const
    {
        return mapFromSource(m_machines.find(machine));
    }

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    [[nodiscard]] int compare(const QVariant& left, const QVariant& right) const;

    const MachineModel& m_machines;
    QCollator m_names;
};

} // namespace models
