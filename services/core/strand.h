// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "result.h"
#include "task.h"

#include <QCoroFuture>
#include <QThreadPool>
#include <QtConcurrentRun>

namespace core {

/// One private thread for a library that blocks. Calls run one after the other, always on the same thread (a database handle
/// belongs to its thread), unless more threads are wanted; the awaiting coroutine goes on, on its own thread. Futures are never
/// cancelled (a cancelled one crashes its awaiter): long work takes a stop_token among its captures.
///
/// Give the closure a name, or the task: `auto reading = strand.run([id] {…}); co_await reading;`. One with captures that is
/// written inside the expression with co_await is destroyed twice by GCC 12 (so is an aggregate, `Record{…}`, or a `? :`).
class Strand
{
public:
    explicit Strand(const QString& name, int threads = 1)
    {
        m_pool.setMaxThreadCount(threads);
        m_pool.setExpiryTimeout(-1);
        m_pool.setObjectName(name);
    }
    ~Strand() { m_pool.waitForDone(); }

    template <typename F>
    [[nodiscard]] auto run(F work) -> Task<std::invoke_result_t<F>>
    {
        auto future = QtConcurrent::run(&m_pool, std::move(work));
        if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
            co_await future;
        } else {
            co_await qCoro(future).waitForFinished();
            co_return future.takeResult();
        }
    }

    /// Queues without an answer.
    template <typename F>
    void post(F work)
    {
        m_pool.start(std::function<void()>(std::move(work)));
    }

private:
    QThreadPool m_pool;
};

} // namespace core
