// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment read from a file, before it is created: its spec, fields without effect, and files that would be copied.
#pragma once

#include "models/engine_mirror.h"

namespace models {

struct PlannedFile
{
    QString path;
    qint64 size = 0;
    bool operator==(const PlannedFile&) const = default;
};

/// Code packed into one file on this computer; the file exists while `keeps` is held.
struct CodeArchive
{
    QString sha;
    QString file;
    qint64 bytes = 0;
    std::shared_ptr<void> keeps;
};

struct ExperimentPlan
{
    QString file;
    core::ExperimentSpec spec;                  ///< without platformId if the file only names a kind of platform
    QString kind;                               ///< of the platform; empty: the spec has a platformId
    core::Json settings = core::Json::object(); ///< of the platform, as in the file
    QString needsNni;                           ///< set if its search runs only in NNI: a message that says what to do
    QStringList notes;                          ///< one sentence for each field without effect
    QMap<QString, QString> environment;         ///< of the process that opened it, for trials on this computer
    QList<PlannedFile> files;                   ///< to be copied
    qint64 bytes = 0;
    QStringList leftOut; ///< of the code, a sentence each
    QString codeProblem; ///< why the code cannot be copied
    /// Packs the code. Set if the service may be unable to read this computer's files. Blocks; called on a pool thread.
    std::function<core::Result<CodeArchive>()> pack;
};

/// A line of the plan's description, title and text: `Command`, `python3 train.py`.
using PlanLine = std::pair<QString, QString>;
[[nodiscard]] QList<PlanLine> linesOf(const ExperimentPlan& plan);

/// A platform on which the plan can run.
struct PlanPlace
{
    core::PlatformId id;
    bool isNew = false; ///< to be created with the settings of the file
    bool operator==(const PlanPlace&) const = default;
};
/// Platforms of the kind that the file names, those with its settings first; all platforms if it names none.
[[nodiscard]] QList<PlanPlace> placesOf(const ExperimentPlan& plan, const api::Mirror& state);

/// The spec for creating the experiment on that platform.
[[nodiscard]] core::ExperimentSpec specAt(
    const ExperimentPlan& plan, const core::PlatformId& place, const api::Mirror& state);

} // namespace models
