// SPDX-License-Identifier: GPL-3.0-or-later
// A trial as a job of OpenPAI's protocol 2. Pure. The body of a submission may have 100 KiB, so that what a trial needs stands in a script on
// the storage, and the job's command only starts that. OpenPAI starts a job again by itself after a lost node or a preemption.
#pragma once

#include "services/core/result.h"
#include "services/platforms/json_members.h"

namespace platforms::openpai {

/// What the job asks for.
struct JobWish
{
    QString image;          ///< empty: only with `config`
    QString virtualCluster; ///< empty: the cluster's default
    QString storage;        ///< the cluster's name of it
    QString mountPath;      ///< of the storage in containers, absolute
    int cpus = 1;
    qint64 memoryMb = 0;
    qint64 sharedMemoryMb = 0; ///< 0: OpenPAI's default, 512
    int gpus = 0;
    QString skuType;            ///< of hived; empty: none
    QString jobPriority;        ///< of hived: prod, test, oppo; empty: its default
    std::optional<Json> config; ///< a whole job of the person's

    bool operator==(const JobWish&) const = default;
};

/// From checked settings and options; an option wins over the setting of the same name. Kind::invalid names the field that cannot be.
[[nodiscard]] Result<JobWish> jobWish(const Json& settings, const Json& options, std::optional<int> gpuNumber);

/// The commands of the trial's own role in a job of the person's, joined as OpenPAI does; empty: there is no such job.
[[nodiscard]] QString ownCommand(const JobWish& wish);

/// The job as JSON, which is YAML, too. `script`: absolute path in the container of containerScript()'s file. Kind::invalid where the person's
/// job cannot be used, or the whole is too large.
[[nodiscard]] Result<QByteArray> jobDocument(const JobWish& wish, const QString& name, const QString& script);

} // namespace platforms::openpai
