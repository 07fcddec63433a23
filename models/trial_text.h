// SPDX-License-Identifier: GPL-3.0-or-later
// How trials read: numbers, durations and states in the words and digits that tables, inspector and charts share. Pure.
#pragma once

#include "services/core/records.h"

#include <QString>

namespace models {

/// `Running`, `Early stopped`: one word or two, translated.
[[nodiscard]] QString stateWord(core::TrialStatus status);

/// A metric with four significant places: `0.9731`, `12,400`, `3.1e-7`, `NaN`, `∞`.
[[nodiscard]] QString metricText(double value);
/// A hyper-parameter, short enough for a column, with two to four significant places: `128`, `0.15`, `0.0074`, `5.2e-5`.
[[nodiscard]] QString parameterText(double value);

/// `42 s`, `38 min`, `3 h 36 min`, `2 d 4 h`.
[[nodiscard]] QString durationText(qint64 milliseconds);
/// The same, short enough for a column: `42 s`, `38 min`, `3 h 36`.
[[nodiscard]] QString shortDurationText(qint64 milliseconds);
/// `just now`, `41 min ago`.
[[nodiscard]] QString agoText(qint64 time, qint64 now);
/// `412 B`, `1.5 KiB`, `3.2 GiB`.
[[nodiscard]] QString sizeText(qint64 bytes);

/// Its machine as people call it, without the platform: `lab3` of `lab.lab3`. Empty before it has one.
[[nodiscard]] QString machineWord(const core::Trial& trial);

/// How long it ran, or runs up to `now`; nothing before it started.
[[nodiscard]] std::optional<qint64> ranFor(const core::Trial& trial, qint64 now);
/// How long it waited, or waits, for its start.
[[nodiscard]] qint64 waitedFor(const core::Trial& trial, qint64 now);

/// The number in the value of a metric that the objective `name` looks at; nothing when it tells none.
[[nodiscard]] std::optional<double> metricNumber(const core::MetricValue& value, const QString& name);

} // namespace models
