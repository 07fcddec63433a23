// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment_cleanup.h"

#include "services/api/out_of_reach.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace engine {

namespace {

/// One entry of an `outOfReach` list.
Json entryOf(const QString& machine, const QStringList& trials)
{
    Json ids = Json::array();
    for (const QString& trial : trials)
        ids.push_back(trial);
    return {{"machineId", machine}, {"trialIds", ids}};
}

QStringList idsOf(const QList<platforms::TrialRef>& refs)
{
    QStringList ids;
    for (const platforms::TrialRef& ref : refs)
        ids.append(ref.trial.value);
    return ids;
}

Message listed(const QStringList& ids)
{
    constexpr qsizetype named = 5;
    const Message others = ids.size() > named ? u" and %1 more"_m.arg(ids.size() - named) : Message();
    return ids.first(std::min(named, ids.size())).join(u", "_s) + others;
}

} // namespace

ExperimentCleanup::ExperimentCleanup(
    EngineState& state, PlatformManager& platforms, TrialSupervisor& supervisor, LeftBehind& left, CodeSnapshots& code)
    : m_state(state)
    , m_platforms(platforms)
    , m_supervisor(supervisor)
    , m_left(left)
    , m_code(code)
{
}

bool ExperimentCleanup::isReached(const TrialEntry& entry) const
{
    const Trial& trial = *entry.trial;
    return !entry.state.submitted
        || (trial.status != TrialStatus::unknown && m_left.answers(trial.platformId, trial.machineId));
}

bool ExperimentCleanup::isOutOfSettings(const Place& place) const
{
    return !place.second.isEmpty() && !m_state.machines.contains(place.second) && m_platforms.ready(place.first)
        && m_state.placesTrials(place.first);
}

ExperimentCleanup::Refs ExperimentCleanup::foldersOf(const Experiment& experiment) const
{
    Refs refs;
    for (const TrialEntry* entry : m_state.trialsOf(experiment.id))
        if (entry->state.submitted && !entry->state.cleaned)
            refs[{entry->trial->platformId, entry->trial->machineId}].append(
                TrialSupervisor::refOf(*entry, experiment));
    return refs;
}

Result<> ExperimentCleanup::reached(const ExperimentId& id, bool folders) const
{
    QMap<Place, QStringList> silent;
    for (const TrialEntry* entry : m_state.trialsOf(id)) {
        const Trial& trial = *entry->trial;
        const Place place{trial.platformId, trial.machineId};
        if (!isFinal(trial.status)) {
            // One that is connecting, right after the start of the service, is asked, and answers or is lost.
            if (trial.status == TrialStatus::unknown)
                silent[place].append(trial.id.value);
            continue;
        }
        if (!folders || !entry->state.submitted || entry->state.cleaned || isOutOfSettings(place))
            continue;
        const MachinePtr machine = m_state.machines.value(trial.machineId);
        const bool isConnecting = machine && machine->state == MachineState::connecting;
        if (!isConnecting && !m_left.answers(trial.platformId, trial.machineId))
            silent[place].append(trial.id.value);
    }
    if (silent.isEmpty())
        return {};
    QStringList places;
    Json machines = Json::array();
    for (auto it = silent.cbegin(); it != silent.cend(); ++it) {
        places.append(u"%1 (%2)"_s.arg(nameOf(it.key()), listed(it.value())));
        machines.push_back(entryOf(nameOf(it.key()), it.value()));
    }
    return tl::unexpected(api::outOfReachError(
        u"Trials of this experiment are on machines that do not answer: %1. Wait until they are back, or give up what "
        u"is "
        u"there (force; --force on the command line): the trials end here at once as USER_CANCELED, and once a machine "
        "answers again they are ended there, too%2."_m.arg(
            places.join(u"; "_s), folders ? u" and their folders removed"_m : Message()),
        machines));
}

void ExperimentCleanup::giveUpSilent(const ExperimentId& id)
{
    const std::vector<TrialEntry*> trials = m_state.trialsOf(id);
    for (TrialEntry* entry : trials)
        if (!isFinal(entry->trial->status) && !isReached(*entry))
            m_supervisor.giveUpSilent(*entry);
}

