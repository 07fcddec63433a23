// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <map>
#include <set>
#include <sys/types.h>
#include <thread>

/// Follows what an agent starts by ptrace(2) and kills at one chosen system call of a keeper or of its wrapper. Only the first
/// keeper that appears is followed; commands and everything else run untouched. Works on a thread of its own, which is the tracer.
class KeeperTracer
{
public:
    enum class At { keeper, wrapper };
    struct Plan
    {
        At at = At::
            keeper; ///< whose system calls are counted, from 1: a keeper's from its execve on, a wrapper's from its fork on
        int call = 1; ///< the kill comes before this call is carried out
        bool killKeeper = false;
        bool killWrapper = false;
        bool hold = false; ///< who reached the call, if it is not killed, goes on only after release()
    };
    KeeperTracer(pid_t agent, Plan plan);
    ~KeeperTracer(); ///< lets go of everything that is still followed
    KeeperTracer(const KeeperTracer&) = delete;
    KeeperTracer& operator=(const KeeperTracer&) = delete;

    /// Waits until the agent is followed. False: ptrace is not allowed here.
    [[nodiscard]] bool isAttached() const
    {
        while (m_attached == 0)
            std::this_thread::yield();
        return m_attached > 0;
    }
    [[nodiscard]] bool isReached() const { return m_reached; }
    [[nodiscard]] pid_t keeper() const { return m_keeper; }
    [[nodiscard]] pid_t wrapper() const { return m_wrapper; }
    /// Nothing that is to be killed is left.
    [[nodiscard]] bool isDone() const { return m_dead; }
    void release() { m_released = true; }

private:
    enum class Role { agent, fresh, keeper, wrapper, other };
    void follow();
    void stopped(pid_t pid, int status);
    void resume(pid_t pid, int signal);
    void letGo(pid_t pid);
    bool reach(pid_t pid);

    const pid_t m_agent;
    const Plan m_plan;
    std::map<pid_t, Role> m_roles;
    std::set<pid_t> m_early; ///< children that stopped before their parent told of them
    std::set<pid_t> m_inCall;
    std::set<pid_t> m_killed;
    pid_t m_held = 0;
    int m_calls = 0;
    std::atomic<int> m_attached = 0; ///< 1: yes, -1: it cannot be
    std::atomic<bool> m_reached = false;
    std::atomic<bool> m_dead = false;
    std::atomic<bool> m_released = false;
    std::atomic<bool> m_ending = false;
    std::atomic<pid_t> m_keeper = 0;
    std::atomic<pid_t> m_wrapper = 0;
    std::thread m_thread; ///< last: it uses the others
};
