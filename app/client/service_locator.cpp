// SPDX-License-Identifier: GPL-3.0-or-later
#include "service_locator.h"

#include "app/base/data_dir_lock.h"
#include "app/base/log_setup.h"
#include "app/base/own_files.h"

#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QProcess>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Kind;

namespace {

using Client = std::unique_ptr<ServiceClient>;

Result<Client> connectTo(Endpoint endpoint, const QString& tokenFile, bool insecure = false)
{
    if (!tokenFile.isEmpty())
        endpoint.tokenFile = tokenFile;
    QByteArray token;
    if (!endpoint.tokenFile.isEmpty()) {
        const Result<QByteArray> read = readToken(endpoint.tokenFile);
        if (!read)
            return fail(read);
        token = *read;
    }
    return std::make_unique<ServiceClient>(endpoint, token, insecure);
}

bool healthy(const Endpoint& endpoint)
{
    ServiceClient client(endpoint, {});
    HttpCall call;
    call.path = u"/health"_s;
    call.timeoutMs = 2'000;
    return client.send(call).has_value();
}

void rest(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

/// The endpoint that the holder of the lock published, once it answers.
std::optional<Endpoint> published(const Paths& paths)
{
    const Result<Endpoint> endpoint = endpointOf(paths);
    return endpoint && healthy(*endpoint) ? std::optional(*endpoint) : std::nullopt;
}

Result<Client> startService(const ServiceWish& wish, const std::function<void(const QString&)>& note)
{
    if (auto made = makeFolders(wish.paths); !made)
        return fail(Kind::network, made.error().message);
    QProcess process;
    process.setProgram(wish.daemon);
    QStringList arguments{u"--serve"_s};
    if (!wish.dataDir.isEmpty())
        arguments += {u"--data-dir"_s, wish.dataDir};
    process.setArguments(arguments);
    process.setWorkingDirectory(wish.paths.data); // It must not hold on to the folder that we were called in.
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(wish.paths.logFile(), QIODevice::Append);
    process.setStandardErrorFile(wish.paths.logFile(), QIODevice::Append);
    qint64 pid = 0;
    if (!process.startDetached(&pid)) // In a session of its own, so our terminal's signals do not reach it.
        return fail(Kind::network,
            u"No service runs, and %1 could not be started: %2."_s.arg(wish.daemon, process.errorString()));
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < wish.patienceMs) {
        rest(clock.elapsed() < 500 ? 20 : 100);
        if (const std::optional<Endpoint> endpoint = published(wish.paths)) {
            note(endpoint->pid == pid
                    ? u"Started the service in the background (process %1, %2)."_s.arg(pid).arg(endpoint->url)
                    : u"Using the service that was just started (process %1, %2)."_s.arg(endpoint->pid)
                          .arg(endpoint->url));
            return connectTo(*endpoint, wish.tokenFile);
        }
        if (!processAlive(pid) && !DataDirLock::holder(wish.paths.lockFile()))
            return fail(Kind::network,
                u"The service was started and ended at once. The end of its log, %1:\n%2"_s.arg(
                    wish.paths.logFile(), lastLines(wish.paths.logFile(), 5)));
    }
    return fail(Kind::network,
        u"The service was started (process %1), but did not answer within %2 seconds. Its log is %3."_s.arg(pid)
            .arg(wish.patienceMs / 1'000)
            .arg(wish.paths.logFile()));
}

} // namespace

Result<Endpoint> endpointOf(const Paths& paths)
{
    const std::optional<qint64> holder = DataDirLock::holder(paths.lockFile());
    if (!holder)
        return fail(Kind::network, u"No service runs for %1."_s.arg(paths.data));
    Result<Endpoint> endpoint = readEndpoint(paths.endpointFile());
    if (!endpoint || endpoint->pid != *holder) // a file that a service before this one has left says nothing
        return fail(Kind::network,
            u"The service of %1 (process %2) runs, but does not say where it is reached."_s.arg(paths.data)
                .arg(*holder));
    return endpoint;
}

Result<Client> locateService(const ServiceWish& wish, const std::function<void(const QString&)>& note)
{
    if (!wish.url.isEmpty()) {
        const QUrl url(wish.url, QUrl::StrictMode);
        if (!url.isValid() || url.host().isEmpty() || (url.scheme() != u"http"_s && url.scheme() != u"https"_s))
            return fail(Kind::invalid,
                u"`%1` is no url of a service; write for example http://127.0.0.1:8643."_s.arg(wish.url));
        Endpoint endpoint{wish.url};
        // The service of the data directory may be named by its url, too: its token is at hand.
        const Result<Endpoint> own = readEndpoint(wish.paths.endpointFile());
        if (own && QUrl(own->url) == url && DataDirLock::holder(wish.paths.lockFile()) == own->pid)
            endpoint = *own;
        return connectTo(endpoint, wish.tokenFile, wish.insecure);
    }
    if (auto own = requireOwnFolder(wish.paths.data); !own)
        return fail(own);
    QElapsedTimer clock;
    clock.start();
    Result<Endpoint> endpoint = fail(Kind::network, QString());
    do {
        if (!DataDirLock::holder(wish.paths.lockFile())) // Also when one that was ending has ended while we waited.
            return wish.mayStart
                ? startService(wish, note)
                : fail(Kind::network,
                    u"No service runs for %1. Start it with `trialdeck --serve`, or leave out --no-start."_s.arg(
                        wish.paths.data));
        endpoint = endpointOf(wish.paths);
        // A service that was just killed may seem to hold its lock, and its socket to listen (DataDirLock). The process of one in another
        // container is not seen from here, but it answers.
        if (endpoint && (processAlive(endpoint->pid) || healthy(*endpoint)))
            return connectTo(*endpoint, wish.tokenFile);
        rest(50);
    } while (clock.elapsed() < wish.patienceMs);
    return endpoint ? fail(Kind::network,
               u"The service at %1 (process %2) does not answer."_s.arg(endpoint->url).arg(endpoint->pid))
                    : Result<Client>(fail(endpoint));
}

QString findDaemon(const QString& programFolder, const QString& ourselves)
{
    const QFileInfo daemon(programFolder + u"/trialdeckd"_s);
    return daemon.isExecutable() ? daemon.absoluteFilePath() : ourselves;
}

} // namespace app
