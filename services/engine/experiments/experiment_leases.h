// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/command.h"
#include "services/engine/state/engine_state.h"

#include <map>

namespace engine {

/// Who asks for the trials of an experiment, and whether they are still there. A lease that is not renewed in time makes a sentence in
/// the experiment's message, which goes with the next renewal. It ends and cancels nothing. Service thread only.
class ExperimentLeases
{
public:
    ExperimentLeases(EngineState& state, store::Store& store);

    /// Grants, renews or (0 seconds) gives back.
    [[nodiscard]] Task<Result<Reply>> renew(RenewLease command);
    /// Reads stored leases after a restart. Each holder gets its full period, from now on, for the next renewal.
    void restore(const QMap<QString, QByteArray>& values);
    /// Its experiment takes no more trials.
    void end(const ExperimentId& id);
    /// The sentence about a missed renewal, for experiments whose state sets no message of its own; empty: none was missed.
    [[nodiscard]] Message message(const ExperimentId& id) const;

private:
    struct Lease
    {
        QString holder;
        QString remedy;
        qint64 seconds = 0;
        Message heard;  ///< the time of the last renewal, in words
        qint64 due = 0; ///< on the steady clock
        Message missed; ///< the sentence; empty while it is held
        std::unique_ptr<TimerHandle> timer;
    };

    void arm(const ExperimentId& id, Lease& lease, qint64 ms);
    void lapse(ExperimentId id);
    void tell(const ExperimentId& id, const Message& before, const Message& now);
    void keep(const ExperimentId& id) const;

    EngineState& m_state;
    store::Store& m_store;
    std::map<ExperimentId, Lease> m_leases;
};

} // namespace engine
