// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment as a file describes it, before it is one: what it says, what has no effect here, and what would be copied.
#pragma once

#include "models/engine_mirror.h"

namespace models {

struct PlannedFile
{
    QString path;
    qint64 size = 0;
    bool operator==(const PlannedFile&) const = default;
};

/// Code as one file of this computer, there as long as `keeps` lives.
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
    core::ExperimentSpec spec;                  ///< all but platformId where the file only asks for a kind of platform
    QString kind;                               ///< of that platform; empty: the spec names one
    core::Json settings = core::Json::object(); ///< what the file says of it
    QString needsNni;                           ///< not empty: its search runs only in NNI, and what to do
    QStringList notes;                          ///< fields that have no effect here, a sentence each
    QMap<QString, QString> environment;         ///< of who opened it, for trials on this computer
    QList<PlannedFile> files;                   ///< to be copied
    qint64 bytes = 0;
    QString codeProblem; ///< why the code cannot be copied
    /// Set where the service cannot be expected to read this computer's files: what makes an archive of the code. Blocks.
    std::function<core::Result<CodeArchive>()> pack;
};

/// A line of the plan for a person: `Command`, `python3 train.py`.
using PlanLine = std::pair<QString, QString>;
[[nodiscard]] QList<PlanLine> linesOf(const ExperimentPlan& plan);

/// Where it can run: platforms of the kind that the file asks for, those with its settings first; all when it asks for none.
struct PlanPlace
{
    core::PlatformId id;
    bool isNew = false; ///< to be made with the settings of the file
    bool operator==(const PlanPlace&) const = default;
};
[[nodiscard]] QList<PlanPlace> placesOf(const ExperimentPlan& plan, const api::Mirror& state);

/// The spec as it would be created there.
[[nodiscard]] core::ExperimentSpec specAt(
    const ExperimentPlan& plan, const core::PlatformId& place, const api::Mirror& state);

} // namespace models
