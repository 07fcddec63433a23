// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cluster_wire.h"
#include "trial_log.h"

#include <map>

namespace platforms {

/// The logs of the other parts of trials that have several (ClusterWire::logParts()), which are kept beside the trial's own and report
/// nothing. They are read from their beginning, also after a restart of the service: what was kept already comes twice and is passed over
/// there. Those of a trial that has ended are read on, to their end or for so long. Pure; on the service thread.
class PartLogs
{
public:
    static constexpr qint64 afterEndMs = 60'000;

    /// These parts of the trial have logs.
    void see(const TrialRef& trial, const QStringList& parts);
    /// The trial has ended. `now`: of a clock that never jumps, milliseconds.
    void ended(const TrialId& trial, qint64 now);
    void forget(const TrialId& trial) { m_trials.erase(trial); }
    void clear() { m_trials.clear(); }
    /// Whether more is expected of any part of it.
    [[nodiscard]] bool has(const TrialId& trial) const { return m_trials.contains(trial); }

    /// What is to be read now; gives up what is late.
    [[nodiscard]] QList<LogWish> wishes(qint64 now);
    /// What of a part that was read (LogPart::part) is to be kept.
    [[nodiscard]] QList<KeptPiece> take(const LogPart& part, qint64 now);

private:
    struct Part
    {
        TrialLog log;
        JobRuns runs;
        bool isOver = false; ///< it is at its end, and so is the trial
    };
    struct Parts
    {
        TrialRef ref;
        std::map<QString, Part> parts;
        std::optional<qint64> endedAt;
    };

    std::map<TrialId, Parts> m_trials; ///< with parts
};

} // namespace platforms
