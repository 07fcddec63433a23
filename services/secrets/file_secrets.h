// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "secret_store.h"
#include "services/core/strand.h"

namespace secrets {

/// A JSON object in one file that only its owner may read (0600), for servers without a keyring. Replaced as a whole (temporary
/// file, rename), on a thread of its own. A file that others can read is used, and made private first.
class FileSecrets : public SecretStore
{
public:
    explicit FileSecrets(QString path);

    [[nodiscard]] Task<Result<std::optional<QString>>> read(QString key) override;
    [[nodiscard]] Task<Result<>> write(QString key, QString text) override;
    [[nodiscard]] Task<Result<>> remove(QString key) override;

private:
    QString m_path;
    Strand m_strand;
};

} // namespace secrets
