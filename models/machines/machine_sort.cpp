// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_sort.h"

namespace models {

MachineSort::MachineSort(MachineModel& machines, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_machines(machines)
    // The plain locale C knows no order but that of characters.
    , m_names(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale())
{
    m_names.setNumericMode(true);
    m_names.setCaseSensitivity(Qt::CaseInsensitive);
    setSourceModel(&machines);
    setSortRole(MachineModel::SortRole);
    setDynamicSortFilter(true);
}

int MachineSort::compare(const QVariant& left, const QVariant& right) const
{
    if (left.userType() == QMetaType::QString)
        return m_names.compare(left.toString(), right.toString());
    const double a = left.toDouble();
    const double b = right.toDouble();
    return a < b ? -1 : a > b ? 1 : 0;
}

bool MachineSort::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    if (const int order = compare(left.data(sortRole()), right.data(sortRole())); order != 0)
        return order < 0;
    const auto name = [this](const QModelIndex& at) {
        return at.siblingAtColumn(MachineModel::NameColumn).data(sortRole());
    };
    return compare(name(left), name(right)) < 0;
}

} // namespace models
