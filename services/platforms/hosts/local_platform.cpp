// SPDX-License-Identifier: GPL-3.0-or-later
#include "local_platform.h"

#include "services/transport/local_link.h"

#include <QCryptographicHash>
#include <QDir>
#include <QSysInfo>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace platforms {

LocalPlatform::LocalPlatform(const QString& agentSocket)
    : m_unit(std::make_shared<transport::AgentUnit>())
{
    m_unit->socket = agentSocket;
}

KindDescription LocalPlatform::describe() const
{
    // Names as in NNI v2 (LocalConfig); placement and scratchDir are ours.
    QList<Field> fields = gpuFields();
    for (Field& field : fields)
        field.choices = field.name == u"gpuIndices";
    fields.append(placementField());
    fields.append(Field{.name = u"scratchDir"_s,
        .type = u"path"_s,
        .title = u"Folder for trials"_m,
        .help = u"Where trials run and keep their files; by default in the data folder."_m});
    return KindDescription{
        .kind = u"local"_s,
        .title = u"This computer"_m,
        .fields = fields,
        .capabilities = {.logs = true, .parameters = true, .machines = true, .placement = true, .files = true},
    };
}

Result<QList<HostSetup>> LocalPlatform::hosts(const Json& settings, const Context& context) const
{
    HostSetup setup;
    Machine& machine = setup.machine;
    machine.id = MachineId(context.id.value.isEmpty() ? u"local"_s : context.id.value);
    machine.platformId = context.id;
    machine.address = QSysInfo::machineHostName();
    applyGpuSettings(machine, settings);
    setup.connection = connectionDigest(settings);
    QString folder = context.dataDir + u"/agent"_s;
    if (const auto scratch = settings.find("scratchDir"); scratch != settings.end()) {
        if (const QString path = scratch->get<QString>(); !path.isEmpty())
            folder = path;
    }
    if (!QDir::isAbsolutePath(folder))
        return fail(Kind::invalid, u"scratchDir must be an absolute path."_m);
    setup.place = QCryptographicHash::hash(folder.toUtf8(), QCryptographicHash::Sha256);
    setup.link = [program = context.keeperPath, folder, unit = m_unit]() -> std::unique_ptr<transport::AgentLink> {
        return std::make_unique<transport::LocalLink>(program, folder, unit);
    };
    setup.sharesFiles = true;
    setup.sessionOf = [](qint64 pid) { return qint64(getsid(pid_t(pid))); };
    return QList<HostSetup>{std::move(setup)};
}

} // namespace platforms
