// SPDX-License-Identifier: GPL-3.0-or-later
#include "strangers.h"

#include <algorithm>

namespace http {

Connection* Strangers::add(Connection* connection, const std::string& peer)
{
    size_t& ofPeer = m_ofPeer[peer];
    Connection* leaves = nullptr;
    if (!peer.empty() && ofPeer >= m_placesOfPeer)
        leaves = std::find_if(m_list.begin(), m_list.end(), [&](const Entry& e) { return e.peer == peer; })->connection;
    else if (m_list.size() >= m_places)
        leaves = m_list.front().connection;
    ++ofPeer;
    m_list.push_back({connection, peer});
    m_at[connection] = std::prev(m_list.end());
    return leaves;
}

void Strangers::remove(Connection* connection)
{
    const auto found = m_at.find(connection);
    if (found == m_at.end())
        return;
    const auto peer = m_ofPeer.find(found->second->peer);
    if (--peer->second == 0)
        m_ofPeer.erase(peer);
    m_list.erase(found->second);
    m_at.erase(found);
}

} // namespace http
