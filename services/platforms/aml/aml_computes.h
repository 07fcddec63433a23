// SPDX-License-Identifier: GPL-3.0-or-later
// What Azure Machine Learning answers of the computes of a workspace, and of quotas, as values. Pure; whatever is read, nothing fails but the call.
#pragma once

#include "services/core/message/message.h"
#include "services/core/result.h"
#include "services/platforms/json_members.h"

#include <QHash>

#include <algorithm>
#include <optional>

namespace platforms::aml {

struct Compute
{
    QString name;
    QString type;   ///< `AmlCompute`, `ComputeInstance`, `Kubernetes`, …
    QString vmSize; ///< `Standard_NC6s_v3`; empty: not said
    QString
        state; ///< provisioning: `Succeeded`, `Creating`, `Deleting`, `Failed`; of an instance: `Running`, `Stopped`
    QString allocation;         ///< `Steady`, `Resizing`; empty: not said
    bool isLowPriority = false; ///< Azure may take its nodes away
    int minNodes = 0;
    int maxNodes = 0;
    int currentNodes = 0;
    int targetNodes = 0;
    int runningNodes = 0; ///< with a job
    int idleNodes = 0;
    int preparingNodes = 0;
    int unusableNodes = 0;
    QString error; ///< why it gets no nodes; of one line

    bool operator==(const Compute&) const = default;
};

/// What one node of a size has.
struct VmSize
{
    int gpus = 0;
    int cpus = 0;
    double memoryGb = 0;
    QString family; ///< whose cores one quota counts: `standardNCSv3Family`; may be empty
};
using VmSizes = QHash<QString, VmSize>; ///< by name in lower case

[[nodiscard]] Result<Compute> readCompute(const Json& json);
/// Those that run jobs, sorted by name.
[[nodiscard]] Result<QList<Compute>> readComputes(const Json& json);
[[nodiscard]] VmSizes readVmSizes(const Json& json);

/// How many cores of a kind a subscription may have in a region.
struct CoreQuota
{
    QString name; ///< in Azure's words, of one line
    qint64 used = 0;
    qint64 limit = 0;

    [[nodiscard]] qint64 left() const { return std::max<qint64>(0, limit - used); }
};
/// Those of a page; no list: none.
[[nodiscard]] QList<CoreQuota> readCoreQuotas(const Json& json);
/// The one of those for nodes of the compute that has the least left; nothing where Azure names none.
[[nodiscard]] std::optional<CoreQuota> tightestQuota(
    const QList<CoreQuota>& quotas, const Compute& compute, const VmSize& size);

/// Whether it starts jobs, now or once it has nodes. Else `why` is a sentence without an end.
[[nodiscard]] bool takesJobs(const Compute& compute, Message& why);
/// Its nodes in words: "2 of 4 nodes run jobs".
[[nodiscard]] Message nodesText(const Compute& compute);

} // namespace platforms::aml
