// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <list>
#include <string>
#include <unordered_map>

namespace http {

class Connection;

/// Connections that have not been authenticated yet, oldest first. Their number is limited, so that they cannot exhaust the connections
/// of authenticated clients: above the limit the oldest is to be closed. Clients authenticate within milliseconds. Pure; http thread.
class Strangers
{
public:
    Strangers(size_t places, size_t placesOfPeer)
        : m_places(places)
        , m_placesOfPeer(placesOfPeer)
    {
    }

    /// Adds a connection. `peer`: IP address without the port; empty for this computer, to which the limit by peer does not apply.
    /// Returns the connection that the caller must close, or null; it stays listed until remove().
    [[nodiscard]] Connection* add(Connection* connection, const std::string& peer);
    /// Call when the connection was authenticated or closed. Unknown ones are ignored.
    void remove(Connection* connection);
    [[nodiscard]] size_t size() const { return m_list.size(); }

private:
    struct Entry
    {
        Connection* connection;
        std::string peer;
    };
    size_t m_places;
    size_t m_placesOfPeer;
    std::list<Entry> m_list;
    std::unordered_map<Connection*, std::list<Entry>::iterator> m_at;
    std::unordered_map<std::string, size_t> m_ofPeer;
};

} // namespace http
