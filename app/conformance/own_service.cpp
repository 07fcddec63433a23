// SPDX-License-Identifier: GPL-3.0-or-later
#include "own_service.h"

#include "app/client/service_locator.h"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace app::conformance {

/// `patienceMs`: -1 for ever.
static bool hasEndedWithin(int process, int patienceMs)
{
    pollfd end{process, POLLIN, 0};
    int count = 0;
    do
        count = ::poll(&end, 1, patienceMs);
    while (count < 0 && errno == EINTR);
    return count != 0;
}

OwnService::OwnService(QString daemon, QString folder)
    : m_daemon(std::move(daemon))
    , m_folder(std::move(folder))
{
}

OwnService::~OwnService()
{
    stop();
}

Result<> OwnService::start()
{
    const Result<Paths> paths = resolvePaths(m_folder, {}, m_folder);
    if (!paths)
        return core::fail(paths);
    ServiceWish wish;
    wish.paths = *paths;
    wish.dataDir = m_folder;
    wish.daemon = m_daemon;
    wish.patienceMs = 60'000;
    auto located = locateService(wish, [](const QString&) {});
    if (!located)
        return core::fail(located);
    m_client = std::move(*located);
    m_pid = m_client->endpoint().pid;
    return {};
}

void OwnService::end(int signal, int patienceMs)
{
    if (m_pid <= 0)
        return;
    // Readable when its last thread is gone, and its lock of the data directory with it (Linux 5.3).
    const int process = int(::syscall(SYS_pidfd_open, pid_t(m_pid), 0));
    ::kill(pid_t(m_pid), signal);
    if (process >= 0) {
        if (!hasEndedWithin(process, patienceMs)) {
            ::kill(pid_t(m_pid), SIGKILL);
            (void)hasEndedWithin(process, -1);
        }
        ::close(process);
    }
    m_pid = 0;
    m_client.reset();
}

void OwnService::kill()
{
    end(SIGKILL, 30'000);
}

void OwnService::stop()
{
    end(SIGTERM, 30'000);
}

} // namespace app::conformance
