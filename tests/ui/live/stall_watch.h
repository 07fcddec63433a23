// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>

#include <atomic>
#include <memory>
#include <thread>

/// Watches the event loop of the thread that makes it: how much of its own processor time each turn takes, which is wall time less
/// the time that the thread was ready and another one had the processor. A turn beyond the bar is caught in the act: a second
/// thread asks for its stack.
class StallWatch : public QObject
{
    Q_OBJECT
public:
    explicit StallWatch(int barMs);
    ~StallWatch() override;

    /// Milliseconds of the longest turn, and what it was doing when it passed the bar.
    [[nodiscard]] double longestMs() const { return m_longestMs; }
    [[nodiscard]] QByteArray culprit() const { return m_culprit; }
    [[nodiscard]] int turns() const { return m_turns; }
    /// Begins anew: what came before, like the first layout, is not counted.
    void reset();

private:
    void begin();
    void end();
    void watch();

    const int m_barMs;
    double m_longestMs = 0;
    int m_turns = 0;
    QByteArray m_culprit;
    std::atomic<qint64> m_begun{0}; ///< nanoseconds of the steady clock; 0 between turns
    qint64 m_delayed = 0;
    std::atomic<bool> m_isEnding{false};
    std::thread m_watcher;
};
