// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be said of one trial. Pure.
#pragma once

#include "services/core/records.h"

namespace models {

/// Whether the experiment, which may be null, knows none better.
[[nodiscard]] bool isBest(const core::Trial& trial, const core::ExperimentPtr& experiment);
/// The state with its time: `Running for 3 min`.
[[nodiscard]] QString stateSentence(const core::Trial& trial, const QString& word, qint64 now);
/// What it reached, or waits for, and where: markup, with what others named made harmless.
[[nodiscard]] QString resultSentence(const core::Trial& trial, const core::ExperimentPtr& experiment, qint64 now);
/// What else is to be known: why it ended so, its last value, its attempts. Plain; often empty.
[[nodiscard]] QString detailSentence(const core::Trial& trial, const core::ExperimentPtr& experiment, qint64 now);

} // namespace models
