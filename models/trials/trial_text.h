// SPDX-License-Identifier: GPL-3.0-or-later
// How trials read, in the words that tables, inspector and charts share. Pure.
#pragma once

#include "services/core/records.h"

#include <QString>

namespace models {

/// `Running`, `Early stopped`: one word or two, translated.
[[nodiscard]] QString stateWord(core::TrialStatus status);

/// Its machine as people call it, without the platform: `lab3` of `lab.lab3`. Empty before it has one.
[[nodiscard]] QString machineWord(const core::Trial& trial);

/// How long it ran, or runs up to `now`; nothing before it started.
[[nodiscard]] std::optional<qint64> ranFor(const core::Trial& trial, qint64 now);
/// How long it waited, or waits, for its start.
[[nodiscard]] qint64 waitedFor(const core::Trial& trial, qint64 now);

/// The number in the value of a metric that the objective `name` looks at; nothing when it tells none.
[[nodiscard]] std::optional<double> metricNumber(const core::MetricValue& value, const QString& name);

} // namespace models
