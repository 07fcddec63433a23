// SPDX-License-Identifier: GPL-3.0-or-later
// The only place that makes services and names the kinds of platforms.
#pragma once

#include "app/base/paths.h"
#include "services/core/clock.h"
#include "services/engine/engine.h"
#include "services/platforms/platform_registry.h"
#include "services/secrets/env_secrets.h"
#include "services/secrets/file_secrets.h"
#include "services/secrets/keyring_secrets.h"
#include "services/transport/ssh/ssh_hub.h"

#include <QProcessEnvironment>

namespace app {

/// The service layer of one data directory, whose lock the caller holds. Made, used and destroyed on the service thread.
class Composition
{
public:
    Composition(const Paths& paths, const QString& serviceId, const QByteArray& placementKey,
        const engine::IngestAccess& ingest, const QString& keeperPath, const QProcessEnvironment& environment);

    [[nodiscard]] engine::Engine& engine() { return m_engine; }
    [[nodiscard]] QStringList platformKinds() const;

private:
    core::SystemClock m_clock;
    secrets::FileSecrets m_fileSecrets;
    secrets::KeyringSecrets m_keyring;
    secrets::EnvSecrets m_secrets;
    transport::SshHub m_ssh; ///< outlives every platform
    platforms::PlatformRegistry m_kinds;
    engine::Engine m_engine;
};

} // namespace app
