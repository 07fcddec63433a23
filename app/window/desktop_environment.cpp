// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop_environment.h"

#include "archive_window.h"
#include "pull_plug.h"

#include "app/base/log_setup.h"
#include "app/client/code_archive.h"
#include "app/client/service_tunnel.h"
#include "app/commands/experiment_document.h"
#include "app/commands/run.h"
#include "app/service/own_engine.h"
#include "app/service/service_runtime.h"
#include "models/background.h"
#include "services/core/message/localized.h"
#include "services/client/http_engine_client.h"
#include "services/core/record_json.h"
#include "ui/kit/theme.h"
#include "ui/shell/prompt_dialog.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Kind;

Result<ui::Demo> readDemo(const QString& folder, const QProcessEnvironment& environment)
{
    if (folder.isEmpty())
        return fail(Kind::not_found, u"The demo's folder was not found beside this program."_s);
    Result<Json> document = commands::readExperimentFile(folder + u"/experiment.json"_s);
    if (!document)
        return fail(document);
    commands::addCallerEnvironment(*document, environment);
    Result<core::ExperimentSpec> spec = core::experimentSpecFromJson(*document);
    if (!spec)
        return fail(spec, folder);
    QFile file(folder + u"/trials.json"_s);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Kind::not_found, u"%1 cannot be read: %2."_s.arg(file.fileName(), file.errorString()));
    const Result<Json> extra = core::parseJson(file.readAll());
    if (!extra)
        return fail(extra, file.fileName());
    ui::Demo demo;
    demo.experiment = *spec;
    for (const Json& trial : extra->value("trials", Json::array())) {
        api::TrialSubmission request;
        request.parameters = core::dumpJson(trial.value("parameters", Json::object()));
        for (const Json& tag : trial.value("tags", Json::array()))
            request.tags += tag.get<QString>();
        demo.trials += request;
    }
    return demo;
}

DesktopEnvironment::DesktopEnvironment(CommandLine line, commands::Surroundings around)
    : m_line(std::move(line))
    , m_around(std::move(around))
{
}

DesktopEnvironment::~DesktopEnvironment()
{
    m_client.reset();
    m_lock.release();
    if (m_logged)
        endLog();
}

Result<> DesktopEnvironment::attach(const std::function<Result<Endpoint>()>& locate)
{
    const auto address = [locate, insecure = m_line.has(u"insecure"_s),
                             folder = QDir(m_around.workingDirectory)]() -> Result<client::ServiceAddress> {
        const Result<Endpoint> endpoint = locate();
        if (!endpoint)
            return fail(endpoint);
        Endpoint whole = *endpoint;
        whole.tokenFile = folder.absoluteFilePath(whole.tokenFile);
        const Result<QByteArray> token = readToken(whole.tokenFile);
        if (!token)
            return fail(token);
        const QUrl url(whole.url, QUrl::StrictMode);
        if (!url.isValid() || url.host().isEmpty() || (url.scheme() != u"http"_s && url.scheme() != u"https"_s))
            return fail(Kind::invalid,
                u"`%1` is no url of a service; write for example http://127.0.0.1:8643."_s.arg(whole.url));
        return addressOf(whole, *token, insecure);
    };
    client::HttpEngineClient::Config config;
    const Result<client::ServiceAddress> now = address();
    if (!now)
        return fail(now);
    config.service = *now;
    config.locate = address;
    config.metrics = "none"; // the window reads curves when it shows them
    m_client = std::make_unique<client::HttpEngineClient>(config);
    return {};
}

Result<> DesktopEnvironment::attachBySsh()
{
    const Result<Paths> paths =
        resolvePaths(m_line.value(u"data-dir"_s), m_around.environment, m_around.workingDirectory);
    if (!paths)
        return fail(paths);
    transport::SshAsk ask = [](core::Prompt prompt) -> core::Task<core::PromptAnswer> {
        co_return ui::askPrompt(prompt); // before there is a window
    };
    const Result<ServiceElsewhere> elsewhere = openBySsh(m_url, *paths, ask, true);
    if (!elsewhere)
        return fail(elsewhere);
    m_way = elsewhere->way;
    client::HttpEngineClient::Config config;
    Endpoint endpoint;
    endpoint.url = elsewhere->end.url;
    config.service = addressOf(endpoint, elsewhere->end.token, false);
    config.metrics = "none";
    m_client = std::make_unique<client::HttpEngineClient>(config);
    return {};
}

