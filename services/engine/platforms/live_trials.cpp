// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_trials.h"

#include "services/api/error_marks.h"

using namespace Qt::StringLiterals;

namespace engine {

bool hasLiveTrials(const EngineState& state, const PlatformId& id)
{
    return std::any_of(state.trials().begin(), state.trials().end(), [&](const TrialEntry* entry) {
        return entry->trial->platformId == id && entry->state.submitted && !isFinal(entry->trial->status);
    });
}

Result<> noLiveTrials(const EngineState& state, const PlatformId& id, const QList<MachineId>& machines)
{
    constexpr qsizetype named = 5;
    QStringList live;
    QStringList places;
    for (const TrialEntry* entry : state.trials()) {
        const Trial& trial = *entry->trial;
        if (trial.platformId != id || !entry->state.submitted || isFinal(trial.status)
            || !machines.contains(trial.machineId))
            continue;
        live.append(trial.id.value);
        if (!places.contains(trial.machineId.value))
            places.append(trial.machineId.value);
    }
    if (live.isEmpty())
        return {};
    const QString others = live.size() > named ? u" and %1 more"_s.arg(live.size() - named) : QString();
    return fail(Kind::conflict,
        u"Trials are under way on %1, which could not be followed any more: %2%3. Cancel them or wait for their end, "
        u"or use force "
        "to give them up; they may then run on there."_s.arg(
            places.join(u", "_s), live.first(std::min(named, live.size())).join(u", "_s), others),
        api::forceMark);
}

} // namespace engine
