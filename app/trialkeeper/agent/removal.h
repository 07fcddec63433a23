// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent.h"
#include "code_store.h"
#include "trials.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <set>

namespace trialkeeper {

/// Deletes what is ours, and only that. A folder is renamed first (so that it is gone at once), then a worker deletes
/// it: a large tree or a slow file system holds up nothing.
class Removal
{
public:
    Removal(Agent& agent, Trials& trials, CodeStore& code)
        : m_agent(agent)
        , m_trials(trials)
        , m_code(code)
    {
    }
    /// Code that only these trials ran goes with them.
    void removeTrials(std::int64_t req, const std::vector<std::string>& ids);
    void removeAll(std::int64_t req);
    void removeCode(std::int64_t req, const std::vector<std::string>& shas);
    /// Leftovers of killed workers, and agent binaries that were not used for a month.
    void sweep();

    std::function<bool()> isStarting; ///< whether trials are on their way, so that their code is in use

private:
    struct Refused
    {
        std::string id;
        std::string message;
    };
    /// `behind`: part of what was asked for is being deleted already, so the answer waits for that.
    void erase(std::int64_t req, const std::vector<std::string>& paths, const std::vector<Refused>& refused, bool all,
        bool behind = false);
    void reply(std::int64_t req, nlohmann::json failed, bool behind);
    void ended(std::uint64_t job);
    [[nodiscard]] bool lives(const std::string& id) const;
    /// Of these codes, those that no trial of ours names any more; our claims on them are taken back.
    [[nodiscard]] std::vector<std::string> unusedCode(std::set<std::string> shas);
    [[nodiscard]] std::vector<std::string> unusedAgents() const;
    /// The base folder, where no other service or machine has anything in it, with the programs of agents.
    void removeBase() const;

    Agent& m_agent;
    Trials& m_trials;
    CodeStore& m_code;
    struct Held
    {
        nlohmann::json message;
        std::set<std::uint64_t> behind; ///< jobs
    };
    std::set<std::uint64_t> m_jobs; ///< deletions that run
    std::uint64_t m_lastJob = 0;
    std::vector<Held> m_held;
};

/// The worker `trialkeeper erase`: deletes the paths of its standard input, one a line; prints a line "path<TAB>why"
/// for each that it could not.
int eraseListed();

} // namespace trialkeeper
