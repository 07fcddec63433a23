// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent.h"
#include "gpu_processes.h"

namespace trialkeeper {

/// GPUs (nvidia-smi) and load of the machine, sent as often as the service asks; nothing is done while it does not.
class Probe
{
public:
    explicit Probe(Agent& agent)
        : m_agent(agent)
    {
    }
    void setGpuInterval(int ms);
    void setHostInterval(int ms);

private:
    struct Load
    {
        double percent = -1;
        double average = 0;
        std::uint64_t memoryUsed = 0;
        std::uint64_t diskFree = 0;
        bool diskFull = false;
    };
    void probeGpus();
    void tellGpus(const char* state, const std::string& message, std::string_view xml);
    void askUsers(const std::vector<uid_t>& unknown);
    void tellLoad();
    /// Whether it differs visibly from what was last reported.
    [[nodiscard]] bool isNews(const Load& load, std::uint64_t memoryTotal, std::uint64_t diskTotal) const;

    Agent& m_agent;
    int m_gpuInterval = 0;
    int m_hostInterval = 0;
    Loop::Timer m_gpuTimer = 0;
    Loop::Timer m_hostTimer = 0;
    bool m_probing = false;
    bool m_toldNone = false;
    Load m_told;
    int m_untold = 0; ///< looks since then
    bool m_askingUsers = false;
    UserNames m_users; ///< of directories that /etc/passwd does not hold
    unsigned long long m_busy = 0;
    unsigned long long m_total = 0;
};

/// Where nvidia-smi is: the command of TRIALDECK_NVIDIA_SMI, in PATH, or in the places where drivers put it; empty if
/// nowhere.
[[nodiscard]] std::string findNvidiaSmi();
[[nodiscard]] bool hasNvidiaDriver();
/// Bytes; {total, available}. Zeros where /proc does not tell.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> memoryOfMachine();
/// CPUs that this process may run on.
[[nodiscard]] int cpuCount();

} // namespace trialkeeper
