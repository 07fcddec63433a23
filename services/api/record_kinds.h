// SPDX-License-Identifier: GPL-3.0-or-later
// The six kinds of records that a service tells of, enumerated in one place. Code that does the same to each kind walks them here.
#pragma once

#include "change.h"

#include <tuple>

namespace api {

template <typename RecordType>
struct RecordKind
{
    using Record = RecordType;
    using Id = decltype(Record::id);

    const char* name; ///< in JSON documents, and as a topic of GET /events
    quint8 bit;       ///< in a set of kinds
    QList<std::shared_ptr<const Record>> Change::*records;
    QList<Id> Removed::*removed; ///< null: records of this kind are never removed
};

inline constexpr std::tuple recordKinds{
    RecordKind<Platform>{"platforms", 1, &Change::platforms, &Removed::platforms},
    RecordKind<Machine>{"machines", 2, &Change::machines, &Removed::machines},
    RecordKind<Experiment>{"experiments", 4, &Change::experiments, &Removed::experiments},
    RecordKind<Prompt>{"prompts", 16, &Change::prompts, &Removed::prompts},
    RecordKind<Operation>{"requests", 32, &Change::requests, nullptr},
    RecordKind<Trial>{"trials", 8, &Change::trials, &Removed::trials},
};

/// Calls `visit(kind)` for each kind, in the order above: trials, of which there are many, last.
template <typename Visit>
constexpr void forEachRecordKind(Visit&& visit)
{
    std::apply([&](const auto&... kinds) { (visit(kinds), ...); }, recordKinds);
}

template <typename Record>
[[nodiscard]] constexpr const RecordKind<Record>& kindOf()
{
    return std::get<RecordKind<Record>>(recordKinds);
}

/// Calls `visit(id)` for each removed id of the kind.
template <typename Record, typename Visit>
void forEachRemoved(const RecordKind<Record>& kind, const Removed& removed, Visit&& visit)
{
    if (!kind.removed)
        return;
    for (const auto& id : removed.*kind.removed)
        visit(id);
}

/// A Store<Record> for each kind.
template <template <typename Record> class Store>
class PerRecordKind
{
public:
    template <typename Record>
    [[nodiscard]] Store<Record>& of()
    {
        return std::get<Holder<Record>>(m_stores).store;
    }
    template <typename Record>
    [[nodiscard]] const Store<Record>& of() const
    {
        return std::get<Holder<Record>>(m_stores).store;
    }

private:
    template <typename Record>
    struct Holder
    {
        Store<Record> store;
    };
    template <typename... Records>
    static std::tuple<Holder<Records>...> holders(const std::tuple<RecordKind<Records>...>&);
    decltype(holders(recordKinds)) m_stores;
};

} // namespace api