Task<Result<>> ExperimentCleanup::leave(OperationId request, Place place, QList<platforms::TrialRef> refs)
{
    const Result<> kept = co_await m_left.added(place.first, refs, true);
    if (!kept)
        co_return fail(kept, u"What is left on %1 cannot be noted"_m.arg(nameOf(place)));
    const bool isGone = isOutOfSettings(place);
    m_platforms.requests().step(request,
        {nameOf(place), nameOf(place), CheckState::warn,
            u"%1 trial folders stay there: %2."_m.arg(refs.size())
                .arg(isGone ? u"the machine is not in the settings any more"_m : u"it does not answer"_m),
            isGone ? u"Add the machine again, and they are removed; or delete them there by hand."_m
                   : u"They are removed once it answers again, and what may run of them is ended."_m});
    co_return Result<>{};
}

Task<Json> ExperimentCleanup::run(ExperimentId id, OperationId request, bool force)
{
    struct Removal
    {
        Place place;
        QList<platforms::TrialRef> refs;
        Task<Result<>> task;
    };
    Json left = Json::array();
    const ExperimentPtr experiment = m_state.experiment(id);
    if (!experiment)
        co_return left;
    std::vector<Removal> removals; // of all machines at once
    std::vector<std::pair<Place, QList<platforms::TrialRef>>> leaving;
    Result<> all{};
    const Refs folders = foldersOf(*experiment);
    for (auto it = folders.cbegin(); it != folders.cend(); ++it) {
        const Place& place = it.key();
        platforms::Platform* platform = m_platforms.ready(place.first);
        if (isOutOfSettings(place) || (force && !m_left.answers(place.first, place.second)))
            leaving.emplace_back(place, it.value());
        else if (platform)
            removals.push_back({place, it.value(), platform->remove(id, it.value())});
        else
            all = fail(Kind::conflict, u"The platform %1 is not open."_m.arg(place.first.value));
    }
    // What the platform has of it beside the trials that are known here: a job whose submit was not recorded, for example.
    int strays = 0;
    if (platforms::Platform* platform = m_platforms.ready(experiment->spec.platformId)) {
        QSet<TrialId> known;
        for (const TrialEntry* entry : m_state.trialsOf(id))
            known.insert(entry->trial->id);
        auto removing = platform->removeUnknown(id, known);
        const Result<int> removed = co_await removing;
        if (removed)
            strays = *removed;
        else if (!force)
            all = fail(removed);
    }
    QMap<PlatformId, qsizetype> counts;
    for (Removal& removal : removals) {
        const Result<> removed = co_await removal.task;
        if (!removed && force) {
            leaving.emplace_back(removal.place, removal.refs);
            continue;
        }
        if (!removed) {
            all = fail(removed);
            continue;
        }
        for (const platforms::TrialRef& ref : std::as_const(removal.refs))
            if (TrialEntry* entry = m_state.trial(ref.trial))
                m_state.changeState(*entry, [](store::TrialPrivate& state) { state.cleaned = 1; });
        counts[removal.place.first] += removal.refs.size();
    }
    for (const auto& [place, refs] : leaving) {
        const Result<> kept = co_await leave(request, place, refs);
        if (!kept)
            all = fail(kept);
        left.push_back(entryOf(nameOf(place), idsOf(refs)));
    }
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        m_platforms.requests().step(request,
            {it.key().value, it.key().value, CheckState::ok, u"%1 trial folders were removed."_m.arg(it.value()), {}});
    if (strays > 0)
        m_platforms.requests().step(request,
            {u"unknown"_s, experiment->spec.platformId.value, CheckState::ok,
                u"%1 things that belong to no trial of the experiment here were removed."_m.arg(strays), {}});
    if (all)
        co_await m_code.removeUnused(id);
    m_state.saveSoon(store::Durability::normal);
    m_platforms.requests().finish(request, all);
    co_return left;
}

} // namespace engine
