// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

namespace platforms {

using namespace core;

/// `td-SERVICE-TRIAL`: a name that this service alone gives, so that a job is found again whose submission got no answer.
[[nodiscard]] QString jobName(const QString& serviceId, const TrialId& trial);
/// Empty: the job is not one of this service.
[[nodiscard]] TrialId trialOf(const QString& serviceId, const QString& jobName);

} // namespace platforms