Result<> DesktopEnvironment::choose()
{
    if (m_line.has(u"connect"_s)) {
        m_url = m_line.value(u"connect"_s);
        if (m_url.startsWith(u"ssh://"_s))
            return attachBySsh();
        Endpoint endpoint;
        endpoint.url = m_url;
        endpoint.tokenFile = m_line.value(u"token-file"_s);
        return attach([endpoint]() -> Result<Endpoint> { return endpoint; });
    }
    Result<Paths> paths = resolvePaths(m_line.value(u"data-dir"_s), m_around.environment, m_around.workingDirectory);
    if (!paths)
        return fail(paths);
    m_paths = *paths;
    Result<> claimed = claimDataDir(m_line, m_around, m_paths, m_lock, m_logged);
    if (claimed) {
        auto own = std::make_unique<OwnEngine>(m_line, m_around, m_paths);
        m_own = own.get();
        m_client = std::move(own);
        return {};
    }
    if (claimed.error().kind != Kind::conflict)
        return claimed;
    // A service runs for this data directory: the window is one more client of it.
    ServiceWish wish;
    wish.paths = m_paths;
    wish.mayStart = false;
    const auto found = locateService(wish, [](const QString&) {});
    if (!found)
        return fail(found);
    return attach([paths = m_paths] { return endpointOf(paths); });
}

QString DesktopEnvironment::serviceName() const
{
    return m_url.isEmpty() ? tr("This computer") : QUrl(m_url).authority();
}

QString DesktopEnvironment::dataFolder() const
{
    return m_paths.data;
}

QString findDocument(const QString& path, const QString& programFolder, const QString& resources)
{
    const QString inResources = u"resources/"_s;
    QStringList files;
    if (!path.startsWith(inResources))
        files += programFolder + u"/../share/doc/trialdeck/"_s + path;
    if (!resources.isEmpty()) // installed, or in the source tree
        files += path.startsWith(inResources) ? resources + u'/' + path.mid(inResources.size())
                                              : resources + u"/../"_s + path;
    for (const QString& file : std::as_const(files))
        if (QFileInfo(file).isFile())
            return QDir::cleanPath(file);
    return {};
}

QString DesktopEnvironment::documentFile(const QString& path) const
{
    return findDocument(path, m_around.programFolder, m_around.resources);
}

Result<ui::Demo> DesktopEnvironment::demo() const
{
    if (!m_url.isEmpty())
        return fail(Kind::conflict,
            tr("The demo runs on the computer of its service: run `trialdeck --demo` there, or open a window of its "
               "own."));
    return readDemo(m_around.demoFolder, m_around.environment);
}

Result<models::ExperimentPlan> readPlan(
    const QString& file, const QProcessEnvironment& environment, const QStringList& ownFolders, bool serviceIsElsewhere)
{
    Result<commands::ExperimentDocument> document = commands::readExperimentDocument(file, environment, false);
    if (!document)
        return fail(document);
    Json& experiment = document->experiment;
    if (!experiment.contains("platformId"))
        experiment["platformId"] = document->kind.isEmpty() ? u"local"_s : document->kind;
    const Result<core::ExperimentSpec> spec = core::experimentSpecFromJson(experiment);
    if (!spec)
        return fail(spec, QFileInfo(file).fileName());
    models::ExperimentPlan plan;
    plan.file = file;
    plan.spec = *spec;
    plan.kind = document->kind;
    plan.settings = document->settings;
    plan.needsNni = document->needsNni;
    plan.notes = document->notes;
    Json caller = Json::object();
    commands::addCallerEnvironment(caller, environment);
    for (const auto& [name, value] : caller["environment"].items())
        plan.environment.insert(QString::fromStdString(name), value.get<QString>());
    // A folder that is not here may be one of the service's.
    if (serviceIsElsewhere && QFileInfo(plan.spec.codeDir).isDir()) {
        plan.spec.codeInPlace = false;
        plan.pack = [folder = plan.spec.codeDir, ownFolders]() -> Result<models::CodeArchive> {
            const Result<CodeArchive> packed = packFolder(folder, ownFolders);
            if (!packed)
                return fail(packed);
            return models::CodeArchive{packed->code.sha256, packed->code.path, packed->code.bytes, packed->place};
        };
    }
    const Result<Json> upload = commands::uploadList(core::toJson(plan.spec), ownFolders);
    if (!upload) {
        plan.codeProblem = core::localized(upload.error().message);
    } else if (upload->is_object()) {
        plan.bytes = (*upload)["bytes"].get<qint64>();
        for (const Json& entry : (*upload)["files"])
            plan.files.append({entry["path"].get<QString>(), entry["size"].get<qint64>()});
        for (const Json& finding : core::Json(upload->value("findings", Json::array())))
            plan.leftOut.append(finding["message"].get<QString>());
    }
    return plan;
}

