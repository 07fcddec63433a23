// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"

#include <QStringList>

namespace store {

using namespace core;

struct Salvaged
{
    qint64 experiments = 0;
    qint64 trials = 0;
    QStringList incomplete; ///< tables of which a part cannot be read
};

/// Writes every row that can still be read of the store file `damaged` to a new store file `fresh`, which is on the disk when this
/// returns. `damaged` is not changed; it must have no write-ahead log. Blocks; needs about as much space as `damaged`.
/// Fails, and leaves no `fresh`, when the tables are not those of our version, when no experiment or no trial of a damaged table
/// can be read, or for the reasons of sqlError().
[[nodiscard]] Result<Salvaged> salvage(const QString& damaged, const QString& fresh);

} // namespace store
