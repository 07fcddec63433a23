// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <list>
#include <string>
#include <unordered_map>

namespace http {

class Connection;

/// Connections that have not shown a token yet, the oldest first. They share a few places, so that they cannot take those of clients
/// that have: when there is no place, the oldest leaves. A client that has a token shows it within milliseconds. Pure.
class Strangers
{
public:
    Strangers(size_t places, size_t placesOfPeer)
        : m_places(places)
        , m_placesOfPeer(placesOfPeer)
    {
    }

    /// Adds one from the peer (an address, without the port; empty: of this computer, where no peer has places of its own). Returns the one that must be closed for it, or null; it stays listed
    /// until remove().
    [[nodiscard]] Connection* add(Connection* connection, const std::string& peer);
    /// It has shown a token, or is closed.
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
