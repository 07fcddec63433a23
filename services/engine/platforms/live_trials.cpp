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
        const QString& place = trial.machineId.isEmpty() ? id.value : trial.machineId.value;
        if (!places.contains(place))
            places.append(place);
    }
    if (live.isEmpty())
        return {};
    const Message others = live.size() > named ? u" and %1 more"_m.arg(live.size() - named) : Message();
    return fail(Kind::conflict,
        u"Trials are under way on %1, which could not be followed any more: %2%3. Cancel them or wait for their end, "
        u"or use force "
        "to give them up; they may then run on there."_m.arg(
            places.join(u", "_s), live.first(std::min(named, live.size())).join(u", "_s), others),
        api::forceMark);
}

QList<MachineId> machinesOfLive(const EngineState& state, const PlatformId& id)
{
    QSet<MachineId> machines;
    for (const TrialEntry* entry : state.trials())
        if (entry->trial->platformId == id && entry->state.submitted && !isFinal(entry->trial->status))
            machines.insert(entry->trial->machineId);
    return machines.values();
}

} // namespace engine
