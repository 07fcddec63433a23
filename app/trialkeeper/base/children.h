// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop.h"

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace trialkeeper {

/// Starts processes and reports their ends. All descriptors but the given ones are closed in a child; it gets its own
/// session and no blocked signal but those asked for.
class Children
{
public:
    explicit Children(Loop& loop);
    ~Children();

    struct Options
    {
        std::vector<std::pair<int, int>>
            descriptors;           ///< ours (10 or higher), the child's; 0 and 1 are /dev/null, 2 is ours if not named
        bool blockSignals = false; ///< a keeper: signals wait until it is ready for them; 2 is /dev/null too
    };
    /// `program`: a path, or a name to look for in PATH. `ended` gets the wait status. The pid, or -1 with errno.
    pid_t start(const std::string& program, const std::vector<std::string>& arguments, const Options& options,
        std::function<void(int status)> ended);
    /// Called once when SIGTERM, SIGINT or SIGHUP arrives.
    std::function<void()> onTerminate;

    /// A child whose standard output is collected: workers (this program with another verb), nvidia-smi.
    struct Job
    {
        std::string program;
        std::vector<std::string> arguments;
        std::string input;                   ///< its standard input, whole
        int timeoutMs = 0;                   ///< 0 is none; then it and its session's processes are killed
        std::size_t limit = 4 * 1024 * 1024; ///< of output; more is cut
        std::function<void(std::string_view line)>
            onLine;              ///< if set, it gets the output line by line, which is not collected
        bool withErrors = false; ///< standard error goes where standard output goes
    };
    struct Outcome
    {
        int status = 0;
        bool timedOut = false;
        int startError = 0; ///< errno: it did not start
        std::string output;
    };
    void run(Job job, std::function<void(const Outcome&)> done);
    /// Stops all running jobs (the agent ends).
    void killJobs();

private:
    struct Running;
    void reap();
    void readJob(const std::shared_ptr<Running>& running);
    void finishIfDone(const std::shared_ptr<Running>& running);

    Loop& m_loop;
    Fd m_signals;
    std::unordered_map<pid_t, std::function<void(int)>> m_ended;
    std::vector<std::shared_ptr<Running>> m_running;
};

/// This program, however its file may have been moved or replaced meanwhile.
inline constexpr const char* ownProgram = "/proc/self/exe";

} // namespace trialkeeper
