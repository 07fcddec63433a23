// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs that a cluster's own scheduler gave to our trials: it says how many are taken on a machine, not which one has which. Pure.
#pragma once

#include "services/core/records.h"

#include <QMap>

namespace engine {

using namespace core;

/// What a trial has on a machine that the cluster chose.
struct ClusterShare
{
    int gpus = 0;
    qint64 since = 0; ///< milliseconds since the epoch

    bool operator==(const ClusterShare&) const = default;
};

/// The share of a trial on a machine; none unless it runs there (or is silent) with GPUs that the service did not choose.
[[nodiscard]] std::optional<ClusterShare> clusterShareOf(const Trial& trial);

/// Lets the trials hold as many GPUs as they have, in order of their ids: those that the cluster says are theirs (GpuProcess::trialId); of a
/// cluster that does not say whose they are, those that are taken; and then free ones, where it has not been asked since. What is
/// taken beyond that belongs to others.
void holdClusterGpus(Machine& machine, const QMap<TrialId, ClusterShare>& trials);

} // namespace engine
