// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_daemon.h"

#include "service_runtime.h"

#include "app/base/data_dir_lock.h"
#include "app/base/log_setup.h"
#include "app/base/unix_signals.h"
#include "app/cli/console.h"
#include "services/core/logging.h"

#include <QCoreApplication>
#include <QScopeGuard>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace app {

namespace {

/// On stderr of this process, and in the log once there is one.
int refused(const QString& program, const QString& message, bool logged)
{
    if (logged)
        qCCritical(core::lcApp).noquote() << message;
    complain(program, message);
    return commands::exits::refused;
}

} // namespace

int runDaemon(const CommandLine& line, const commands::Surroundings& around)
{
    bool logged = false;
    const auto closeLog = qScopeGuard([] { endLog(); });
    const auto say = [&](const QString& message) { return refused(around.program, message, logged); };
    const Result<Paths> paths = resolvePaths(line.value(u"data-dir"_s), around.environment, around.workingDirectory);
    if (!paths)
        return say(paths.error().message);
    DataDirLock lock;
    if (auto claimed = claimDataDir(line, around, *paths, lock, logged); !claimed)
        return say(claimed.error().message);

    UnixSignals unixSignals;
    int ending = 0;
    QObject::connect(&unixSignals, &UnixSignals::received, qApp, [&](int number) {
        ending = number;
        QCoreApplication::quit();
    });
    ServiceRuntime host(line, around, *paths);
    const Result<QUrl> url = host.open();
    if (!url)
        return say(url.error().message);
    const QString shown = url->toString(QUrl::StripTrailingSlash);
    qCInfo(core::lcApp).noquote() << u"listening on"_s << shown;
    std::printf("listening on %s\n", qUtf8Printable(shown));
    std::fflush(stdout);
    if (ending == 0)
        QCoreApplication::exec();
    qCInfo(core::lcApp) << "ending on signal" << ending;
    host.close();
    return commands::exits::done;
}

} // namespace app
