// SPDX-License-Identifier: GPL-3.0-or-later
// Values as people read them. Pure, apart from the local time zone.
#pragma once

#include "console.h"
#include "json_view.h"

namespace app {

[[nodiscard]] QString humanDuration(qint64 ms);            ///< core::durationText(); empty for a negative one
[[nodiscard]] QString humanBytes(qint64 bytes);            ///< `512 B`, `1.5 KiB`, `3.2 GiB`
[[nodiscard]] QString humanTime(std::optional<qint64> ms); ///< local `2026-11-21 02:41:32`; empty for none
[[nodiscard]] QString humanNumber(double value);           ///< up to six significant digits; `NaN`, `inf`, `-inf`
/// A metric's value: a number, NaN and the infinities as words, of an object its `default` or else the object.
[[nodiscard]] QString valueText(const Json& value);
/// `lr=0.01 batch=32`; strings without quotes, anything nested as JSON.
[[nodiscard]] QString parametersText(const Json& parameters);
/// The `value` of finalMetric, else of latestMetric.
[[nodiscard]] QString metricOfTrial(const Json& trial);
/// `gpu-box-1 GPU 0,3`
[[nodiscard]] QString placeOfTrial(const Json& trial);
[[nodiscard]] Role roleOfStatus(const QString& status); ///< of trials, experiments, platforms, machines and steps
[[nodiscard]] bool isFinalStatus(const QString& status);
/// How long the trial waited, and ran until its end or `nowMs`; -1 when it did not begin.
[[nodiscard]] qint64 waitedMs(const Json& trial, qint64 nowMs);
[[nodiscard]] qint64 ranMs(const Json& trial, qint64 nowMs);

} // namespace app
