// SPDX-License-Identifier: GPL-3.0-or-later
#include "posts_in_flight.h"

#include <algorithm>

namespace http {

PostsInFlight::Verdict PostsInFlight::begin(Connection* connection, const TrialId& trial)
{
    end(connection);
    Verdict verdict;
    if (const auto known = m_ofTrial.find(trial); known != m_ofTrial.end() && known->second.size() >= m_places) {
        const std::vector<Connection*>& list = known->second;
        const auto arriving =
            std::find_if(list.begin(), list.end(), [this](Connection* other) { return m_posts.at(other).isArriving; });
        if (arriving == list.end())
            return {false, nullptr};
        verdict.leaves = *arriving;
        end(verdict.leaves);
    }
    m_posts.insert({connection, Post{trial, true}});
    m_ofTrial[trial].push_back(connection);
    return verdict;
}

void PostsInFlight::arrived(Connection* connection)
{
    if (const auto found = m_posts.find(connection); found != m_posts.end())
        found->second.isArriving = false;
}

void PostsInFlight::end(Connection* connection)
{
    const auto found = m_posts.find(connection);
    if (found == m_posts.end())
        return;
    const auto list = m_ofTrial.find(found->second.trial);
    std::erase(list->second, connection);
    if (list->second.empty())
        m_ofTrial.erase(list);
    m_posts.erase(found);
}

} // namespace http
