// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QHash>

#include <algorithm>

namespace models {

/// A table of shared records in an order that the derived class sets. A new list is applied by removing, moving, inserting and
/// changing rows, never by a reset, so that selections and scroll positions are kept.
template <typename Ptr>
class RecordTableModel : public QAbstractTableModel
{
public:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : int(m_records.size());
    }
    [[nodiscard]] Ptr record(const QModelIndex& index) const
    {
        return index.isValid() && index.row() < m_records.size() ? m_records[index.row()] : Ptr();
    }
    [[nodiscard]] const QList<Ptr>& records() const { return m_records; }
    template <typename Id>
    [[nodiscard]] QModelIndex find(const Id& id) const
    {
        for (qsizetype i = 0; i < m_records.size(); ++i)
            if (m_records[i]->id == id)
                return index(int(i), 0);
        return {};
    }
    /// Marks all cells as changed, after the language or the time changed.
    void repaint()
    {
        if (!m_records.isEmpty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }

protected:
    /// Changes the rows to `wanted`. Records are compared by pointer, rows are matched by id.
    void setRecords(const QList<Ptr>& wanted)
    {
        QHash<QString, int> places;
        places.reserve(wanted.size());
        for (qsizetype i = 0; i < wanted.size(); ++i)
            places.insert(wanted[i]->id.value, int(i));
        dropOthers(places);
        sortLike(places);
        insertMissing(wanted);
        for (qsizetype i = 0; i < wanted.size(); ++i)
            if (wanted[i] != m_records[i]) {
                m_records[i] = wanted[i];
                emit dataChanged(index(int(i), 0), index(int(i), columnCount() - 1));
            }
    }

    // Changes of a single row whose place is known: their cost does not include a comparison of the whole table.
    void insertRecord(int row, const Ptr& record)
    {
        beginInsertRows({}, row, row);
        m_records.insert(row, record);
        endInsertRows();
    }
    void removeRecord(int row)
    {
        beginRemoveRows({}, row, row);
        m_records.removeAt(row);
        endRemoveRows();
    }
    /// `to` is the row's index after the move.
    void moveRecord(int row, int to)
    {
        if (row == to)
            return;
        beginMoveRows({}, row, row, {}, to > row ? to + 1 : to);
        m_records.move(row, to);
        endMoveRows();
    }
    void changeRecord(int row, const Ptr& record)
    {
        m_records[row] = record;
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
    }

private:
    void dropOthers(const QHash<QString, int>& places)
    {
        const auto stays = [&](qsizetype row) { return places.contains(m_records[row]->id.value); };
        for (qsizetype last = m_records.size() - 1; last >= 0; --last) {
            if (stays(last))
                continue;
            qsizetype first = last;
            while (first > 0 && !stays(first - 1))
                --first;
            beginRemoveRows({}, int(first), int(last));
            m_records.remove(first, last - first + 1);
            endRemoveRows();
            last = first;
        }
    }
    void sortLike(const QHash<QString, int>& places)
    {
        const auto before = [&](const Ptr& a, const Ptr& b) {
            return places.value(a->id.value) < places.value(b->id.value);
        };
        if (std::is_sorted(m_records.cbegin(), m_records.cend(), before))
            return;
        emit layoutAboutToBeChanged();
        const QModelIndexList old = persistentIndexList();
        const QList<Ptr> unsorted = m_records;
        std::sort(m_records.begin(), m_records.end(), before);
        QHash<QString, int> rows;
        for (qsizetype i = 0; i < m_records.size(); ++i)
            rows.insert(m_records[i]->id.value, int(i));
        QModelIndexList fresh;
        for (const QModelIndex& one : old)
            fresh.append(index(rows.value(unsorted[one.row()]->id.value), one.column()));
        changePersistentIndexList(old, fresh);
        emit layoutChanged();
    }
    void insertMissing(const QList<Ptr>& wanted)
    {
        for (qsizetype i = 0; i < wanted.size(); ++i) {
            const auto isThere = [&](qsizetype at) {
                return i < m_records.size() && m_records[i]->id == wanted[at]->id;
            };
            if (isThere(i))
                continue;
            qsizetype end = i + 1;
            while (end < wanted.size() && !isThere(end))
                ++end;
            beginInsertRows({}, int(i), int(end - 1));
            for (qsizetype at = i; at < end; ++at)
                m_records.insert(at, wanted[at]);
            endInsertRows();
            i = end - 1;
        }
    }

    QList<Ptr> m_records;
};

} // namespace models
