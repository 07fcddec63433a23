// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stall_watch.h"

#include <QApplication>
#include <QThread>

// The promise is 50 ms of an optimised program; without optimisation and with sanitizers the same work takes so much longer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int barMs = 50 * 8;
#else
constexpr int barMs = 50;
#endif

/// An application whose events can be watched.
class WatchedApplication : public QApplication
{
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override
    {
        if (QThread::currentThread() != thread() || !watch)
            return QApplication::notify(receiver, event);
        const StallWatch::Event one(*watch);
        return QApplication::notify(receiver, event);
    }

    StallWatch* watch = nullptr; ///< of the main thread only
};
