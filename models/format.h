// SPDX-License-Identifier: GPL-3.0-or-later
// Formats numbers and times in the window's locale. Times are milliseconds since the epoch. Pure functions.
#pragma once

#include <QString>

namespace models {

/// `0.97`, `7.4e-05`: up to four significant digits, for the ends of an axis.
[[nodiscard]] QString numberText(double value);
/// A metric with four significant places: `0.9731`, `12,400`, `3.1e-7`, `NaN`, `∞`.
[[nodiscard]] QString metricText(double value);
/// A hyper-parameter, short enough for a column, with two to four significant places: `128`, `0.15`, `0.0074`, `5.2e-5`.
[[nodiscard]] QString parameterText(double value);
/// With the locale's separator of thousands.
[[nodiscard]] QString countText(qint64 count);
/// `412 B`, `1.5 KiB`, `412 KiB`, `3.2 GiB`.
[[nodiscard]] QString bytesText(qint64 bytes);
/// `52 s`, `41 min`, `3 h 36 min`, `2 d 4 h`.
[[nodiscard]] QString durationText(qint64 ms);
/// The same, short enough for a column: `42 s`, `38 min`, `3 h 36`.
[[nodiscard]] QString shortDurationText(qint64 ms);
/// `41 min ago`, `just now`; empty for 0.
[[nodiscard]] QString agoText(qint64 time, qint64 now);
/// `08:12`, with the date if the day differs from that of `now`.
[[nodiscard]] QString clockText(qint64 time, qint64 now, bool seconds = false);
/// `18:20 to 18:45`; `about 18:20` if both ends give the same text.
[[nodiscard]] QString bandText(const std::pair<qint64, qint64>& band, qint64 now);

} // namespace models
