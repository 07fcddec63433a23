// SPDX-License-Identifier: GPL-3.0-or-later
// `service …`, `completion` and `manual`: what concerns this computer rather than a service's trials.
#include "service_unit.h"
#include "verbs.h"
#include "watch.h"

#include "app/base/data_dir_lock.h"
#include "app/client/service_locator.h"
#include "services/core/files/atomic_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>

#include <csignal>

using namespace Qt::StringLiterals;

namespace commands {

namespace {

/// Trials of all experiments, by status.
Result<Counts> allCounts(ServiceClient& client)
{
    const Result<Json> reply = client.get(u"/experiments"_s);
    if (!reply)
        return fail(reply);
    Counts all;
    for (const Json& experiment : listOf(*reply, "experiments")) {
        const Counts counts = countsOf(experiment);
        for (auto it = counts.begin(); it != counts.end(); ++it)
            all[it.key()] += it.value();
    }
    return all;
}

Result<> systemctl(const QStringList& arguments)
{
    QProcess process;
    process.start(u"systemctl"_s, QStringList{u"--user"_s} + arguments);
    if (!process.waitForFinished(30'000))
        return fail(Kind::timeout, u"systemctl --user %1 did not end within 30 seconds."_s.arg(arguments.join(u' ')));
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        return fail(Kind::resource,
            u"systemctl --user %1 failed: %2"_s.arg(
                arguments.join(u' '), QString::fromLocal8Bit(process.readAllStandardError()).trimmed()));
    return {};
}

} // namespace

int serviceInstall(Context& context)
{
    Console& console = context.console();
    const Surroundings& around = context.surroundings();
    const Result<Paths> paths = context.paths();
    if (!paths)
        return context.failed(paths);
    const QString runtime = around.environment.value(u"XDG_RUNTIME_DIR"_s);
    if (QStandardPaths::findExecutable(u"systemctl"_s).isEmpty() || runtime.isEmpty()
        || !QFileInfo::exists(runtime + u"/systemd"_s))
        return context.failed(core::Error{Kind::resource,
            u"There is no systemd for users here, so nothing was installed. `%1 --serve` runs the service in a "
            u"terminal, and any verb that "
            "needs it starts it in the background."_s.arg(around.program),
            {}});

    const QString configHome =
        around.environment.value(u"XDG_CONFIG_HOME"_s, around.environment.value(u"HOME"_s) + u"/.config"_s);
    const QString folder = configHome + u"/systemd/user"_s;
    const QString keeper = findKeeper(around.programFolder);
    if (keeper.isEmpty())
        return context.failed(core::Error{Kind::not_found,
            u"The program trialkeeper is missing: it belongs beside this one, in %1, or in ../libexec/trialdeck."_s.arg(
                around.programFolder),
            {}});
    const QString daemon = findDaemon(around.programFolder, around.programFolder + u'/' + around.program);
    if (!QDir().mkpath(folder))
        return context.failed(core::Error{Kind::resource, u"The folder %1 cannot be made."_s.arg(folder), {}});
    const QList<UnitFile> units = userUnits(daemon, keeper, paths->ownFolder ? paths->data : QString());
    for (const UnitFile& unit : units) {
        if (const Result<> written = core::writeAtomically(folder + u'/' + unit.name, unit.text); !written)
            return context.failed(written);
    }
    const QString file = folder + u'/' + units.first().name;
    const std::optional<qint64> running = DataDirLock::holder(paths->lockFile());
    if (auto done = systemctl({u"daemon-reload"_s}); !done)
        return context.failed(done);
    if (auto done = systemctl(running ? QStringList{u"enable"_s, u"trialdeck.service"_s}
                                      : QStringList{u"enable"_s, u"--now"_s, u"trialdeck.service"_s});
        !done)
        return context.failed(done);
    if (console.json()) {
        context.printJson(Json{{"unit", file}, {"started", !running}});
        return exits::done;
    }
    console.print(u"Installed %1."_s.arg(file));
    if (running)
        console.note(
            u"A service runs already (process %1). Hand over to systemd with: %2 service stop && systemctl --user start trialdeck"_s
                .arg(*running)
                .arg(context.self()));
    console.note(u"To keep it running while you are logged out: loginctl enable-linger"_s);
    return exits::done;
}

int serviceStatus(Context& context)
{
    Console& console = context.console();
    const Result<Paths> paths = context.paths();
    if (!paths)
        return context.failed(paths);
    const Result<ServiceClient*> client = context.clientIfRunning();
    if (!client) {
        if (client.error().kind == Kind::network && console.json())
            context.printJson(Json{{"running", false}});
        return context.failed(client);
    }
    const Endpoint& endpoint = (*client)->endpoint();
    const Result<Json> health = (*client)->get(u"/health"_s);
    if (!health)
        return context.failed(health);
    const Result<Json> version = (*client)->get(u"/version"_s);
    if (!version)
        return context.failed(version);
    const Result<Counts> counts = allCounts(**client);
    if (!counts)
        return context.failed(counts);
    const qint64 uptime = numberOf(*health, "uptimeSeconds").value_or(0);
    if (console.json()) {
        Json trials = Json::object();
        for (auto it = counts->begin(); it != counts->end(); ++it)
            trials[it.key().toStdString()] = it.value();
        context.printJson(Json{{"running", true}, {"url", endpoint.url}, {"pid", endpoint.pid},
            {"uptimeSeconds", uptime}, {"version", textOf(*version, "version")}, {"trials", trials}});
        return exits::done;
    }
    if (console.quiet()) {
        console.print(endpoint.url);
        return exits::done;
    }
    const bool own = endpoint.pid > 0;
    context.printPairs({{u"service"_s, Cell(u"running"_s, Role::good)}, {u"url"_s, endpoint.url},
        {u"process"_s, own ? QString::number(endpoint.pid) : QString()}, {u"version"_s, textOf(*version, "version")},
        {u"up"_s, humanDuration(uptime * 1'000)}, {u"trials"_s, countsText(*counts)},
        {u"data"_s, own ? paths->data : QString()}, {u"log"_s, own ? paths->logFile() : QString()}});
    return exits::done;
}

int serviceStop(Context& context)
{
    Console& console = context.console();
    if (context.line().has(u"url"_s))
        return context.usage(
            u"`service stop` ends the service of a data directory of this computer; --url is not for it."_s);
    const Result<Paths> paths = context.paths();
    if (!paths)
        return context.failed(paths);
    const std::optional<qint64> holder = DataDirLock::holder(paths->lockFile());
    if (!holder) {
        if (console.json())
            context.printJson(Json{{"stopped", false}, {"running", false}});
        else
            console.note(u"No service runs for %1."_s.arg(paths->data));
        return exits::done;
    }
    if (*holder <= 0)
        return context.failed(
            core::Error{Kind::conflict, u"A service is starting just now; try again in a moment."_s, {}});

    // The lock has the process id, the endpoint only the address. The reply is used in the sentence below and may be missing.
    Counts counts;
    if (const Result<Endpoint> endpoint = readEndpoint(paths->endpointFile()); endpoint && endpoint->pid == *holder)
        if (const Result<QByteArray> token = readToken(endpoint->tokenFile)) {
            ServiceClient client(*endpoint, *token);
            counts = allCounts(client).value_or(Counts());
        }
    if (::kill(pid_t(*holder), SIGTERM) != 0)
        return context.failed(core::Error{
            Kind::resource, u"The service (process %1) cannot be ended: it is another user's."_s.arg(*holder), {}});
    QElapsedTimer clock;
    clock.start();
    const double patience = context.line().seconds(u"timeout"_s).value_or(30);
    while (DataDirLock::holder(paths->lockFile()) == holder) {
        if (double(clock.elapsed()) > patience * 1'000)
            return context.failed(core::Error{Kind::timeout,
                u"The service (process %1) was told to end, and has not after %2 seconds."_s.arg(*holder).arg(patience),
                {}});
        QEventLoop loop;
        QTimer::singleShot(50, &loop, &QEventLoop::quit);
        loop.exec();
    }
    const qint64 running = counts.value(u"RUNNING"_s) + counts.value(u"UNKNOWN"_s);
    const qint64 waiting = counts.value(u"WAITING"_s);
    if (console.json()) {
        context.printJson(
            Json{{"stopped", true}, {"pid", *holder}, {"runningTrials", running}, {"waitingTrials", waiting}});
        return exits::done;
    }
    QString sentence = u"Stopped the service (process %1)."_s.arg(*holder);
    if (running > 0)
        sentence += running == 1 ? u" 1 trial goes on running."_s : u" %1 trials go on running."_s.arg(running);
    if (waiting > 0)
        sentence += waiting == 1 ? u" 1 that waits starts when the service runs again."_s
                                 : u" %1 that wait start when the service runs again."_s.arg(waiting);
    console.print(sentence);
    return exits::done;
}

int manual(Context& context)
{
    context.console().raw(manualPage(QCoreApplication::applicationVersion()).toUtf8());
    return exits::done;
}

int completion(Context& context)
{
    context.console().raw(completionScript(context.line().arguments[0]).toUtf8());
    return exits::done;
}

} // namespace commands
