// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cancel_retries.h"

#include "services/core/clock.h"
#include "services/core/scope.h"
#include "services/engine/platforms/platform_manager.h"
#include "services/engine/state/engine_state.h"

#include <QSet>

namespace engine {

/// Sends cancels to platforms: those of one turn of the event loop in one call for each platform and intent, and each again until the
/// end of its trial is known. A restart and a platform that opens send them anew (TrialSupervisor::adopt). Service thread only.
class TrialCancels
{
public:
    TrialCancels(EngineState& state, PlatformManager& platforms, Scope& scope);

    /// The trial's intent is set. One that has ended here is not sent: see wantOnce().
    void want(const TrialId& trial);
    /// The same for one that ended here alone and was seen running where it was placed. It is sent once.
    void wantOnce(const TrialId& trial);
    void over(const TrialId& trial) { m_retries.over(trial); }

private:
    void send();
    void arm();
    [[nodiscard]] Task<> sendNow(PlatformId platform, CancelIntent intent, QList<platforms::TrialRef> refs);

    EngineState& m_state;
    PlatformManager& m_platforms;
    Scope& m_scope;
    CancelRetries m_retries;
    QSet<TrialId> m_once;
    std::unique_ptr<TimerHandle> m_timer;
    qint64 m_due = 0; ///< of m_timer
};

} // namespace engine
