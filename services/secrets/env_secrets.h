// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "secret_store.h"

#include <QMap>

namespace secrets {

/// Secrets that the surroundings hand in (a container, a unit's credentials): `TRIALDECK_SECRET_<KEY>`, the key in capitals with
/// `_` for what is no letter or digit. They win over `next`, which does the writing; without it there is nothing to write to.
class EnvSecrets : public SecretStore
{
public:
    /// `next` may be null, and outlives this.
    explicit EnvSecrets(QMap<QString, QString> environment, SecretStore* next = nullptr);

    [[nodiscard]] static QString variableName(const QString& key);

    [[nodiscard]] Task<Result<std::optional<QString>>> read(QString key) override;
    [[nodiscard]] Task<Result<>> write(QString key, QString text) override;
    [[nodiscard]] Task<Result<>> remove(QString key) override;

private:
    QMap<QString, QString> m_environment;
    SecretStore* m_next;
};

} // namespace secrets
