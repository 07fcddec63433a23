// SPDX-License-Identifier: GPL-3.0-or-later
#include "why_waiting.h"

#include "models/machine_cells.h"
#include "services/core/message/localized.h"
#include "services/api/mirror.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

namespace {

struct WaitingWords
{
    Q_DECLARE_TR_FUNCTIONS(models::WhyWaiting)
};

struct Room
{
    int free = 0;     ///< whole GPUs that no process uses
    int sharable = 0; ///< GPUs that only trials of this service use
    QStringList notes;
    QList<int> reserved; ///< indices held by a person
};

bool usable(const Machine& machine, int index)
{
    return !machine.usableGpus || machine.usableGpus->contains(index);
}

Room roomOf(const Machine& machine, const api::Mirror& state)
{
    Room room;
    for (const Gpu& gpu : machine.gpus) {
        if (!usable(machine, gpu.index))
            continue;
        const GpuCell cell = gpuCell(machine, gpu, state);
        switch (cell.kind) {
        case CellKind::free:
            ++room.free;
            break;
        case CellKind::ours:
            if (cell.trials.size() < machine.maxTrialsPerGpu)
                ++room.free;
            else
                ++room.sharable;
            break;
        case CellKind::foreign:
            if (machine.useActiveGpu)
                ++room.free;
            else
                room.notes += WaitingWords::tr("GPU %1: %2, %3")
                                  .arg(cell.index)
                                  .arg(cell.holder, QLocale().formattedDataSize(gpu.memoryUsed, 0));
            break;
        case CellKind::reserved:
            room.reserved += cell.index;
            room.notes += WaitingWords::tr("GPU %1 reserved by you").arg(cell.index);
            break;
        case CellKind::service:
            room.notes += WaitingWords::tr("GPU %1: another service").arg(cell.index);
            break;
        case CellKind::silent:
            break;
        }
    }
    if (room.sharable > 0)
        room.notes.prepend(WaitingWords::tr("%n GPU(s) run trials", nullptr, room.sharable));
    return room;
}

bool takesTrials(const Machine& machine)
{
    return machine.state == MachineState::ready || machine.state == MachineState::connecting;
}

/// When it may start: computed from the number of trials before it, the number that run at once, and the durations of this
/// experiment's trials.
std::optional<std::pair<qint64, qint64>> forecast(const Trial& trial, const api::Mirror& state,
    const QList<TrialPtr>& queue, const Experiment& experiment, qint64 now)
{
    std::vector<qint64> took;
    qint64 running = 0;
    for (const TrialPtr& other : state.trialsOf(trial.experimentId)) {
        if (other->status == TrialStatus::succeeded && other->startTime && other->endTime)
            took.push_back(*other->endTime - *other->startTime);
        running += other->status == TrialStatus::running ? 1 : 0;
    }
    if (took.size() < 4 || running == 0 || experiment.state != ExperimentState::running)
        return {};
    std::sort(took.begin(), took.end());
    const auto quarter = [&](double q) { return double(took[size_t(q * double(took.size() - 1))]); };
    qint64 before = 0;
    for (const TrialPtr& other : queue) {
        if (other->id == trial.id)
            break;
        before += other->experimentId == trial.experimentId ? 1 : 0;
    }
    const double rounds = double(before) / double(running);
    return std::pair{now + qint64(rounds * quarter(0.25)), now + qint64((rounds + 1) * quarter(0.75))};
}

api::TrialSelection only(const Trial& trial)
{
    api::TrialSelection selection;
    selection.ids = {trial.id.value};
    return selection;
}

/// What the machines that the trial may use offer.
struct Places
{
    QList<std::pair<MachinePtr, Room>> rooms; ///< of machines that accept trials
    int mostFree = 0;
    int mostEver = 0;        ///< GPUs that one machine has for trials, in use or not
    bool areAllKnown = true; ///< false where the GPUs of a silent machine are not known
    QString mostFreeName;
    bool isFull = false; ///< the experiment has reached its limit of concurrent trials
};

/// The waiting trial and the state that concerns it.
struct Question
{
    const Trial& trial;
    const api::Mirror& state;
    const QList<TrialPtr>& queue;
    ExperimentPtr experiment;
    int wanted = 0; ///< GPUs
};

Offer offerOf(const Machine& machine, const Room& room, const Question& q)
{
    Offer offer{machine.id, machineName(machine, q.state), {}, {}, false};
    offer.offer =
        q.wanted > 0 ? WaitingWords::tr("%1 of %2").arg(room.free).arg(machine.gpus.size()) : WaitingWords::tr("open");
    offer.why =
        room.notes.isEmpty() && machine.gpus.isEmpty() ? core::localized(machine.gpuMessage) : room.notes.join(u", "_s);
    return offer;
}

/// Why a machine takes no trials.
QString wordOf(MachineState state)
{
    switch (state) {
    case MachineState::connecting:
    case MachineState::ready:
        return {};
    case MachineState::question:
        return WaitingWords::tr("has a question");
    case MachineState::silent:
        return WaitingWords::tr("silent");
    case MachineState::drained:
        return WaitingWords::tr("drained");
    case MachineState::failed:
        return WaitingWords::tr("failed");
    }
    return {};
}

Offer offerOfClosed(const Machine& machine, const api::Mirror& state)
{
    Offer offer{machine.id, machineName(machine, state), {}, {}, machine.state == MachineState::silent};
    offer.offer = offer.silent ? WaitingWords::tr("unknown") : WaitingWords::tr("none");
    offer.why = machine.message.isEmpty() ? wordOf(machine.state) : core::localized(machine.message);
    return offer;
}

Help release(const Trial& trial)
{
    api::PatchTrials patch{only(trial), {}, false};
    patch.set.hold = false;
    return {WaitingWords::tr("Release"), WaitingWords::tr("it takes its place in the queue"), patch};
}

/// Fills the offers, and the helps that concern a whole machine.
Places lookAtMachines(const Question& q, WhyWaiting& why)
{
    Places places;
    for (const MachinePtr& machine : q.state.machines().list()) {
        if (machine->platformId != q.trial.platformId)
            continue;
        if (!q.trial.wantedMachine.isEmpty() && machine->id != q.trial.wantedMachine)
            continue;
        const auto isUsable = [&](const Gpu& gpu) { return usable(*machine, gpu.index); };
        places.mostEver =
            std::max(places.mostEver, int(std::count_if(machine->gpus.begin(), machine->gpus.end(), isUsable)));
        places.areAllKnown = places.areAllKnown && (takesTrials(*machine) || !machine->gpus.isEmpty());
        if (!takesTrials(*machine)) {
            why.offers += offerOfClosed(*machine, q.state);
            if (machine->state == MachineState::drained)
                why.helps += Help{WaitingWords::tr("Undrain %1").arg(why.offers.last().name),
                    WaitingWords::tr("it takes trials again"),
                    api::ActOnMachine{machine->id, api::MachineAction::undrain, {}}};
            continue;
        }
        const Room room = roomOf(*machine, q.state);
        why.offers += offerOf(*machine, room, q);
        if (room.free > places.mostFree) {
            places.mostFree = room.free;
            places.mostFreeName = why.offers.last().name;
        }
        places.rooms.append({machine, room});
    }
    places.isFull = q.experiment && q.experiment->state == ExperimentState::running
        && q.experiment->count(TrialStatus::running) >= q.experiment->spec.trialConcurrency;
    return places;
}

bool canNeverFit(const Question& q, const Places& places)
{
    return q.wanted > places.mostEver && places.areAllKnown && !places.rooms.isEmpty();
}

void helpByLimit(const Question& q, const Places& places, QList<Help>& helps)
{
    if (!places.isFull || q.wanted > places.mostFree)
        return;
    api::PatchExperiment patch;
    patch.id = q.experiment->id;
    patch.trialConcurrency = q.experiment->spec.trialConcurrency + 1;
    helps += Help{WaitingWords::tr("Run %1 at once").arg(*patch.trialConcurrency),
        WaitingWords::tr("now %1 at once").arg(q.experiment->spec.trialConcurrency), patch};
}

/// Adds helps: run this one with fewer GPUs.
void helpBySize(const Question& q, const Places& places, QList<Help>& helps)
{
    if (q.wanted > places.mostFree && places.mostFree > 0) {
        api::PatchTrials patch{only(q.trial), {}, false};
        patch.set.gpuNumber = places.mostFree;
        helps += Help{WaitingWords::tr("Run on %n GPU(s)", nullptr, places.mostFree),
            places.isFull ? WaitingWords::tr("once it is its turn, on %1").arg(places.mostFreeName)
                          : WaitingWords::tr("starts now, on %1").arg(places.mostFreeName),
            patch};
    } else if (canNeverFit(q, places) && places.mostEver > 0) {
        api::PatchTrials patch{only(q.trial), {}, false};
        patch.set.gpuNumber = places.mostEver;
        helps += Help{WaitingWords::tr("Run on %n GPU(s)", nullptr, places.mostEver),
            WaitingWords::tr("no machine has more for it"), patch};
    }
}

/// Adds helps: give back reserved GPUs, or share those of other trials.
void helpByGpus(const Question& q, const Places& places, QList<Help>& helps)
{
    for (const auto& [machine, room] : places.rooms)
        if (q.wanted > room.free && room.free + room.reserved.size() >= q.wanted)
            helps += Help{WaitingWords::tr("Give back GPU %1").arg(room.reserved.first()),
                WaitingWords::tr("reserved by you on %1").arg(machineName(*machine, q.state)),
                api::ReserveGpu{machine->id, room.reserved.first(), {}, true}};
    const bool sharing = std::any_of(places.rooms.begin(), places.rooms.end(), [&](const auto& one) {
        return q.wanted > one.second.free && one.second.free + one.second.sharable >= q.wanted;
    });
    const PlatformPtr platform = q.state.platforms().find(q.trial.platformId);
    if (!sharing || !platform || platform->kind != u"local"_s)
        return;
    Json settings = platform->settings;
    const int most = settings.value("maxTrialNumberPerGpu", 1);
    settings["maxTrialNumberPerGpu"] = most + 1;
    helps += Help{WaitingWords::tr("Allow %1 trials a GPU").arg(most + 1),
        WaitingWords::tr("starts beside another one"), api::PutPlatform{platform->id, platform->kind, settings, {}}};
}

void helpByTurn(const Question& q, const Places& places, QList<Help>& helps)
{
    if (canNeverFit(q, places))
        return; // what can never start does not start sooner, and others do not wait for it
    const QString& id = q.trial.id.value;
    if (!q.queue.isEmpty() && q.queue.first()->id != q.trial.id)
        helps += Help{WaitingWords::tr("Move to the front"), WaitingWords::tr("it is next"),
            api::MoveQueue{{id}, q.queue.first()->id.value}};
    if (q.queue.size() > 1 && q.queue.last()->id != q.trial.id && q.wanted > places.mostFree)
        helps +=
            Help{WaitingWords::tr("Move to the end"), WaitingWords::tr("others go first"), api::MoveQueue{{id}, {}}};
}

} // namespace

