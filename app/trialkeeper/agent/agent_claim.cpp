// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_claim.h"

#include "app/trialkeeper/base/proc.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace trialkeeper {

bool AgentClaim::take(const std::string& folder)
{
    // Held for reading: an agent that waits keeps no file system from being mounted read-only.
    m_file = Fd(::open((folder + "/agent").c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!m_file)
        return true;
    for (int attempt = 0; ::flock(m_file.get(), LOCK_EX | LOCK_NB) != 0; ++attempt) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return true;
        char text[128];
        const ssize_t got = ::pread(m_file.get(), text, sizeof text, 0);
        ProcessIdentity other;
        const bool known =
            got > 0 && parseIdentity({text, std::size_t(got)}, other) && isAlive(other) && other.pid != ::getpid();
        if (attempt >= 200)
            return false;
        // A stopped or stuck one gets no say: what it knows is on the disk.
        if (known)
            ::kill(other.pid, attempt < 100 ? SIGTERM : SIGKILL);
        ::usleep(10000);
    }
    char text[96];
    const int size = formatIdentity(text, sizeof text, identityOf(::getpid()));
    // Without a name in it (a full disk) the next agent only has to wait for our end.
    (void)writeFileAt(AT_FDCWD, (folder + "/agent").c_str(), {text, std::size_t(size)});
    return true;
}

} // namespace trialkeeper
