// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences that describe a trial. Pure functions; `now` is in milliseconds since the epoch.
#pragma once

#include "services/core/records.h"

namespace models {

/// Whether the trial is the experiment's best. `experiment` may be null.
[[nodiscard]] bool isBest(const core::Trial& trial, const core::ExperimentPtr& experiment);
/// The state with its time: `Running for 3 min`.
[[nodiscard]] QString stateSentence(const core::Trial& trial, const QString& word, qint64 now);
/// The trial's result, or what it waits for, and its machine. Markup; names are escaped.
[[nodiscard]] QString resultSentence(const core::Trial& trial, const core::ExperimentPtr& experiment, qint64 now);
/// Further details: the reason of its end, its last value, its attempts. Plain text; often empty.
[[nodiscard]] QString detailSentence(const core::Trial& trial, const core::ExperimentPtr& experiment, qint64 now);

} // namespace models
