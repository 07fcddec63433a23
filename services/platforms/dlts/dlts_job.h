// SPDX-License-Identifier: GPL-3.0-or-later
// A trial as a job of DLTS. Pure. What it needs stands in a script on a share; the job's command only starts that.
#pragma once

#include "dlts_endpoints.h"

#include "services/platforms/json_members.h"
#include "services/core/records.h"

namespace platforms::dlts {

/// What the job asks for.
struct JobWish
{
    QString team;
    QString email;
    QString image;
    QString gpuType; ///< empty: the cluster chooses; then no GPU can be asked for
    int gpus = 0;
    bool isPreemptible = false;
    QString workPath, dataPath; ///< relative; empty: none of its own
    QList<Endpoint> endpoints;

    bool operator==(const JobWish&) const = default;
};

/// From whole settings and checked options; an option wins over the setting of the same name. `gpuType`: the team's first one, where
/// neither says another. Kind::invalid names the field that cannot be.
[[nodiscard]] Result<JobWish> jobWish(
    const Json& settings, const Json& options, std::optional<int> gpuNumber, const QString& gpuType);

/// The id that a trial's job is given, so that it is never there twice: a UUID.
[[nodiscard]] QString jobIdOf(const QString& serviceId, const TrialId& trial);

/// The job as JSON. `script`: absolute path in the container. Kind::invalid: there is no image or GPU model, or the path cannot be run.
[[nodiscard]] Result<QByteArray> jobDocument(
    const JobWish& wish, const QString& id, const QString& name, const QString& script);

} // namespace platforms::dlts