void DesktopEnvironment::openOldExperiment(const QString& path, ui::Theme& theme, std::function<void(Result<>)> done)
{
    models::inBackground(
        this, [path] { return nni::readOldExperiment(path); },
        [this, path, &theme, done](const Result<nni::OldExperiment>& old) {
            if (old)
                new ArchiveWindow(*old, QFileInfo(path).isDir() ? path : QFileInfo(path).absolutePath(), theme, this);
            done(old ? Result<>() : Result<>(fail(old)));
        });
}

ui::WindowEnvironment::PlanReader DesktopEnvironment::planReader(const QString& file) const
{
    return [file, environment = m_around.environment, own = m_paths.folders(), elsewhere = isElsewhere(QUrl(m_url))] {
        return readPlan(file, environment, own, elsewhere);
    };
}

std::unique_ptr<ui::PlugRun> DesktopEnvironment::makePlugRun()
{
    return std::make_unique<PullPlug>(
        findDaemon(m_around.programFolder, m_around.programFolder + u'/' + m_around.program));
}

void DesktopEnvironment::keepRunning(std::function<void(Result<>)> done)
{
    Q_ASSERT(m_own);
    m_own->end([this, done] {
        m_lock.release();
        // Waits in an event loop of its own: the window stays alive meanwhile.
        const auto started = locateService(ownService(), [](const QString&) {});
        done(started ? Result<>() : Result<>(fail(started)));
    });
}

ServiceWish DesktopEnvironment::ownService() const
{
    ServiceWish wish;
    wish.paths = m_paths;
    wish.dataDir = m_paths.ownFolder ? m_paths.data : QString();
    wish.daemon = findDaemon(m_around.programFolder, m_around.programFolder + u'/' + m_around.program);
    return wish;
}

void DesktopEnvironment::runService(const QString& verb, std::function<void(Result<>)> done)
{
    const ServiceWish wish = ownService();
    if (dataFolder().isEmpty() || wish.daemon.isEmpty()) {
        done(fail(Kind::not_found,
            u"The program trialdeckd is missing beside this one, or the service is on another computer."_s));
        return;
    }
    auto* process = new QProcess(this);
    process->setProcessChannelMode(QProcess::MergedChannels);
    QStringList words;
    if (!wish.dataDir.isEmpty())
        words = {u"--data-dir"_s, wish.dataDir};
    // One of the two signals comes, and the process is deleted with it.
    connect(process, &QProcess::errorOccurred, this, [process, done](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        process->deleteLater();
        done(fail(Kind::resource, u"trialdeckd cannot be started: %1."_s.arg(process->errorString())));
    });
    connect(
        process, &QProcess::finished, this, [process, done = std::move(done)](int code, QProcess::ExitStatus status) {
            constexpr qsizetype longest = 4'096; // bytes of what it prints
            process->deleteLater();
            const QString said = QString::fromLocal8Bit(process->readAll().left(longest)).trimmed();
            done(status == QProcess::NormalExit && code == 0 ? Result<>() : Result<>(fail(Kind::resource, said)));
        });
    process->start(wish.daemon, words + QStringList{u"service"_s, verb});
}

void DesktopEnvironment::installService(std::function<void(Result<QString>)> done)
{
    runService(u"install"_s, [this, done](const Result<>& installed) {
        if (!installed)
            done(fail(installed));
        else
            done(m_own ? tr(
                     "Installed: the service starts with your next login. Until then it takes over when you close the "
                     "window and keep running.")
                       : tr("Installed: the service starts with your login."));
    });
}

void DesktopEnvironment::stopService(std::function<void(Result<>)> done)
{
    runService(u"stop"_s, std::move(done));
}

void DesktopEnvironment::reach(std::function<void(Result<>)> done)
{
    const bool isOfThisComputer = m_url.isEmpty() && !m_own;
    if (!isOfThisComputer || m_isReaching) {
        done({});
        return;
    }
    m_isReaching = true;
    const QPointer<DesktopEnvironment> self(this); // the window may be closed in the event loop that waits
    const auto reached = locateService(ownService(), [](const QString&) {});
    if (!self)
        return;
    m_isReaching = false;
    done(reached ? Result<>() : Result<>(fail(reached)));
}

} // namespace app
