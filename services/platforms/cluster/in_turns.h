// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/task.h"

#include <QList>

#include <algorithm>
#include <memory>
#include <vector>

namespace platforms {

using core::Task;

/// Calls `work(item)`, which returns a Task<Value>, for all items, at most `atOnce` at a time, each begun in its turn. The results in the order of the
/// items. One thread.
template <typename Value, typename Item, typename Work>
[[nodiscard]] Task<std::vector<Value>> inTurns(QList<Item> items, int atOnce, Work work)
{
    struct Turns
    {
        QList<Item> items;
        Work work;
        std::vector<Value> results;
        qsizetype next = 0;

        static Task<> take(std::shared_ptr<Turns> self)
        {
            while (self->next < self->items.size()) {
                const qsizetype at = self->next++;
                auto doing = self->work(self->items.at(at));
                self->results[size_t(at)] = co_await doing;
            }
        }
    };
    const auto turns = std::make_shared<Turns>(Turns{std::move(items), std::move(work), {}, 0});
    turns->results.resize(size_t(turns->items.size()));
    std::vector<Task<>> running;
    running.reserve(size_t(atOnce));
    for (int i = 0; i < atOnce; ++i)
        running.push_back(Turns::take(turns));
    for (Task<>& one : running)
        co_await one;
    co_return std::move(turns->results);
}

/// Of items that are asked for a few at a time: at most `most`, beginning behind `last` in their order, and from the first on behind the last
/// one, so that some that are never answered hold up no other. They leave `items`; `last` is then the last of them.
template <typename Item>
[[nodiscard]] QList<Item> nextInTurn(QList<Item>& items, Item& last, qsizetype most)
{
    if (items.isEmpty())
        return {};
    std::sort(items.begin(), items.end());
    std::rotate(items.begin(), std::upper_bound(items.begin(), items.end(), last), items.end());
    QList<Item> taken = items.first(std::min(most, items.size()));
    items.remove(0, taken.size());
    last = taken.last();
    return taken;
}

} // namespace platforms
