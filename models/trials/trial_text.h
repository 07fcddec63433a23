// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of trials, shared by tables, inspector and charts. Pure functions; times are in milliseconds.
#pragma once

#include "services/core/records.h"

#include <QString>

namespace models {

/// `Running`, `Early stopped`: one word or two, translated.
[[nodiscard]] QString stateWord(core::TrialStatus status);

/// The trial's machine without the platform's prefix: `lab3` for `lab.lab3`. Empty before it has one.
[[nodiscard]] QString machineWord(const core::Trial& trial);
/// The same as the command line and the API say it: `local` instead of `this computer`. Filters and the order of rows use it.
[[nodiscard]] QString machineKey(const core::Trial& trial);

/// How long it ran, or has been running at `now`; nullopt before it started.
[[nodiscard]] std::optional<qint64> ranFor(const core::Trial& trial, qint64 now);
/// How long it waited, or has been waiting at `now`, for its start.
[[nodiscard]] qint64 waitedFor(const core::Trial& trial, qint64 now);

/// The number in a metric's value that the objective `name` uses; nullopt if there is none.
[[nodiscard]] std::optional<double> metricNumber(const core::MetricValue& value, const QString& name);

} // namespace models
