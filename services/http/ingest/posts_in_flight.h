// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <unordered_map>
#include <vector>

namespace http {

using namespace core;

class Connection;

/// Posts that are under way, by trial. A trial has few places; a post for which there is none takes that of the oldest one whose body is still
/// coming, as its sender is probably gone, and is refused where all bodies are there. Pure; http thread.
class PostsInFlight
{
public:
    explicit PostsInFlight(size_t places)
        : m_places(places)
    {
    }

    struct Verdict
    {
        bool isTaken = true;
        Connection* leaves = nullptr; ///< the caller must close it; its place is free already
    };
    [[nodiscard]] Verdict begin(Connection* connection, const TrialId& trial);
    /// Its body is whole: no other takes its place.
    void arrived(Connection* connection);
    /// Unknown ones are ignored.
    void end(Connection* connection);
    [[nodiscard]] size_t size() const { return m_posts.size(); }

private:
    struct Post
    {
        TrialId trial;
        bool isArriving = true;
    };
    size_t m_places;
    std::unordered_map<Connection*, Post> m_posts;
    std::unordered_map<TrialId, std::vector<Connection*>> m_ofTrial; ///< oldest first
};

} // namespace http
