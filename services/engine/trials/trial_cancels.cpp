// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_cancels.h"

#include "trial_supervisor.h"

#include "services/core/logging.h"

namespace engine {

TrialCancels::TrialCancels(EngineState& state, PlatformManager& platforms, Scope& scope)
    : m_state(state)
    , m_platforms(platforms)
    , m_scope(scope)
{
}

void TrialCancels::want(const TrialId& trial)
{
    const qint64 now = m_state.clock().steadyMs();
    m_retries.want(trial, now);
    if (m_timer && m_due <= now)
        return;
    m_due = now;
    m_timer = m_state.clock().after(0, [this] { send(); });
}

void TrialCancels::wantOnce(const TrialId& trial)
{
    m_once.insert(trial);
    want(trial);
}

void TrialCancels::arm()
{
    const std::optional<qint64> next = m_retries.nextDue();
    if (!next) {
        m_timer.reset();
        return;
    }
    if (m_timer && m_due <= *next)
        return;
    m_due = *next;
    m_timer = m_state.clock().after(std::max<qint64>(0, m_due - m_state.clock().steadyMs()), [this] { send(); });
}

void TrialCancels::send()
{
    m_timer.reset();
    QMap<std::pair<PlatformId, int>, QList<platforms::TrialRef>> calls;
    const QList<TrialId> due = m_retries.takeDue(m_state.clock().steadyMs());
    for (const TrialId& id : due) {
        const TrialEntry* entry = m_state.trial(id);
        const bool runs = entry && !isFinal(entry->trial->status);
        if ((m_once.remove(id) || runs) && entry && entry->trial->cancelIntent)
            calls[{entry->trial->platformId, int(*entry->trial->cancelIntent)}].append(
                TrialSupervisor::refOf(*entry, *m_state.experiment(entry->trial->experimentId)));
        if (!runs)
            m_retries.over(id);
    }
    for (auto it = calls.begin(); it != calls.end(); ++it)
        m_scope.spawn([this, id = it.key().first, intent = CancelIntent(it.key().second), refs = it.value()] {
            return sendNow(id, intent, refs);
        });
    arm();
}

Task<> TrialCancels::sendNow(PlatformId id, CancelIntent intent, QList<platforms::TrialRef> refs)
{
    platforms::Platform* platform = m_platforms.ready(id);
    if (!platform) {
        for (const platforms::TrialRef& ref : refs)
            m_retries.over(ref.trial); // it is sent again when the platform has opened
        co_return;
    }
    const Result<> cancelled = co_await platform->cancel(refs, intent);
    if (!cancelled)
        qCWarning(lcEngine) << "cancel on" << id.value << "failed:" << cancelled.error().message;
    const qint64 now = m_state.clock().steadyMs();
    for (const platforms::TrialRef& ref : refs)
        m_retries.answered(ref.trial, cancelled.has_value(), now);
    arm();
}

} // namespace engine
