// SPDX-License-Identifier: GPL-3.0-or-later
// Why Slurm lets a job wait, as sentences: what its word means and what can be done. Words: slurm_job_reason_string() of 22.05 to 24.11.
// Pure.
#pragma once

#include "services/core/result.h"

#include <optional>

namespace platforms::slurm {

using namespace core;

/// What is known of the job and its partition; what is absent is left out of the sentence.
struct ReasonFacts
{
    QString partition;
    int gpus = 0;
    int cpus = 0;
    qint64 memoryMb = 0;
    std::optional<qint64> timeLimitSeconds;      ///< that was asked for
    std::optional<qint64> partitionLimitSeconds; ///< the partition's; absent: none, or not known
    std::optional<qint64> startsInMs;            ///< Slurm's own estimate, from now
};

struct PendingReason
{
    Message message;    ///< a whole sentence or two; empty where Slurm gives no reason
    bool stuck = false; ///< it does not start before a person changes something
};

/// `reason`: the word of squeue's %r or JSON's state_reason, or the sentence that newer Slurm writes instead. A word that is not known is
/// shown as it is.
[[nodiscard]] PendingReason pendingReason(const QString& reason, const ReasonFacts& facts = {});

} // namespace platforms::slurm
