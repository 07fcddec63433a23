// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "secret_store.h"

namespace secrets {

/// The keyring of the person's desktop session. What it does not have, or where it cannot be asked, is in `next`. The keyring is
/// asked on the application's own thread, where its libraries want to be.
class KeyringSecrets : public SecretStore
{
public:
    /// `collection` is ours alone: two data directories have the same keys. `next` outlives this.
    KeyringSecrets(QString collection, SecretStore* next);

    [[nodiscard]] Task<Result<std::optional<QString>>> read(QString key) override;
    [[nodiscard]] Task<Result<>> write(QString key, QString text) override;
    [[nodiscard]] Task<Result<>> remove(QString key) override;

private:
    struct Answer;
    enum class Wish { read, write, remove };
    Task<Answer> ask(Wish wish, QString key, QString text);

    QString m_collection;
    SecretStore* m_next;
    bool m_isThere = true; ///< until it turns out otherwise
};

} // namespace secrets