WhyWaiting whyWaiting(const Trial& trial, const api::Mirror& state, const QList<TrialPtr>& queue, qint64 now)
{
    WhyWaiting why;
    if (trial.hold) {
        why.sentence = WaitingWords::tr("You hold it back.");
        why.helps += release(trial);
        return why;
    }
    why.sentence = core::localized(trial.reason);
    const Question q{trial, state, queue, state.experiments().find(trial.experimentId), trial.gpuNumber.value_or(0)};
    if (q.experiment && q.experiment->state == ExperimentState::paused)
        why.helps += Help{WaitingWords::tr("Resume the experiment"), WaitingWords::tr("its trials are placed again"),
            api::ActOnExperiment{q.experiment->id, api::ExperimentAction::resume}};
    const Places places = lookAtMachines(q, why);
    helpByLimit(q, places, why.helps);
    const PlatformPtr platform = state.platforms().find(trial.platformId);
    if (platform && !platform->capabilities.placement)
        return why; // the cluster's own scheduler has it: its order, its reasons and its estimate
    helpBySize(q, places, why.helps);
    helpByGpus(q, places, why.helps);
    helpByTurn(q, places, why.helps);
    if (q.experiment)
        why.start = forecast(trial, state, queue, *q.experiment, now);
    return why;
}

} // namespace models
