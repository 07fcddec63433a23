// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

#include "app/trialkeeper/trial/tree_signals.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace trialkeeper;

namespace {

constexpr int ping = SIGWINCH; ///< of several signals that wait, the one with the lowest number is taken first: SIGTERM

sigset_t taken()
{
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGTERM);
    ::sigaddset(&set, ping);
    return set;
}

/// A process that says which signals it gets, and ends with this one at the latest.
class Child
{
public:
    /// In the process group `group`; 0: in one of its own.
    explicit Child(pid_t group)
    {
        int ends[2] = {-1, -1};
        CHECK(::pipe(ends) == 0);
        m_pid = ::fork();
        if (m_pid == 0)
            say(ends[1]);
        ::setpgid(m_pid, group);
        ::close(ends[1]);
        m_said = ends[0];
    }
    ~Child()
    {
        end();
        ::close(m_said);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void end()
    {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
        m_pid = -1;
    }
    [[nodiscard]] pid_t pid() const { return m_pid; }
    /// How often it got SIGTERM since the last call.
    [[nodiscard]] int terminations() const
    {
        ::kill(m_pid, ping);
        int count = 0;
        for (char said = 0; ::read(m_said, &said, 1) == 1 && said != 'p'; ++count) { }
        return count;
    }

private:
    [[noreturn]] static void say(int to)
    {
        const sigset_t set = taken();
        for (;;) {
            const char said = ::sigwaitinfo(&set, nullptr) == SIGTERM ? 't' : 'p';
            if (::write(to, &said, 1) != 1)
                ::_exit(1);
        }
    }

    pid_t m_pid = -1;
    int m_said = -1;
};

void eachGroupOnce()
{
    const Child leader(0);
    const Child member(leader.pid());
    const Child unlisted(leader.pid());
    Termination termination;
    CHECK(termination.send({leader.pid(), member.pid()}) == 2);
    CHECK(leader.terminations() == 1);
    CHECK(member.terminations() == 1);
    CHECK(unlisted.terminations() == 1);
    const Child tidies(leader.pid()); // as a handler starts it
    CHECK(termination.send({leader.pid(), member.pid(), tidies.pid()}) == 0);
    CHECK(tidies.terminations() == 0);
    const Child later(0);
    CHECK(termination.send({leader.pid(), member.pid(), tidies.pid(), later.pid()}) == 1);
    CHECK(later.terminations() == 1);
    CHECK(leader.terminations() == 0);
}

void groupOfAnother()
{
    const Child leader(0);
    const Child member(leader.pid());
    Termination termination;
    CHECK(termination.send({member.pid()}) == 1);
    CHECK(termination.send({member.pid()}) == 0);
    CHECK(member.terminations() == 1);
    CHECK(leader.terminations() == 0);
}

void groupWithoutItsLeader()
{
    Child leader(0);
    const Child one(leader.pid());
    const Child two(leader.pid());
    leader.end();
    Termination termination;
    CHECK(termination.send({one.pid()}) == 1);
    CHECK(one.terminations() == 1);
    CHECK(two.terminations() == 1);
}

void nobody()
{
    Termination termination;
    CHECK(termination.send({}) == 0);
    Child gone(0);
    const pid_t pid = gone.pid();
    gone.end();
    CHECK(termination.send({pid}) == 0);
}

} // namespace

int main()
{
    const sigset_t set = taken();
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    eachGroupOnce();
    groupOfAnother();
    groupWithoutItsLeader();
    nobody();
    return checkResult();
}
