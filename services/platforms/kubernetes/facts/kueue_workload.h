// SPDX-License-Identifier: GPL-3.0-or-later
// What Kueue says of a Job that it holds: its object Workload (kueue.x-k8s.io, v1beta1 and later). Pure; any JSON can be read.
#pragma once

#include "waiting_reason.h"

#include "services/core/json.h"

namespace platforms::kubernetes {

struct KueueWorkload
{
    QString jobUid; ///< of the Job, or another object, that it is made for
    QString queue;
    bool isAdmitted = false;
    QString pendingReason;  ///< why it has no quota: `Pending`, `Inadmissible`, `Waiting`
    QString pendingMessage; ///< in Kueue's words
    QString evictedReason;  ///< `Preempted`, `PodsReadyTimeout`; empty: it was not evicted
    QString evictedMessage;

    bool operator==(const KueueWorkload&) const = default;
};

/// Nothing for what is made for nothing.
[[nodiscard]] std::optional<KueueWorkload> readWorkload(const Json& object);

/// Why the Job waits in this queue. `workload`: null where none is known.
[[nodiscard]] WaitingReason queueReason(const QString& queue, const KueueWorkload* workload);

} // namespace platforms::kubernetes
