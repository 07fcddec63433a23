// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/task.h"

#include <QList>

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
    for (int i = 0; i < atOnce; ++i)
        running.push_back(Turns::take(turns));
    for (Task<>& one : running)
        co_await one;
    co_return std::move(turns->results);
}

} // namespace platforms
