// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote_platform.h"

#include "machine_names.h"
#include "remote_questions.h"

#include "services/platforms/platform_fields.h"
#include "services/transport/ssh/ssh_config.h"

#include <QCryptographicHash>

using namespace Qt::StringLiterals;

namespace platforms {

using transport::SshLink;
using transport::SshLinkPlan;
using transport::SshWish;

namespace {

QString textOf(const Json& json, const char* name)
{
    const auto found = json.find(name);
    return found == json.end() || !found->is_string() ? QString() : found->get<QString>();
}

Task<Result<>> trustHost(transport::SshHub* hub, SshWish wish, QString machine, QString fingerprint)
{
    if (wish.byProgram)
        co_return fail(Kind::invalid,
            u"%1 is reached by the program ssh, which keeps its own list of host keys: log in there once in a terminal."_m
                .arg(machine));
    const Result<transport::SshTarget> target = co_await hub->resolve(wish);
    if (!target)
        co_return fail(target);
    const Result<> trusted = co_await hub->trust(*target, fingerprint);
    co_return trusted;
}

} // namespace

RemotePlatform::RemotePlatform(transport::SshHub* hub, const transport::AgentReconnect& reconnect, QObject* parent)
    : HostPlatform(parent)
    , m_hub(hub)
    , m_reconnect(reconnect)
{
}

QList<Field> RemotePlatform::machineFields()
{
    QList<Field> fields{
        Field{.name = u"host"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Host"_m,
            .help = u"A name or address, or a Host of your ~/.ssh/config, whose settings then hold."_m,
            .choices = true},
        Field{.name = u"port"_s,
            .type = u"integer"_s,
            .title = u"Port"_m,
            .help = u"By default that of your SSH settings, else 22."_m},
        Field{.name = u"user"_s,
            .type = u"string"_s,
            .title = u"User"_m,
            .help = u"By default that of your SSH settings, else your name here."_m},
        Field{.name = u"password"_s,
            .type = u"string"_s,
            .secret = true,
            .title = u"Password"_m,
            .help = u"Better leave it empty and use a key; you are asked when one is needed."_m},
        Field{.name = u"sshKeyFile"_s,
            .type = u"file"_s,
            .title = u"Key file"_m,
            .help = u"This key alone is used, instead of those of your SSH settings and ssh-agent."_m},
        Field{.name = u"sshPassphrase"_s,
            .type = u"string"_s,
            .secret = true,
            .title = u"Passphrase of the key"_m,
            .help = u"You are asked when one is needed."_m},
    };
    fields += gpuFields();
    fields += QList<Field>{
        Field{.name = u"pythonPath"_s,
            .type = u"string"_s,
            .title = u"Folder of Python"_m,
            .help = u"Goes before PATH for trials, for example /opt/conda/bin."_m},
        Field{.name = u"preCommand"_s,
            .type = u"string"_s,
            .title = u"Command before"_m,
            .help = u"A line of shell that is run before the agent starts, for example `module load cuda`."_m},
        Field{.name = u"scratchDir"_s,
            .type = u"string"_s,
            .title = u"Folder for trials"_m,
            .help = u"Where trials run on this machine; by default ~/.local/share/trialdeck-agent."_m},
        Field{.name = u"name"_s,
            .type = u"string"_s,
            .title = u"Name"_m,
            .help =
                u"What the machine is called here; made from its address when it is added. a-z, 0-9, '.' and '-'."_m},
        Field{.name = u"useSshProgram"_s,
            .type = u"boolean"_s,
            .defaultValue = false,
            .title = u"Use the program ssh"_m,
            .help = u"For keys in hardware, GSSAPI or a ControlMaster: `ssh` makes the connection, and must not need "
                    "to ask."_m},
    };
    return fields;
}

KindDescription RemotePlatform::describe() const
{
    // Names as in NNI v2 (RemoteConfig); preCommand is NNI v1's, scratchDir and placement are ours.
    return KindDescription{
        .kind = u"remote"_s,
        .title = u"Machines over SSH"_m,
        .fields = {Field{.name = u"machineList"_s,
                       .type = u"list"_s,
                       .required = true,
                       .title = u"Machines"_m,
                       .help = u"Each needs an account with a shell, and nothing else."_m,
                       .items = machineFields()},
            placementField()},
        .capabilities = {.logs = true, .parameters = true, .machines = true, .placement = true, .files = true},
    };
}

Result<QList<HostSetup>> RemotePlatform::hosts(const Json& settings, const Context& context) const
{
    QList<HostSetup> setups;
    const Result<Json> list = withMachineNames(settings.at("machineList"), Json::array());
    if (!list)
        return fail(list);
    for (size_t i = 0; i < list->size(); ++i) {
        const Json& json = (*list)[i];
        const QString place = u"machineList[%1]"_s.arg(i);
        auto address = parseSshAddress(textOf(json, "host"));
        if (!address)
            return fail(address, place + u".host"_s);
        const qint64 asked = json.value("port", qint64(address->port));
        if (const Result<> checked = json.contains("port") ? checkSshPort(asked) : Result<>(); !checked)
            return fail(checked, place + u".port"_s);
        const int port = int(asked);
        const QString user = json.contains("user") ? textOf(json, "user") : address->user;
        if (const Result<> checked = user.isEmpty() ? Result<>() : checkSshUser(user); !checked)
            return fail(checked, place + u".user"_s);

        HostSetup setup;
        Machine& machine = setup.machine;
        machine.id = machineIdOf(context.id, textOf(json, "name"));
        machine.platformId = context.id;
        machine.address = user.isEmpty() ? address->host : user + u'@' + address->host;
        if (port != 0 && port != 22)
            machine.address += u':' + QString::number(port);
        applyGpuSettings(machine, json);

        SshLinkPlan plan;
        plan.wish.host = address->host;
        if (port != 0)
            plan.wish.port = port;
        if (!user.isEmpty())
            plan.wish.user = user;
        plan.wish.keyFile = textOf(json, "sshKeyFile");
        plan.wish.password = transport::Secret(textOf(json, "password"));
        plan.wish.passphrase = transport::Secret(textOf(json, "sshPassphrase"));
        plan.wish.byProgram = json.value("useSshProgram", false);
        plan.wish.ownKnownHosts = context.dataDir + u"/known_hosts"_s;
        plan.place.base = textOf(json, "scratchDir");
        if (!plan.place.base.isEmpty() && !plan.place.base.startsWith(u'/') && !plan.place.base.startsWith(u"~/"_s))
            return fail(Kind::invalid, place + u".scratchDir must be an absolute path, or begin with ~/."_m);
        plan.place.path = textOf(json, "pythonPath");
        plan.place.setup = textOf(json, "preCommand");
        plan.ownKeeper = context.keeperPath;
        setup.connection = connectionDigest(json);
        setup.place = QCryptographicHash::hash(
            dumpJson(Json::array({plan.wish.host, port == 0 ? 22 : port, user, plan.place.base})),
            QCryptographicHash::Sha256);
        setup.trust = [hub = m_hub, wish = plan.wish, name = machine.id.value](
                          QString fingerprint) { return trustHost(hub, wish, name, std::move(fingerprint)); };

        // The link factory owns the questions, so they are withdrawn when the machine is destroyed.
        const auto questions = std::make_shared<RemoteQuestions>(context, machine.id.value);
        plan.ask = questions->asker();
        setup.reconnect = m_reconnect;
        setup.link = [hub = m_hub, plan, questions]() -> std::unique_ptr<transport::AgentLink> {
            return std::make_unique<SshLink>(hub, plan);
        };
        setups.append(std::move(setup));
    }
    return setups;
}

Json RemotePlatform::workable(Json settings, const Context& context, QList<Machine>& refused) const
{
    const auto found = settings.is_object() ? settings.find("machineList") : settings.end();
    if (found == settings.end() || !found->is_array())
        return settings;
    const SortedMachines sorted = sortedMachines(*found, [&](const Json& list) -> Result<> {
        Json some = settings;
        some["machineList"] = list;
        const auto checked = checkedHosts(some, context);
        return checked ? Result<>{} : Result<>(fail(checked));
    });
    if (sorted.usable.empty())
        return settings;
    for (const SortedMachines::Refused& each : sorted.refused) {
        const Json& entry = (*found)[each.index];
        Machine& machine = refused.emplace_back();
        machine.id = machineIdOfEntry(context.id, *found, each.index);
        machine.platformId = context.id;
        machine.address = textOf(entry, "host");
        machine.state = MachineState::failed;
        machine.message = u"The settings of this machine cannot be used: %1 Correct them, or remove the machine."_m.arg(
            each.error.message);
    }
    *found = sorted.usable;
    return settings;
}

Result<Json> RemotePlatform::completed(Json settings, const Json& earlier) const
{
    if (const auto list = settings.find("machineList"); list != settings.end() && list->is_array()) {
        const auto before = earlier.find("machineList");
        const Result<Json> named =
            withMachineNames(*list, before != earlier.end() && before->is_array() ? *before : Json::array());
        if (!named)
            return fail(named);
        *list = *named;
    }
    return HostPlatform::completed(std::move(settings), earlier);
}

Result<Json> RemotePlatform::without(Json settings, const MachineId& machine, const PlatformId& id) const
{
    Json& list = settings.at("machineList");
    for (size_t i = 0; i < list.size(); ++i) {
        if (machineIdOfEntry(id, list, i) != machine)
            continue;
        if (list.size() == 1)
            return fail(Kind::conflict,
                u"%1 is the only machine of %2: delete the platform instead."_m.arg(machine.value, id.value));
        list.erase(list.begin() + qsizetype(i));
        return settings;
    }
    // One wrong entry is enough that none was given a name.
    if (const Result<Json> named = completed(settings, Json::object()); !named)
        return fail(named);
    return fail(Kind::not_found, u"The settings of %1 name no machine %2."_m.arg(id.value, machine.value));
}

Task<Result<QStringList>> RemotePlatform::choices(QString field, Json partialSettings, Context context)
{
    if (field.endsWith(u".host"))
        co_return co_await m_hub->configuredHosts();
    co_return co_await HostPlatform::choices(field, partialSettings, context);
}

Task<Result<Json>> RemotePlatform::choiceDetails(QString field, QStringList choices)
{
    Json details = Json::object();
    if (!field.endsWith(u".host"))
        co_return details;
    const Result<QMap<QString, transport::SshHostConfig>> hosts = co_await m_hub->describedHosts(choices);
    if (!hosts)
        co_return fail(hosts);
    for (auto it = hosts->begin(); it != hosts->end(); ++it) {
        const transport::SshHostConfig& config = it.value();
        Json one = {{"hostName", config.hostName}, {"port", config.port}, {"user", config.user}};
        if (!config.identityFiles.isEmpty())
            one["identityFile"] = config.identityFiles.first();
        if (!config.proxyJump.isEmpty())
            one["proxyJump"] = config.proxyJump;
        details[it.key().toStdString()] = std::move(one);
    }
    co_return details;
}

} // namespace platforms
