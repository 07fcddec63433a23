// SPDX-License-Identifier: GPL-3.0-or-later
// Values as Slurm's commands spell them. Pure; no value makes them fail.
#pragma once

#include "services/platforms/json_members.h"

#include <optional>

namespace platforms::slurm {

using namespace core;

/// Decimal digits and nothing else.
[[nodiscard]] std::optional<qint64> slurmNumber(QStringView text);
/// Seconds since the epoch, as SLURM_TIME_FORMAT=%s makes them, in milliseconds. Nothing for "N/A", "Unknown", "None", 0, and for local times
/// without a zone, whose meaning depends on another computer's clock.
[[nodiscard]] std::optional<qint64> slurmTime(QStringView text);
/// A job's text, empty for what stands for "none": "(null)", "N/A", "None".
[[nodiscard]] QString slurmText(const QString& text);
/// "1-02:03:04", "03:04", "90" (minutes) in seconds. Nothing for UNLIMITED, INFINITE, NONE and what is no time.
[[nodiscard]] std::optional<qint64> slurmDuration(QStringView text);
/// "2000", "2000M", "2G" in MiB (without a unit MiB). Nothing for what is none.
[[nodiscard]] std::optional<qint64> slurmMemory(QStringView text);

/// A number of JSON: 5, or since 23.02 {"set": true, "infinite": false, "number": 5}. Nothing if it is null, unset, infinite or no number.
[[nodiscard]] std::optional<qint64> jsonNumber(const Json* value);
/// A wait status (wait(2)): how the command ended.
struct WaitStatus
{
    std::optional<int> exitCode;
    std::optional<int> signal;
};
[[nodiscard]] WaitStatus waitStatus(qint64 status);
/// "7:0", "0:9": exit code and signal, as accounting has them.
[[nodiscard]] WaitStatus exitPair(QStringView text);

} // namespace platforms::slurm
