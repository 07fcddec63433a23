// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_platform.h"

#include "slurm_wire.h"

#include "services/platforms/cluster/local_command_host.h"
#include "services/platforms/cluster/ssh_command_host.h"
#include "services/platforms/remote/remote_questions.h"
#include "services/platforms/slurm/slurm_fields.h"
#include "services/platforms/slurm/slurm_options.h"
#include "services/platforms/slurm/slurm_values.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace platforms {

using slurm::jsonMember;
using slurm::jsonText;

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
    const QString folder = jsonText(settings, "workingDirectory");
    if (!QDir::isAbsolutePath(folder))
        return fail(Kind::invalid, u"workingDirectory: an absolute path is needed, not \"%1\"."_m.arg(folder));
    if (jsonText(settings, "transport") == "ssh"_L1 && jsonText(settings, "host").isEmpty())
        return fail(Kind::invalid, u"host: a login node is needed to call Slurm's commands over SSH."_m);
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
    return std::unique_ptr<ClusterWire>(wireOf(settings, context));
}

std::unique_ptr<slurm::SlurmWire> SlurmPlatform::wireOf(const Json& settings, const Context& context) const
{
    std::unique_ptr<CommandHost> host;
    if (jsonText(settings, "transport") == "ssh"_L1) {
        SshCommandPlan plan;
        plan.wish.host = jsonText(settings, "host");
        if (const Json* port = jsonMember(settings, "port"); port && port->is_number_integer())
            plan.wish.port = port->get<int>();
        if (const QString user = jsonText(settings, "user"); !user.isEmpty())
            plan.wish.user = user;
        plan.wish.keyFile = jsonText(settings, "sshKeyFile");
        plan.wish.password = transport::Secret(jsonText(settings, "password"));
        plan.wish.passphrase = transport::Secret(jsonText(settings, "sshPassphrase"));
        plan.wish.ownKnownHosts = context.dataDir + u"/known_hosts"_s;
        auto questions = std::make_shared<RemoteQuestions>(context, plan.wish.host);
        plan.ask = questions->asker();
        m_questions.append(std::move(questions));
        host = std::make_unique<SshCommandHost>(m_hub, std::move(plan));
    } else {
        host = std::make_unique<LocalCommandHost>(context.clock);
    }
    return std::make_unique<slurm::SlurmWire>(settings, context, std::move(host));
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
    auto asking = field == u"partition"_s ? made->partitionNames() : made->gpuTypes();
    Result<QStringList> names = co_await asking;
    co_await made->close();
    co_return names;
}

} // namespace platforms
