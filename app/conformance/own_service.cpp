// SPDX-License-Identifier: GPL-3.0-or-later
#include "own_service.h"

#include "app/base/data_dir_lock.h"
#include "app/client/service_locator.h"

#include <QElapsedTimer>
#include <QThread>

#include <csignal>

using namespace Qt::StringLiterals;

namespace app::conformance {

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
    ::kill(pid_t(m_pid), signal);
    QElapsedTimer clock;
    clock.start();
    // Its first thread may be gone before the last one, with which the lock goes.
    const QString lock = Paths{.data = m_folder, .config = {}, .state = {}}.lockFile();
    while (processAlive(m_pid) || DataDirLock::holder(lock) == m_pid) {
        QThread::msleep(20);
        if (clock.elapsed() > patienceMs)
            ::kill(pid_t(m_pid), SIGKILL);
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
