// SPDX-License-Identifier: GPL-3.0-or-later
// What the scheduler says of a pod for which it has no node: "0/5 nodes are available: 2 Insufficient nvidia.com/gpu, ...". Pure.
#pragma once

#include "waiting_reason.h"

#include <QMap>

namespace platforms::kubernetes {

/// `requests`: of the pod (PodView), for the numbers; may be empty.
[[nodiscard]] WaitingReason unschedulableReason(const QString& message, const QMap<QString, qint64>& requests);

} // namespace platforms::kubernetes
