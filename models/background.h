// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QtConcurrentRun>

namespace models {

/// Runs `work` on a pool thread, then calls `done` with its result on the thread of `context`, unless `context` was destroyed.
/// `work` must own its data: it may outlive the caller.
template <typename Work, typename Done>
void inBackground(QObject* context, Work work, Done done)
{
    using Value = std::invoke_result_t<Work>;
    auto* watcher = new QFutureWatcher<Value>(context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, context, [watcher, done = std::move(done)]() mutable {
        watcher->deleteLater();
        done(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(std::move(work)));
}

} // namespace models
