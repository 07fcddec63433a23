// SPDX-License-Identifier: GPL-3.0-or-later
#include "service_runtime.h"

#include "composition.h"
#include "ingest_setup.h"
#include "token_store.h"

#include "app/base/data_dir_lock.h"
#include "app/base/log_setup.h"
#include "app/base/own_files.h"
#include "services/core/files/atomic_file.h"
#include "services/core/logging.h"
#include "services/http/api_server.h"

#include <QCoroTask>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <csignal>
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
    config.auditFile = paths.auditFile();
    config.socket = paths.socketFile();
    config.uploadDir = paths.data + u"/uploads"_s;
    config.platformKinds = kinds;
    return config;
}

/// `isOurs`: the token of the data directory, which nobody else is to read. One that was named may be shared with a group.
Result<> requireOwnToken(const QString& file, bool isOurs)
{
    bool closed = false;
    if (auto own = requireOwnFile(file, isOurs, &closed); !own)
        return own;
    if (closed)
        qCWarning(core::lcApp).noquote()
            << u"Others could read the token %1; now only this user can. Make a new one with `trialdeck token rotate`."_s
                   .arg(file);
    return {};
}

} // namespace

Result<> claimDataDir(
    const CommandLine& line, const commands::Surroundings& around, const Paths& paths, DataDirLock& lock, bool& logged)
{
    if (auto made = makeFolders(paths); !made)
        return made;
    if (auto taken = lock.take(paths.lockFile(), paths.endpointFile()); !taken)
        return taken;
    LogConfig log;
    log.file = paths.logFile();
    log.journal =
        around.environment.contains(u"JOURNAL_STREAM"_s) && ::isatty(STDERR_FILENO) == 0 && !line.has(u"verbose"_s);
    log.toStderr = line.has(u"verbose"_s);
    if (auto ready = setUpLog(log); !ready)
        return ready;
    logged = true;
    return {};
}

/// What a service that was killed was receiving and writing. Called while the store is ours, so that no other service is at it.
static void removeLeftovers(const Paths& paths)
{
    const auto removeAll = [](const QString& folder, const QString& names) {
        QDir dir(folder);
        for (const QString& name : dir.entryList({names}, QDir::Files | QDir::Hidden)) {
            qCInfo(core::lcApp).noquote() << "removes what was never finished:" << dir.filePath(name);
            dir.remove(name);
        }
    };
    removeAll(paths.data + u"/uploads"_s, u"upload-*"_s);
    for (const QString& folder : {paths.data, paths.config, paths.config + u"/platforms"_s})
        removeAll(folder, u"%1*"_s.arg(core::temporaryPrefix));
}

struct ServiceRuntime::Parts
{
    std::unique_ptr<Composition> composition;
    std::unique_ptr<http::ApiServer> server;
    std::unique_ptr<http::IngestServer> ingest; ///< stops before the server
    bool opened = false;
};

ServiceRuntime::ServiceRuntime(CommandLine line, commands::Surroundings around, Paths paths)
    : m_line(std::move(line))
    , m_around(std::move(around))
    , m_paths(std::move(paths))
    , m_parts(std::make_unique<Parts>())
{
}

ServiceRuntime::~ServiceRuntime() = default;

api::EnginePort& ServiceRuntime::port()
{
    return m_parts->composition->engine();
}

Result<QUrl> ServiceRuntime::open()
{
    survivePipes();
    raiseFileLimit();
    // The token file of --connect and --url is another service's.
    const QString tokenFile = m_line.has(u"serve"_s) && m_line.has(u"token-file"_s)
        ? QDir(m_around.workingDirectory).absoluteFilePath(m_line.value(u"token-file"_s))
        : m_paths.tokenFile();
    const Result<> ownToken = requireOwnToken(tokenFile, tokenFile == m_paths.tokenFile());
    if (!ownToken)
        return fail(ownToken);
    const Result<QList<http::TokenRecord>> moreTokens = readTokens(m_paths.tokensFile());
    if (!moreTokens)
        return fail(moreTokens);
    const Result<QByteArray> token = ensureToken(tokenFile);
    if (!token)
        return fail(token);
    const Result<QString> serviceId = ensureServiceId(m_paths.serviceIdFile());
    if (!serviceId)
        return fail(serviceId);
    const Result<QByteArray> placementKey = ensureToken(m_paths.placementKeyFile());
    if (!placementKey)
        return fail(placementKey);
    Result<std::optional<IngestSetup>> ingest = setUpIngest(m_line, m_paths);
    if (!ingest)
        return fail(ingest);
    const engine::IngestAccess access = *ingest ? (*ingest)->access : engine::IngestAccess{};
    const QString keeper = findKeeper(m_around.programFolder);
    if (keeper.isEmpty())
        return fail(Kind::not_found,
            u"The program trialkeeper is missing: it belongs beside this one, in %1, or in ../libexec/trialdeck."_s.arg(
                m_around.programFolder));
    qCInfo(core::lcApp).noquote() << u"Trialdeck %1 starts, process %2, data in %3"_s.arg(
        QStringLiteral(TRIALDECK_VERSION), QString::number(::getpid()), m_paths.data);

    m_parts->composition =
        std::make_unique<Composition>(m_paths, *serviceId, *placementKey, access, keeper, m_around.environment);
    if (const Result<> opened = QCoro::waitFor(m_parts->composition->engine().open()); !opened) {
        QCoro::waitFor(m_parts->composition->engine().close());
        return fail(opened);
    }
    m_parts->opened = true;
    removeLeftovers(m_paths);
    http::ApiConfig config = apiConfig(m_line, m_paths, *token, m_parts->composition->platformKinds());
    config.moreTokens = *moreTokens;
    config.saveTokens = [tokensFile = m_paths.tokensFile(), tokenFile](
                            const QByteArray& owner, const QList<http::TokenRecord>& others) {
        return saveTokens(tokensFile, others, tokenFile, owner);
    };
    config.ingestUrl = access.url;
    m_parts->server = std::make_unique<http::ApiServer>(config, m_parts->composition->engine());
    Result<QUrl> url = m_parts->server->start();
    Result<> published;
    if (url && *ingest) {
        m_parts->ingest = std::make_unique<http::IngestServer>(
            http::IngestConfig{access.key, {}}, *m_parts->server, m_parts->composition->engine());
        published = m_parts->ingest->start(std::move((*ingest)->socket));
        qCInfo(core::lcApp).noquote() << "trials post their metrics to" << access.url;
    }
    if (url && published) {
        Endpoint endpoint{reachable(*url, config.address), tokenFile, ::getpid(), {}};
        if (m_line.has(u"tls-cert"_s))
            endpoint.certificate = QFileInfo(m_line.value(u"tls-cert"_s)).absoluteFilePath();
        if (m_parts->server->hasSocket())
            endpoint.socket = config.socket;
        published = writeEndpoint(m_paths.endpointFile(), endpoint);
    }
    if (!url || !published) {
        close();
        return url ? Result<QUrl>(fail(published)) : url;
    }
    return url;
}

void ServiceRuntime::close()
{
    if (!m_parts->opened)
        return;
    m_parts->opened = false;
    QFile::remove(m_paths.endpointFile()); // First, so that no new client connects.
    m_parts->ingest.reset();
    if (m_parts->server)
        m_parts->server->stop();
    QCoro::waitFor(m_parts->composition->engine().close());
    m_parts->server.reset();
    m_parts->composition.reset();
    qCInfo(core::lcApp) << "ended";
}

} // namespace app
