// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_tracer.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <ctime>
#include <utility>

namespace {

constexpr long options =
    PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;

bool isKeeper(pid_t pid)
{
    char bytes[64] = {};
    if (FILE* file = std::fopen(("/proc/" + std::to_string(pid) + "/cmdline").c_str(), "r")) {
        const std::size_t size = std::fread(bytes, 1, sizeof bytes, file);
        std::fclose(file);
        return std::string(bytes, size).starts_with(std::string("trialkeeper\0run\0", 16));
    }
    return false;
}

} // namespace

KeeperTracer::KeeperTracer(pid_t agent, Plan plan)
    : m_agent(agent)
    , m_plan(plan)
    , m_thread([this] { follow(); })
{
}

KeeperTracer::~KeeperTracer()
{
    m_ending = true;
    m_thread.join();
}

void KeeperTracer::resume(pid_t pid, int signal)
{
    const Role role = m_roles[pid];
    // Until the one call is reached each call of both is seen; a wrapper is held where its keeper may be killed first.
    const bool calls = (role == Role::keeper || role == Role::wrapper) && !m_reached;
    ::ptrace(calls ? PTRACE_SYSCALL : PTRACE_CONT, pid, 0, signal);
}

void KeeperTracer::letGo(pid_t pid)
{
    ::ptrace(PTRACE_DETACH, pid, 0, 0);
    m_roles.erase(pid);
}

/// The call was reached by `pid`. True: it does not go on now.
bool KeeperTracer::reach(pid_t pid)
{
    m_reached = true;
    for (const auto& [which, wanted] :
        {std::pair(m_keeper.load(), m_plan.killKeeper), std::pair(m_wrapper.load(), m_plan.killWrapper)}) {
        if (wanted && which > 0) {
            m_killed.insert(which);
            ::kill(which, SIGKILL);
        }
    }
    if (m_killed.count(pid) > 0)
        return true;
    if (!m_plan.hold)
        return false;
    m_held = pid;
    return true;
}

void KeeperTracer::stopped(pid_t pid, int status)
{
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    const auto known = m_roles.find(pid);
    if (known == m_roles.end()) {
        m_early.insert(pid);
        return;
    }
    const Role role = known->second;
    if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE) {
        unsigned long child = 0;
        ::ptrace(PTRACE_GETEVENTMSG, pid, 0, &child);
        Role next = Role::other;
        if (role == Role::agent && m_keeper == 0)
            next = Role::fresh;
        else if (role == Role::keeper && m_wrapper == 0)
            next = Role::wrapper;
        if (next == Role::wrapper)
            m_wrapper = pid_t(child);
        m_roles[pid_t(child)] = next;
        if (m_early.erase(pid_t(child)) > 0)
            stopped(pid_t(child), SIGTRAP << 8 | 0x7f | PTRACE_EVENT_STOP << 16);
        resume(pid, 0);
        return;
    }
    if (event == PTRACE_EVENT_EXEC) {
        if (role == Role::fresh && isKeeper(pid)) {
            known->second = Role::keeper;
            m_keeper = pid;
            m_inCall.insert(pid); // it leaves execve
            resume(pid, 0);
        } else if (role == Role::fresh) {
            letGo(pid);
        } else {
            resume(pid, 0);
        }
        return;
    }
    if (event == PTRACE_EVENT_STOP) {
        if (role == Role::other)
            letGo(pid);
        else
            resume(pid, 0);
        return;
    }
    if (signal == (SIGTRAP | 0x80)) {
        const bool begins = m_inCall.insert(pid).second;
        if (!begins)
            m_inCall.erase(pid);
        const Role counted = m_plan.at == At::keeper ? Role::keeper : Role::wrapper;
        if (begins && role == counted && !m_reached && ++m_calls == m_plan.call && reach(pid))
            return;
        resume(pid, 0);
        return;
    }
    // A signal on its way.
    resume(pid, signal == SIGTRAP ? 0 : signal);
}

void KeeperTracer::follow()
{
    if (::ptrace(PTRACE_SEIZE, m_agent, 0, options) != 0) {
        m_attached = -1;
        return;
    }
    m_roles[m_agent] = Role::agent;
    m_attached = 1;
    bool interrupted = false;
    while (!m_roles.empty()) {
        if (m_released && m_held > 0)
            resume(std::exchange(m_held, 0), 0);
        if (m_ending && !std::exchange(interrupted, true)) {
            for (const pid_t early : m_early)
                ::ptrace(PTRACE_DETACH, early, 0, 0);
            if (m_held > 0)
                letGo(std::exchange(m_held, 0));
            for (const auto& [pid, role] : m_roles)
                ::ptrace(PTRACE_INTERRUPT, pid, 0, 0);
        }
        int status = 0;
        const pid_t pid = ::waitpid(-1, &status, __WALL | __WNOTHREAD | WNOHANG);
        if (pid < 0 && errno != EINTR)
            return;
        if (pid <= 0) {
            const timespec pause{0, 100'000}; // the end of this object is no event of waitpid
            ::nanosleep(&pause, nullptr);
        } else if (WIFEXITED(status) || WIFSIGNALED(status)) {
            m_roles.erase(pid);
            m_early.erase(pid);
            if (m_killed.erase(pid) > 0 && m_killed.empty())
                m_dead = true;
        } else if (WIFSTOPPED(status) && m_ending) {
            const int signal = status >> 16 != 0 || WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
            ::ptrace(PTRACE_DETACH, pid, 0, signal == SIGTRAP ? 0 : signal);
            m_roles.erase(pid);
            m_early.erase(pid);
        } else if (WIFSTOPPED(status)) {
            stopped(pid, status);
        }
    }
}
