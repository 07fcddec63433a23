// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>

#include <utility>

namespace core {

/// Values by id, each once in its newest form, in the order in which their ids first came. Value is a pointer; a dropped one leaves
/// a null in list() until compact(), so that dropping many costs one pass. Not synchronised.
template <typename Id, typename Value>
class NewestById
{
public:
    void put(const Id& id, Value value)
    {
        if (const auto known = m_at.constFind(id); known != m_at.cend()) {
            m_list[*known] = std::move(value);
            return;
        }
        m_at.insert(id, m_list.size());
        m_list.append(std::move(value));
    }
    /// Returns whether the id was there.
    bool drop(const Id& id)
    {
        const auto known = m_at.constFind(id);
        if (known == m_at.cend())
            return false;
        m_list[*known] = Value();
        m_at.erase(known);
        return true;
    }
    /// Null when there is none.
    [[nodiscard]] Value find(const Id& id) const
    {
        const auto known = m_at.constFind(id);
        return known == m_at.cend() ? Value() : m_list[*known];
    }
    /// Has nulls where values were dropped since the last compact().
    [[nodiscard]] const QList<Value>& list() const { return m_list; }
    void compact()
    {
        if (m_at.size() == m_list.size())
            return;
        QList<qsizetype> places;
        places.reserve(m_list.size());
        qsizetype place = 0;
        for (const Value& value : std::as_const(m_list))
            places.append(value ? place++ : -1);
        for (qsizetype& at : m_at)
            at = places[at];
        m_list.removeIf([](const Value& value) { return !value; });
    }
    /// All values, without nulls; nothing is left here.
    [[nodiscard]] QList<Value> take()
    {
        if (m_at.size() != m_list.size())
            m_list.removeIf([](const Value& value) { return !value; });
        m_at.clear();
        return std::exchange(m_list, {});
    }
    [[nodiscard]] qsizetype size() const { return m_at.size(); }

private:
    QList<Value> m_list;
    QHash<Id, qsizetype> m_at;
};

} // namespace core
