// SPDX-License-Identifier: GPL-3.0-or-later
#include "why_waiting.h"

#include "models/machine_cells.h"
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
    int free = 0;     ///< whole GPUs without anybody
    int sharable = 0; ///< GPUs that only our trials hold
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

/// When it may start: the trials before it, over what runs at once, by how long this experiment's trials took.
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

} // namespace

WhyWaiting whyWaiting(const Trial& trial, const api::Mirror& state, const QList<TrialPtr>& queue, qint64 now)
{
    WhyWaiting why;
    why.sentence = trial.reason;
    const ExperimentPtr experiment = state.experiments().find(trial.experimentId);
    if (trial.hold) {
        why.sentence = WaitingWords::tr("You hold it back.");
        api::PatchTrials patch{only(trial), {}, false};
        patch.set.hold = false;
        why.helps += Help{WaitingWords::tr("Release"), WaitingWords::tr("it takes its place in the queue"), patch};
        return why;
    }
    if (experiment && experiment->state == ExperimentState::paused)
        why.helps += Help{WaitingWords::tr("Resume the experiment"), WaitingWords::tr("its trials are placed again"),
            api::ActOnExperiment{experiment->id, api::ExperimentAction::resume}};

    const int wanted = trial.gpuNumber.value_or(0);
    int mostFree = 0;
    QString mostFreeName;
    QList<std::pair<MachinePtr, Room>> rooms;
    for (const MachinePtr& machine : state.machines().list()) {
        if (machine->platformId != trial.platformId)
            continue;
        if (!trial.wantedMachine.isEmpty() && machine->id != trial.wantedMachine)
            continue;
        Offer offer{machine->id, machineName(*machine, state), {}, {}, false};
        if (takesTrials(*machine)) {
            const Room room = roomOf(*machine, state);
            offer.offer = wanted > 0 ? WaitingWords::tr("%1 of %2").arg(room.free).arg(machine->gpus.size())
                                     : WaitingWords::tr("open");
            offer.why =
                room.notes.isEmpty() && machine->gpus.isEmpty() ? machine->gpuMessage : room.notes.join(u", "_s);
            if (room.free > mostFree) {
                mostFree = room.free;
                mostFreeName = offer.name;
            }
            rooms.append({machine, room});
        } else {
            offer.silent = machine->state == MachineState::silent;
            offer.offer = offer.silent ? WaitingWords::tr("unknown") : WaitingWords::tr("none");
            offer.why = machine->message.isEmpty() ? machineStateName(machine->state).toLower() : machine->message;
            if (machine->state == MachineState::drained)
                why.helps +=
                    Help{WaitingWords::tr("Undrain %1").arg(offer.name), WaitingWords::tr("it takes trials again"),
                        api::ActOnMachine{machine->id, api::MachineAction::undrain, {}}};
        }
        why.offers += offer;
    }

    const bool full = experiment && experiment->state == ExperimentState::running
        && experiment->count(TrialStatus::running) >= experiment->spec.trialConcurrency;
    if (full && wanted <= mostFree) {
        api::PatchExperiment patch;
        patch.id = experiment->id;
        patch.trialConcurrency = experiment->spec.trialConcurrency + 1;
        why.helps += Help{WaitingWords::tr("Run %1 at once").arg(*patch.trialConcurrency),
            WaitingWords::tr("now %1 at once").arg(experiment->spec.trialConcurrency), patch};
    }
    if (wanted > mostFree && mostFree > 0) {
        api::PatchTrials patch{only(trial), {}, false};
        patch.set.gpuNumber = mostFree;
        why.helps += Help{WaitingWords::tr("Run on %n GPU(s)", nullptr, mostFree),
            full ? WaitingWords::tr("once it is its turn, on %1").arg(mostFreeName)
                 : WaitingWords::tr("starts now, on %1").arg(mostFreeName),
            patch};
    }
    for (const auto& [machine, room] : std::as_const(rooms))
        if (wanted > room.free && room.free + room.reserved.size() >= wanted)
            why.helps += Help{WaitingWords::tr("Give back GPU %1").arg(room.reserved.first()),
                WaitingWords::tr("reserved by you on %1").arg(machineName(*machine, state)),
                api::ReserveGpu{machine->id, room.reserved.first(), {}, true}};
    const bool sharing = std::any_of(rooms.begin(), rooms.end(),
        [&](const auto& one) { return wanted > one.second.free && one.second.free + one.second.sharable >= wanted; });
    const PlatformPtr platform = state.platforms().find(trial.platformId);
    if (sharing && platform && platform->kind == u"local"_s) {
        Json settings = platform->settings;
        const int now = settings.value("maxTrialNumberPerGpu", 1);
        settings["maxTrialNumberPerGpu"] = now + 1;
        why.helps +=
            Help{WaitingWords::tr("Allow %1 trials a GPU").arg(now + 1), WaitingWords::tr("starts beside another one"),
                api::PutPlatform{platform->id, platform->kind, settings, {}}};
    }
    if (!queue.isEmpty() && queue.first()->id != trial.id)
        why.helps += Help{WaitingWords::tr("Move to the front"), WaitingWords::tr("it is next"),
            api::MoveQueue{{trial.id.value}, queue.first()->id.value}};
    if (queue.size() > 1 && queue.last()->id != trial.id && wanted > mostFree)
        why.helps += Help{WaitingWords::tr("Move to the end"), WaitingWords::tr("others go first"),
            api::MoveQueue{{trial.id.value}, {}}};
    if (experiment)
        why.start = forecast(trial, state, queue, *experiment, now);
    return why;
}

} // namespace models
