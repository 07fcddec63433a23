// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "services/core/strand.h"
#include "services/platforms/platform_registry.h"
#include "services/secrets/secret_store.h"

namespace engine {

using namespace core;

/// The settings of configured platforms as they are kept: one file `platforms/<id>.json` each, and their secrets in the secret
/// store under `platform/<id>`. Service thread only; the disk is used on a thread of its own.
class PlatformSettings
{
public:
    /// `secrets` and `kinds` outlive this.
    PlatformSettings(const QString& configDir, secrets::SecretStore& secrets, platforms::PlatformRegistry& kinds);

    /// Every platform that has a file, in the order of their ids. One whose file is not valid is in state `failed`, with the reason
    /// as its message. Kind::resource when the folder cannot be made or a file cannot be read.
    [[nodiscard]] Task<Result<QList<PlatformPtr>>> read();
    /// `settings` hold secrets in clear. They are checked settings of that kind, which is a known one.
    [[nodiscard]] Task<Result<>> write(PlatformId id, QString kind, Json settings, qint64 version);
    /// Removes the file and the secrets. Secrets that cannot be removed are logged.
    [[nodiscard]] Task<> remove(PlatformId id);
    /// Settings as a record shows them, with the secrets in clear and completed by the kind's rules: a file that a person wrote
    /// names no machines. Kind::invalid for an unknown kind.
    [[nodiscard]] Task<Result<Json>> withSecrets(PlatformId id, QString kind, Json shown);

private:
    [[nodiscard]] QString fileOf(const PlatformId& id) const;

    const QString m_folder;
    secrets::SecretStore& m_secrets;
    platforms::PlatformRegistry& m_kinds;
    Strand m_files{QStringLiteral("settings")};
};

} // namespace engine
