// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_platform.h"

#include "command_calls.h"
#include "rest_calls.h"
#include "rest_token.h"
#include "slurm_wire.h"

#include "services/core/user_name.h"
#include "services/platforms/commands/local_command_host.h"
#include "services/platforms/commands/ssh_command_host.h"
#include "services/platforms/remote/remote_questions.h"
#include "services/platforms/slurm/slurm_fields.h"
#include "services/platforms/slurm/slurm_options.h"
#include "services/platforms/slurm/slurm_values.h"

#include <QDir>
#include <QFile>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace platforms {

SlurmPlatform::SlurmPlatform(transport::SshHub* hub, QObject* parent)
    : ClusterPlatform(parent)
    , m_hub(hub)
{
}

SlurmPlatform::~SlurmPlatform() = default;

KindDescription SlurmPlatform::describe() const
{
    return slurm::slurmKind();
}

Result<Json> SlurmPlatform::completed(Json settings, const Json& earlier) const
{
    Q_UNUSED(earlier)
    const QString folder = textOf(settings, "workingDirectory");
    if (!QDir::isAbsolutePath(folder))
        return fail(Kind::invalid, u"workingDirectory: an absolute path is needed, not \"%1\"."_m.arg(folder));
    if (textOf(settings, "transport") == "ssh"_L1 && textOf(settings, "host").isEmpty())
        return fail(Kind::invalid, u"host: a login node is needed to call Slurm's commands over SSH."_m);
    if (textOf(settings, "transport") == "rest"_L1 && textOf(settings, "restToken").isEmpty()
        && textOf(settings, "restTokenFile").isEmpty())
        return fail(Kind::invalid, u"restToken: slurmrestd needs a token, here or in a file (restTokenFile)."_m);
    slurm::ScriptValues values;
    if (const Result<> applied = slurm::applyOptions(values, settings, Json::object()); !applied)
        return fail(applied);
    return settings;
}

Result<> SlurmPlatform::checkOptions(const Json& settings, const Json& options) const
{
    slurm::ScriptValues values;
    return slurm::applyOptions(values, settings, options);
}

Result<std::unique_ptr<ClusterWire>> SlurmPlatform::makeWire(const Json& settings, const Context& context) const
{
    auto wire = wireOf(settings, context);
    if (!wire)
        return fail(wire);
    return std::unique_ptr<ClusterWire>(std::move(*wire));
}

Result<std::unique_ptr<slurm::SlurmCalls>> SlurmPlatform::restCallsOf(const Json& settings, const Context& context)
{
    slurm::RestCalls::Plan plan;
    plan.http.base = QUrl(textOf(settings, "restUrl"), QUrl::StrictMode);
    if (const QString file = textOf(settings, "restCaFile"); !file.isEmpty()) {
        QFile authorities(file);
        if (!authorities.open(QIODevice::ReadOnly))
            return fail(Kind::invalid, u"restCaFile: %1 cannot be read (%2)."_m.arg(file, authorities.errorString()));
        plan.http.tls.authorities = authorities.read(qint64(1024) * 1024);
    }
    plan.user = textOf(settings, "restUser").toUtf8();
    if (plan.user.isEmpty())
        plan.user = userName(::getuid()).toUtf8();
    plan.tokens = std::make_unique<slurm::RestToken>(
        transport::Secret(textOf(settings, "restToken")), textOf(settings, "restTokenFile"));
    plan.clock = context.clock;
    plan.stop = context.stop;
    auto calls = slurm::RestCalls::make(std::move(plan));
    if (!calls)
        return fail(calls);
    return std::unique_ptr<slurm::SlurmCalls>(std::move(*calls));
}

Result<std::unique_ptr<slurm::SlurmWire>> SlurmPlatform::wireOf(const Json& settings, const Context& context) const
{
    std::unique_ptr<CommandHost> host;
    std::unique_ptr<slurm::SlurmCalls> calls;
    if (textOf(settings, "transport") == "ssh"_L1) {
        SshCommandPlan plan;
        plan.wish.host = textOf(settings, "host");
        if (const Json* port = memberOf(settings, "port"); port && port->is_number_integer())
            plan.wish.port = port->get<int>();
        if (const QString user = textOf(settings, "user"); !user.isEmpty())
            plan.wish.user = user;
        plan.wish.keyFile = textOf(settings, "sshKeyFile");
        plan.wish.password = transport::Secret(textOf(settings, "password"));
        plan.wish.passphrase = transport::Secret(textOf(settings, "sshPassphrase"));
        plan.wish.ownKnownHosts = context.dataDir + u"/known_hosts"_s;
        auto questions = std::make_shared<RemoteQuestions>(context, plan.wish.host);
        plan.ask = questions->asker();
        m_questions.append(std::move(questions));
        host = std::make_unique<SshCommandHost>(m_hub, std::move(plan));
    } else {
        host = std::make_unique<LocalCommandHost>(context.clock);
    }
    if (textOf(settings, "transport") == "rest"_L1) {
        auto made = restCallsOf(settings, context);
        if (!made)
            return fail(made);
        calls = std::move(*made);
    } else {
        calls = std::make_unique<slurm::CommandCalls>(host.get(), textOf(settings, "slurmConf"), context.stop);
    }
    return std::make_unique<slurm::SlurmWire>(settings, context, std::move(host), std::move(calls));
}

Task<Result<QStringList>> SlurmPlatform::choices(QString field, Json partialSettings, Context context)
{
    if (field == u"host"_s) {
        auto asking = m_hub->configuredHosts();
        co_return co_await asking;
    }
    if (field != u"partition"_s && field != u"gpuType"_s)
        co_return QStringList();
    auto made = wireOf(partialSettings, context);
    if (!made)
        co_return fail(made);
    auto asking = field == u"partition"_s ? (*made)->partitionNames() : (*made)->gpuTypes();
    Result<QStringList> names = co_await asking;
    co_await (*made)->close();
    co_return names;
}

} // namespace platforms
