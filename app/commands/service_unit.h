// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace commands {

/// The systemd user unit of the service. Pure. Ending it ends no trial: KillMode=process leaves their keepers alone, and a trial out
/// of memory (OOMPolicy=continue) ends no other. `dataDir` may be empty.
[[nodiscard]] QByteArray userUnit(const QString& daemon, const QString& dataDir);

} // namespace commands
