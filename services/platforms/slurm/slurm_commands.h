// SPDX-License-Identifier: GPL-3.0-or-later
// The environment of Slurm's commands, and the command lines that are not worth a file of their own. Pure.
#pragma once

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace platforms::slurm {

/// Variables that every command needs: messages in English, times in seconds since the epoch; SLURM_CONF where the settings name a file.
[[nodiscard]] QMap<QString, QString> commandEnvironment(const QString& slurmConf = {});
/// Variables that must not reach a command: this service may itself run inside a job, or in a shell with defaults of a person.
[[nodiscard]] QStringList unsetVariables();

[[nodiscard]] QStringList versionCommand();    ///< see readVersion()
[[nodiscard]] QStringList nodesCommand();      ///< see readNodes()
[[nodiscard]] QStringList partitionsCommand(); ///< see readPartitions()
/// Ends with 0 for jobs that have ended or never were; see commandError() for the rest. SIGTERM now, SIGKILL after the cluster's KillWait.
[[nodiscard]] QStringList cancelCommand(const QList<qint64>& ids);
/// By name, where the id is not known because a submission's outcome is not. Only jobs of the calling user.
[[nodiscard]] QStringList cancelByNameCommand(const QString& name);

} // namespace platforms::slurm
