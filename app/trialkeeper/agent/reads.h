// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent.h"
#include "trials.h"

#include <nlohmann/json_fwd.hpp>

#include <deque>
#include <map>

namespace trialkeeper {

/// Files of trials on request: ranges, followed logs, lists. Never outside the trial's folder.
class Reads
{
public:
    Reads(Agent& agent, Trials& trials);

    void read(const nlohmann::json& request);
    void stop(std::int64_t req);
    void list(const nlohmann::json& request);
    /// A trial has ended: what follows its files comes to an end.
    void trialEnded(const std::string& id);
    bool pump();

private:
    struct Request
    {
        std::string trial;
        std::string path;        ///< relative
        std::int64_t offset = 0; ///< negative until the file is there: from its end
        std::uint64_t left = UINT64_MAX;
        bool follow = false;
        bool queued = false;
        FileIdentity file;
        Watcher::Id watch = 0;
    };
    void ready(std::int64_t req);
    /// One frame. False: the request is answered.
    bool step(std::int64_t req, Request& request, bool& more);
    void fail(std::int64_t req, const std::string& kind, const std::string& message);
    void watch(std::int64_t req, Request& request);
    void end(std::int64_t req);

    Agent& m_agent;
    Trials& m_trials;
    std::map<std::int64_t, Request> m_requests;
    std::deque<std::int64_t> m_ready;
    std::string m_buffer;
};

} // namespace trialkeeper
