// SPDX-License-Identifier: GPL-3.0-or-later
#include "composition.h"

#include "services/platforms/aml/wire/aml_platform.h"
#include "services/platforms/azure/login_memory.h"
#include "services/core/logging.h"
#include "services/platforms/dlts/wire/dlts_platform.h"
#include "services/platforms/external/wire/external_platform.h"
#include "services/platforms/hosts/local_platform.h"
#include "services/platforms/kubernetes/wire/kubernetes_platform.h"
#include "services/platforms/openpai/wire/openpai_platform.h"
#include "services/platforms/remote/remote_platform.h"
#include "services/platforms/slurm/wire/slurm_platform.h"

using namespace Qt::StringLiterals;

namespace app {

namespace {

/// Programs of the person's own; one that cannot be used keeps none of the others away.
void addExternalKinds(platforms::PlatformRegistry& kinds, const QString& configDir)
{
    QList<core::Error> problems;
    for (const auto& program : platforms::external::readProgramFiles(configDir, problems))
        kinds.add([program] { return std::make_unique<platforms::ExternalPlatform>(program); });
    for (const core::Error& problem : problems)
        qCWarning(core::lcPlatform).noquote() << problem.message.text();
}

platforms::PlatformRegistry allKinds(transport::SshHub* ssh, const QString& agentSocket, const QString& configDir)
{
    platforms::PlatformRegistry kinds;
    kinds.add([agentSocket] { return std::make_unique<platforms::LocalPlatform>(agentSocket); });
    kinds.add([ssh] { return std::make_unique<platforms::RemotePlatform>(ssh); });
    kinds.add([ssh] { return std::make_unique<platforms::SlurmPlatform>(ssh); });
    kinds.add([] { return std::make_unique<platforms::KubernetesPlatform>(); });
    for (const auto& kind : {u"kubeflow"_s, u"frameworkcontroller"_s})
        kinds.add([kind] { return std::make_unique<platforms::KubernetesPlatform>(kind); });
    kinds.add([] { return std::make_unique<platforms::OpenPaiPlatform>(); });
    kinds.add([] { return std::make_unique<platforms::DltsPlatform>(); });
    const auto azureLogins = std::make_shared<platforms::azure::LoginMemory>();
    kinds.add([azureLogins] { return std::make_unique<platforms::AmlPlatform>(azureLogins); });
    addExternalKinds(kinds, configDir);
    return kinds;
}

QMap<QString, QString> variables(const QProcessEnvironment& environment)
{
    QMap<QString, QString> map;
    for (const QString& name : environment.keys())
        map.insert(name, environment.value(name));
    return map;
}

/// Whether there is a desktop session that may have a keyring; TRIALDECK_KEYRING=0 disables it.
bool hasSession(const QProcessEnvironment& environment)
{
    return !environment.value(u"DBUS_SESSION_BUS_ADDRESS"_s).isEmpty()
        && environment.value(u"TRIALDECK_KEYRING"_s) != u"0";
}

} // namespace

Composition::Composition(const Paths& paths, const QString& serviceId, const QByteArray& placementKey,
    const engine::IngestAccess& ingest, const QString& keeperPath, const QProcessEnvironment& environment)
    : m_fileSecrets(paths.config + u"/secrets.json"_s)
    , m_keyring(u"Trialdeck "_s + serviceId, &m_fileSecrets)
    , m_secrets(variables(environment),
          hasSession(environment) ? &m_keyring : static_cast<secrets::SecretStore*>(&m_fileSecrets))
    , m_ssh(&m_clock)
    , m_kinds(allKinds(&m_ssh, environment.value(u"TRIALDECK_AGENT_SOCKET"_s), paths.config))
    , m_engine(engine::EngineConfig{paths.data, paths.config, serviceId, keeperPath, paths.state, placementKey, ingest},
          m_clock, m_secrets, m_kinds)
{
}

QStringList Composition::platformKinds() const
{
    QStringList names;
    for (const platforms::KindDescription& kind : m_kinds.kinds())
        names += kind.kind;
    return names;
}

} // namespace app
