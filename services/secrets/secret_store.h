// SPDX-License-Identifier: GPL-3.0-or-later
// Where passwords and tokens rest. A secret never goes to the store, a log, an event or an argument list.
#pragma once

#include "services/core/result.h"
#include "services/core/task.h"

#include <optional>

namespace secrets {

using namespace core;

/// One text a key. Keys are ours (`platform/<id>`), texts are opaque (JSON as a rule). Used on the service thread, which a
/// store never blocks.
class SecretStore
{
public:
    virtual ~SecretStore() = default;

    /// Absent (no error) where nothing was written under `key`.
    [[nodiscard]] virtual Task<Result<std::optional<QString>>> read(QString key) = 0;
    /// On success the text is durable.
    [[nodiscard]] virtual Task<Result<>> write(QString key, QString text) = 0;
    /// Removing what is not there succeeds.
    [[nodiscard]] virtual Task<Result<>> remove(QString key) = 0;
};

} // namespace secrets
