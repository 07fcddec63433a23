// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent.h"

#include "app/trialkeeper/trial/spec.h"

#include <array>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>

namespace trialkeeper {

/// Where the service stands with one trial.
struct Cursors
{
    std::uint64_t nni = 0, file = 0, standardOutput = 0, journal = 0;
};

/// The trials that the agent watches: sends their streams and journals, notices dead keepers and gives living trials
/// a new one.
inline constexpr int ownGrace = -1;

/// What a trial's folder alone shows of it.
enum class OnDisk {
    unknown,  ///< there is no such folder
    prepared, ///< a folder, and no command was started
    starting, ///< a keeper or wrapper has not decided yet whether its command starts
    running,  ///< a command was started, and no end is written
    ended
};
[[nodiscard]] const char* word(OnDisk state); ///< of protocol.h: "running", also for `starting`

/// Of one trial in the message `cancelled`; `state` is empty after a failure.
[[nodiscard]] nlohmann::json cancelResult(const std::string& id, const std::string& state, const Failure& failure);

/// The trials of one agent that are watched: their streams, journals, ends and cancels. Used on the agent's loop only.
class Trials
{
public:
    explicit Trials(Agent& agent);
    ~Trials();

    [[nodiscard]] OnDisk stateOnDisk(const std::string& id) const;
    /// Watches from the cursors on and returns the state. A trial that is watched already begins again at these cursors.
    OnDisk adopt(const std::string& id, const Cursors& cursors);
    /// Watches a trial that was just started by this keeper, our child.
    void started(const std::string& id, pid_t keeper, StdoutMode mode);
    void keeperEnded(const std::string& id, pid_t keeper);
    void forget(const std::string& id);
    /// Accepts a cancel (durably) and hands it to the keeper: "cancelling", "ended" or "unknown"; empty with a failure.
    /// `graceMs` may be ownGrace: the value of the trial's own spec.
    std::string cancel(const std::string& id, const std::string& intent, int graceMs, Failure& failure);
    [[nodiscard]] bool isWatched(const std::string& id) const { return m_trials.count(id) > 0; }
    /// Called after the final event of a watched trial was queued.
    std::function<void(const std::string& id)> onEnded;
    /// Sends what is new, a little of each trial in turn.
    bool pump();

private:
    struct Trial;
    Trial* find(const std::string& id);
    void watchFiles(Trial& trial);
    /// Has the stream of this bit (0: the journal) read now and at each change of the file.
    void watchFile(Trial& trial, const std::string& name, std::uint32_t streamBit);
    /// Begins with standard output, if the spec wants it; nothing where there is no whole spec yet.
    void readSpec(Trial& trial, int folder);
    void unwatchFiles(Trial& trial);
    void watchKeeper(Trial& trial);
    void ready(Trial& trial);
    void readJournal(Trial& trial);
    bool work(Trial& trial);             ///< false: the trial is done and forgotten
    void resolve(const std::string& id); ///< the keeper is dead, the journal has no end
    void reviveLater(const std::string& id);
    void checkStrangers();
    void endWithoutFiles(Trial& trial, const char* failureClass, const char* reason);
    [[nodiscard]] bool hasProcesses(const std::string& id) const;

    Agent& m_agent;
    std::unordered_map<std::string, std::unique_ptr<Trial>> m_trials;
    std::deque<std::string> m_ready;
    std::deque<std::string> m_orphans;
    Loop::Timer m_strangerTimer = 0;
    std::string m_buffer;
    mutable std::set<std::string> m_inUse; ///< metrics files of processes, as seen at m_inUseAt
    mutable std::int64_t m_inUseAt = -10000;
};

} // namespace trialkeeper
