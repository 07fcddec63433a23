// SPDX-License-Identifier: GPL-3.0-or-later
// Why the API server refuses to make a pod: quotas, limit ranges, pod security, webhooks. It comes as an event FailedCreate of the Job.
// Pure.
#pragma once

#include "waiting_reason.h"

namespace platforms::kubernetes {

/// Of any text a sentence.
[[nodiscard]] WaitingReason createRefusal(const QString& message);

} // namespace platforms::kubernetes
