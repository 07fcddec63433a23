// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_daemon.h"

#include "composition.h"
#include "data_dir_lock.h"
#include "log_setup.h"
#include "unix_signals.h"

#include "services/core/logging.h"
#include "services/http/api_server.h"

#include <QCoroTask>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QScopeGuard>

#include <csignal>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Kind;

namespace {

constexpr quint16 usualPort = 8643;

/// A thousand connections and the trials' files need more than the usual 1,024 descriptors.
void raiseFileLimit()
{
    rlimit limit = {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    const rlim_t wanted = limit.rlim_max == RLIM_INFINITY ? 65'536 : std::min<rlim_t>(limit.rlim_max, 65'536);
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/// A write to a closed pipe is an error and not our end. A handler instead of SIG_IGN: trials would inherit the latter.
void survivePipes()
{
    struct sigaction action = {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGPIPE, &action, nullptr);
}

/// On stderr for whoever started us, and in the log once there is one.
int refused(const QString& program, const QString& message, bool logged)
{
    if (logged)
        qCCritical(core::lcApp).noquote() << message;
    std::fprintf(stderr, "%s: %s\n", qUtf8Printable(program), qUtf8Printable(message));
    return commands::exits::refused;
}

/// Where a client on this computer reaches the service: not by the name that others know it by, which need not resolve here.
QString reachable(QUrl url, const QString& address)
{
    if (address == u"0.0.0.0")
        url.setHost(u"127.0.0.1"_s);
    else if (address == u"::")
        url.setHost(u"::1"_s);
    return url.toString(QUrl::StripTrailingSlash);
}

http::ApiConfig apiConfig(
    const CommandLine& line, const Paths& paths, const QByteArray& token, const QStringList& kinds)
{
    http::ApiConfig config;
    config.port = usualPort;
    config.fallBackToFreePort = true;
    if (line.has(u"listen"_s)) {
        const ListenAddress address =
            parseListenAddress(line.value(u"listen"_s)).value_or(ListenAddress{u"127.0.0.1"_s, 0});
        config.address = address.host;
        config.port = address.port;
        config.fallBackToFreePort = false;
    }
    config.token = token;
    config.insecure = line.has(u"insecure"_s);
    if (line.has(u"tls-cert"_s)) {
        config.tlsCert = QFileInfo(line.value(u"tls-cert"_s)).absoluteFilePath();
        config.tlsKey = QFileInfo(line.value(u"tls-key"_s)).absoluteFilePath();
    }
    config.uploadDir = paths.data + u"/uploads"_s;
    config.platformKinds = kinds;
    return config;
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
    if (auto made = makeFolders(*paths); !made)
        return say(made.error().message);
    // The lock before the log: a second service must not write into, or rotate, the log of the first.
    DataDirLock lock;
    if (auto taken = lock.take(paths->lockFile(), paths->endpointFile()); !taken)
        return say(taken.error().message);
    LogConfig log;
    log.file = paths->logFile();
    log.journal =
        around.environment.contains(u"JOURNAL_STREAM"_s) && ::isatty(STDERR_FILENO) == 0 && !line.has(u"verbose"_s);
    log.toStderr = line.has(u"verbose"_s);
    if (auto ready = setUpLog(log); !ready)
        return say(ready.error().message);
    logged = true;

    UnixSignals unixSignals;
    int ending = 0;
    QObject::connect(&unixSignals, &UnixSignals::received, qApp, [&](int number) {
        ending = number;
        QCoreApplication::quit();
    });
    survivePipes();
    raiseFileLimit();

    const QString tokenFile = line.has(u"token-file"_s)
        ? QDir(around.workingDirectory).absoluteFilePath(line.value(u"token-file"_s))
        : paths->tokenFile();
    const Result<QByteArray> token = ensureToken(tokenFile);
    if (!token)
        return say(token.error().message);
    const Result<QString> serviceId = ensureServiceId(paths->serviceIdFile());
    if (!serviceId)
        return say(serviceId.error().message);
    const QString keeper = findKeeper(around.programFolder);
    if (keeper.isEmpty())
        return say(
            u"The program trialkeeper is missing: it belongs beside this one, in %1, or in ../libexec/trialdeck."_s.arg(
                around.programFolder));
    qCInfo(core::lcApp).noquote() << u"Trialdeck %1 starts, process %2, data in %3"_s.arg(
        QStringLiteral(TRIALDECK_VERSION), QString::number(::getpid()), paths->data);

    Composition composition(*paths, *serviceId, keeper, around.environment);
    int exit = commands::exits::done;
    const Result<> opened = QCoro::waitFor(composition.engine().open());
    if (!opened) {
        exit = say(opened.error().message);
    } else {
        const http::ApiConfig config = apiConfig(line, *paths, *token, composition.platformKinds());
        http::ApiServer server(config, composition.engine());
        const Result<QUrl> url = server.start();
        Result<> published;
        if (url) {
            Endpoint endpoint{reachable(*url, config.address), tokenFile, ::getpid(), {}};
            if (line.has(u"tls-cert"_s))
                endpoint.certificate = QFileInfo(line.value(u"tls-cert"_s)).absoluteFilePath();
            published = writeEndpoint(paths->endpointFile(), endpoint);
        }
        if (!url || !published) {
            exit = say(url ? published.error().message : url.error().message);
        } else {
            const QString shown = url->toString(QUrl::StripTrailingSlash);
            qCInfo(core::lcApp).noquote() << u"listening on"_s << shown;
            std::printf("listening on %s\n", qUtf8Printable(shown));
            std::fflush(stdout);
            if (ending == 0)
                QCoreApplication::exec();
            qCInfo(core::lcApp) << "ending on signal" << ending;
            QFile::remove(paths->endpointFile()); // First: nobody new should come.
        }
        server.stop();
    }
    QCoro::waitFor(composition.engine().close());
    qCInfo(core::lcApp) << "ended";
    return exit;
}

} // namespace app
