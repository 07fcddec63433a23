// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_connection.h"

#include <deque>

namespace transport {

/// Open connections between two requests.
class ConnectionPool
{
public:
    static constexpr qint64 keptMs = 30'000;

    ConnectionPool(Clock* clock, int most);

    /// One to `origin` that idles for less than `idleMs`; null: there is none.
    [[nodiscard]] std::shared_ptr<HttpConnection> take(const HttpOrigin& origin, qint64 idleMs);
    void give(std::shared_ptr<HttpConnection> connection);
    void clear();
    [[nodiscard]] int size() const { return int(m_idle.size()); }

private:
    struct Idle
    {
        std::shared_ptr<HttpConnection> connection;
        qint64 sinceMs = 0; ///< of the steady clock
    };
    void expire();

    Clock* m_clock;
    int m_most;
    std::deque<Idle> m_idle; ///< the one that was given last at the end
    std::unique_ptr<TimerHandle> m_timer;
};

/// So many places for requests under way; the others wait in the order in which they came.
class RequestPlaces
{
public:
    /// Frees its place when it is destroyed. The places must outlive it.
    class Place
    {
    public:
        explicit Place(RequestPlaces* places)
            : m_places(places)
        {
        }
        ~Place() { m_places->free(); }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

    private:
        RequestPlaces* m_places;
    };

    RequestPlaces(Clock* clock, int most)
        : m_clock(clock)
        , m_free(most)
    {
    }
    [[nodiscard]] Task<Result<std::shared_ptr<Place>>> take(std::stop_token stop);

private:
    void free();

    Clock* m_clock;
    int m_free;
    std::deque<OneShot<bool>> m_waiting; ///< true: it has a place
};

} // namespace transport
