// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent.h"
#include "trials.h"

#include "app/trialkeeper/trial/launch.h"
#include "app/trialkeeper/trial/spec.h"

#include <nlohmann/json.hpp>

#include <deque>
#include <map>
#include <set>

namespace trialkeeper {

class CodeStore;

/// Starts trials: a few a turn and a bounded number at once, so that a batch of hundreds delays no other request.
class Starter
{
public:
    Starter(Agent& agent, Trials& trials, CodeStore& code);

    void start(const nlohmann::json& specs);
    /// A cancel for a trial that waits here, or is being started. Then Trials has nothing to do with it yet.
    /// WhenStarted: it is answered here, once its start is decided and the cancel is on disk.
    enum class Cancelled { NotHere, Removed, WhenStarted };
    Cancelled cancel(const std::string& id, const std::string& intent, int graceMs);
    [[nodiscard]] bool isStarting(const std::string& id) const { return m_byId.count(id) > 0; }
    [[nodiscard]] bool isStarting() const { return !m_byId.empty(); } ///< any
    bool pump();

private:
    struct Waiting
    {
        std::string id;
        Launch launch;
        std::vector<std::string> gpuLocks; ///< of the launch, which is dropped once it is handed over
        StdoutMode mode = StdoutMode::None;
        pid_t keeper = 0;
        std::string cancelIntent;
        int cancelGraceMs = 0;
        int cancels = 0;          ///< messages that wait for an answer
        bool keeperEnded = false; ///< its wrapper runs without it
    };
    void spawn(Waiting waiting);
    void readReports();
    void take(const StartReport& report);
    void fail(const std::string& id, const Failure& failure, const std::string& gpu = {});
    void answerCancels(const Waiting& waiting, bool isThere);
    void keeperEnded(std::uint32_t ticket, const std::string& id, pid_t keeper);

    Agent& m_agent;
    Trials& m_trials;
    CodeStore& m_code;
    Fd m_reports; ///< read end of the pipe that all keepers report on
    Fd m_reportsWrite;
    std::deque<Waiting> m_queue;
    std::map<std::uint32_t, Waiting> m_inFlight;
    std::set<std::string> m_byId; ///< queued or in flight
    std::deque<nlohmann::json> m_results;
    std::size_t m_maxInFlight; ///< more keepers at once only take the processors from those that run
    std::uint32_t m_nextTicket = 1;
    std::uint64_t m_oomKills = 0;
    std::int64_t m_oomReadAt = -10000;
};

} // namespace trialkeeper
