// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <atomic>
#include <memory>
#include <thread>

/// Watches the events of the thread that makes it: how much of its own processor time each takes, which is wall time less the time
/// that the thread was ready and another one had the processor. One beyond the bar is caught in the act: a second thread reads
/// its stack. The application reports when an event begins and ends, in notify(); the dispatcher's own signals stand around its sleep
/// only, and leave out what it does when it wakes.
class StallWatch
{
public:
    explicit StallWatch(int barMs);
    ~StallWatch();
    StallWatch(const StallWatch&) = delete;
    StallWatch& operator=(const StallWatch&) = delete;

    /// Lives as long as an event is handled. One inside another is part of it.
    class Event
    {
    public:
        explicit Event(StallWatch& watch)
            : m_watch(watch)
        {
            if (m_watch.m_depth++ == 0)
                m_watch.begin();
        }
        ~Event()
        {
            if (--m_watch.m_depth == 0)
                m_watch.end();
        }
        Event(const Event&) = delete;
        Event& operator=(const Event&) = delete;

    private:
        StallWatch& m_watch;
    };

    /// Milliseconds of the longest event, and what it was doing when it passed the bar.
    [[nodiscard]] double longestMs() const { return m_longestMs; }
    /// How much of that its thread spent computing; the rest it waited for a lock, a page or a host that had other guests.
    [[nodiscard]] double longestCpuMs() const { return m_longestCpuMs; }
    [[nodiscard]] int overBar() const { return m_overBar; }
    [[nodiscard]] QByteArray culprit() const { return m_culprit; }
    [[nodiscard]] int events() const { return m_events; }
    /// Whether the stack of the event that is being handled was read.
    [[nodiscard]] bool isCaught() const;

private:
    void begin();
    void end();

    const int m_barMs;
    double m_longestMs = 0;
    double m_longestCpuMs = 0;
    int m_overBar = 0;
    int m_events = 0;
    int m_depth = 0;
    int m_schedule; ///< this thread's schedstat
    QByteArray m_culprit;
    std::atomic<qint64> m_begun{0};  ///< nanoseconds of the steady clock; 0 between events
    std::atomic<qint64> m_caught{0}; ///< when the event began whose stack was asked for last
    qint64 m_delayed = 0;
    qint64 m_computed = 0;
    std::atomic<bool> m_isEnding{false};
    std::thread m_watcher;
};
