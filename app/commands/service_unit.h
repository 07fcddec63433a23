// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace commands {

struct UnitFile
{
    QString name;
    QByteArray text;
};

/// The systemd user units of the service: the service in its sandbox, and the socket and the template that start the agent of trials
/// outside of it. Pure. Ending one ends no trial: KillMode=process leaves their keepers alone, and a trial out of memory
/// (OOMPolicy=continue) ends no other. `dataDir` may be empty.
[[nodiscard]] QList<UnitFile> userUnits(const QString& daemon, const QString& keeper, const QString& dataDir);

} // namespace commands
