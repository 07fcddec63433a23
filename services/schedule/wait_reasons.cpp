// SPDX-License-Identifier: GPL-3.0-or-later
#include "wait_reasons.h"

#include <QDateTime>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace schedule {

namespace {

constexpr int machinesInSentence = 4; ///< more than these are summed up; the table has all
constexpr int notesInSentence = 2;

Message count(qint64 number, const Message& one, const Message& many)
{
    return (number == 1 ? one : many).arg(QLocale(QLocale::English).toString(number));
}

Message gpuCount(int number)
{
    return count(number, u"%1 GPU"_m, u"%1 GPUs"_m);
}

QString clockTime(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms).toString(u"HH:mm"_s);
}

Message quoted(const QString& note)
{
    return note.isEmpty() ? Message() : u" (“%1”)"_m.arg(note.simplified().left(80));
}

Message foreignWords(const GpuView& view)
{
    const GpuProcess* largest = nullptr;
    int more = -1;
    for (const GpuProcess& process : view.gpu->processes) {
        if (!process.compute || !process.trialId.isEmpty())
            continue;
        ++more;
        if (!largest || process.memoryUsed > largest->memoryUsed)
            largest = &process;
    }
    if (!largest)
        return {};
    Message name = largest->name.section(u' ', 0, 0).section(u'/', -1).left(40);
    if (name.isEmpty())
        name = u"process %1"_m.arg(largest->pid);
    Message words = u"GPU %1 is busy with %2"_m.arg(view.gpu->index).arg(name);
    if (!largest->user.isEmpty())
        words += u" of user "_m + largest->user;
    if (largest->memoryUsed > 0)
        words += u" (%1 MiB)"_m.arg(QLocale(QLocale::English).toString(largest->memoryUsed / (1024 * 1024)));
    if (more > 0)
        words += u" and %1 more"_m.arg(more);
    return words;
}

/// Why a GPU is left to another service: what its lock said, where that is known.
Message serviceWords(const GpuView& view)
{
    for (const GpuReservation& reservation : view.gpu->reservations)
        if (reservation.holder == GpuHolder::service && !reservation.note.isEmpty())
            return reservation.note.section(u". "_s, 0, 0).left(200);
    return u"GPU %1 is held by another service"_m.arg(view.gpu->index);
}

/// What holds the GPUs of a machine that are not free.
Message heldWords(const MachineView& view)
{
    QList<Message> parts;
    int full = 0;
    int fullTrials = 0;
    QStringList excluded;
    QStringList split;
    for (const GpuView& gpu : view.gpus) {
        const QString index = QString::number(gpu.gpu->index);
        switch (gpu.now.block) {
        case GpuBlock::none:
            break;
        case GpuBlock::full:
            ++full;
            fullTrials += gpu.now.own;
            break;
        case GpuBlock::person: {
            QString note;
            for (const GpuReservation& reservation : gpu.gpu->reservations) {
                if (reservation.holder == GpuHolder::person)
                    note = reservation.note;
            }
            parts.append(u"GPU %1 is reserved by a person%2"_m.arg(index, quoted(note)));
            break;
        }
        case GpuBlock::service:
            parts.append(serviceWords(gpu));
            break;
        case GpuBlock::foreign:
            parts.append(foreignWords(gpu));
            break;
        case GpuBlock::excluded:
            excluded.append(index);
            break;
        case GpuBlock::split:
            split.append(index);
            break;
        }
    }
    if (full == 1)
        parts.prepend(fullTrials > 1 ? u"1 runs %1 trials"_m.arg(fullTrials) : u"1 runs a trial"_m);
    else if (full > 1)
        parts.prepend(
            fullTrials > full ? u"%1 run %2 trials"_m.arg(full).arg(fullTrials) : u"%1 run trials"_m.arg(full));
    if (!excluded.isEmpty())
        parts.append(u"gpuIndices leaves out %1"_m.arg(excluded.join(u", "_s)));
    if (!split.isEmpty())
        parts.append(u"GPU %1 is split into MIG devices"_m.arg(split.join(u", "_s)));
    return join(parts, u"; "_s);
}

MachineSight sightOf(const MachineView& view)
{
    MachineSight sight;
    sight.machine = view.machine->id;
    sight.state = view.machine->state;
    sight.gpus = view.usable;
    sight.whole = view.usableWhole;
    sight.free = view.open ? view.free : 0;
    sight.freeWhole = view.open ? view.freeWhole : 0;
    sight.trials = view.trials;
    sight.note = view.open ? heldWords(view) : machineStateWords(*view.machine);
    if (view.open && view.gpus.empty())
        sight.note = view.machine->gpuMessage;
    return sight;
}

void makeSights(PlatformView& view)
{
    if (view.sights)
        return;
    QList<MachineSight> sights;
    sights.reserve(qsizetype(view.machines.size()));
    for (const MachineView& machine : view.machines)
        sights.append(sightOf(machine));
    std::stable_sort(sights.begin(), sights.end(), [](const MachineSight& a, const MachineSight& b) {
        return std::tuple(-a.free, a.state != MachineState::ready, a.machine)
            < std::tuple(-b.free, b.state != MachineState::ready, b.machine);
    });
    view.sights = std::make_shared<const QList<MachineSight>>(std::move(sights));
}

Message sightWords(const MachineSight& sight, int wanted, bool withNote)
{
    if (sight.state != MachineState::ready)
        return u"%1 is %2"_m.arg(sight.machine.value, sight.note);
    const int free = wanted > 1 ? sight.freeWhole : sight.free;
    const int all = wanted > 1 ? sight.whole : sight.gpus;
    if (all == 0)
        return u"%1 has no GPU for trials%2"_m.arg(
            sight.machine.value, sight.note.isEmpty() || !withNote ? Message() : u" ("_m + sight.note + u')');
    Message words = u"%1 has %2 free"_m.arg(sight.machine.value).arg(free);
    if (withNote && !sight.note.isEmpty())
        words += u" of %1 (%2)"_m.arg(all).arg(sight.note);
    return words;
}

/// "a; b; c; 197 more have at most 0 free".
Message machinesWords(const QList<MachineSight>& sights, int wanted)
{
    QList<Message> parts;
    for (qsizetype i = 0; i < std::min<qsizetype>(sights.size(), machinesInSentence); ++i)
        parts.append(sightWords(sights.at(i), wanted, i < notesInSentence));
    if (sights.size() > machinesInSentence) {
        int most = 0;
        int closed = 0;
        for (qsizetype i = machinesInSentence; i < sights.size(); ++i) {
            most = std::max(most, wanted > 1 ? sights.at(i).freeWhole : sights.at(i).free);
            closed += sights.at(i).state != MachineState::ready;
        }
        const qsizetype rest = sights.size() - machinesInSentence;
        if (closed == rest)
            parts.append(u"none of the other %1 machines takes trials now"_m.arg(rest));
        else
            parts.append(u"of %1 more none has over %2 free"_m.arg(rest).arg(most));
    }
    return join(parts, u"; "_s);
}

WaitReasonPtr plain(WaitKind kind, const Message& sentence)
{
    auto reason = std::make_shared<WaitReason>();
    reason->kind = kind;
    reason->sentence = sentence;
    return reason;
}

} // namespace

Message machineStateWords(const Machine& machine)
{
    const Message detail = machine.message.isEmpty() ? Message() : u": "_s + machine.message;
    switch (machine.state) {
    case MachineState::ready:
        return {};
    case MachineState::connecting:
        return u"being connected"_m;
    case MachineState::question:
        return u"waiting for an answer of a person"_m + detail;
    case MachineState::silent:
        return (machine.lastContact > 0 ? u"silent since %1"_m.arg(clockTime(machine.lastContact)) : u"silent"_m)
            + detail;
    case MachineState::drained:
        return u"drained"_m;
    case MachineState::failed:
        return u"out of order"_m + detail;
    }
    return {};
}

WaitReasonPtr holdReason()
{
    return plain(WaitKind::hold, u"on hold until a person releases it"_m);
}

WaitReasonPtr platformReason(const PlatformId& id, const Platform* platform)
{
    if (!platform)
        return plain(WaitKind::platform, u"the platform %1 is not there any more"_m.arg(id.value));
    Message state;
    switch (platform->state) {
    case PlatformState::opening:
        state = u"is being opened"_m;
        break;
    case PlatformState::ready:
        state = u"is ready"_m;
        break;
    case PlatformState::question:
        state = u"waits for an answer of a person"_m;
        break;
    case PlatformState::silent:
        state = u"does not answer"_m;
        break;
    case PlatformState::failed:
        state = u"could not be opened"_m;
        break;
    case PlatformState::closed:
        state = u"is closed"_m;
        break;
    }
    Message sentence = u"the platform %1 %2"_m.arg(id.value, state);
    if (!platform->message.isEmpty())
        sentence += u": "_s + platform->message;
    return plain(WaitKind::platform, sentence);
}

WaitReasonPtr restingReason(const PlatformId& id, const Message& why)
{
    return plain(WaitKind::platform, u"the platform %1 is given no trials for now: %2"_m.arg(id.value, why));
}

WaitReasonPtr experimentReason(const ExperimentQuota* quota)
{
    if (!quota)
        return plain(WaitKind::experiment, u"its experiment is not there any more"_m);
    Message sentence;
    switch (quota->state) {
    case ExperimentState::preparing:
        sentence = u"the experiment is being prepared"_m;
        break;
    case ExperimentState::running:
        sentence = u"the experiment runs"_m;
        break;
    case ExperimentState::paused:
        sentence = u"the experiment is paused"_m;
        break;
    case ExperimentState::stopping:
        sentence = u"the experiment is being stopped"_m;
        break;
    case ExperimentState::stopped:
        sentence = u"the experiment is stopped"_m;
        break;
    case ExperimentState::done:
        sentence = u"the experiment is done"_m;
        break;
    case ExperimentState::error:
        sentence = u"the experiment cannot run because of an error"_m;
        break;
    }
    return plain(WaitKind::experiment, sentence);
}

WaitReasonPtr concurrencyReason(int running, int concurrency)
{
    if (running > concurrency)
        return plain(WaitKind::concurrency,
            u"%1 of this experiment run, more than the %2 now allowed at once"_m
                .arg(count(running, u"%1 trial"_m, u"%1 trials"_m))
                .arg(concurrency));
    return plain(WaitKind::concurrency,
        u"%1 of %2 of this experiment %3"_m.arg(running).arg(
            count(concurrency, u"%1 trial"_m, u"%1 trials"_m), running == 1 ? u"runs"_m : u"run"_m));
}

WaitReasonPtr machineReason(WaitKind kind, const PlacementClass& what, PlatformView& view)
{
    makeSights(view);
    const int wanted = std::max(0, what.gpuNumber.value_or(0));
    auto reason = std::make_shared<WaitReason>();
    reason->kind = kind;
    reason->wanted = wanted;
    reason->machines = view.sights;

    QList<MachineSight> sights = *view.sights;
    if (!what.wantedMachine.isEmpty())
        erase_if(sights, [&](const MachineSight& sight) { return sight.machine != what.wantedMachine; });
    const MachineSight* largest = nullptr;
    for (const MachineSight& sight : std::as_const(sights)) {
        reason->available = std::max(reason->available, wanted > 1 ? sight.freeWhole : sight.free);
        const int all = wanted > 1 ? sight.whole : sight.gpus;
        if (!largest || all > reason->largest)
            largest = &sight;
        reason->largest = std::max(reason->largest, all);
    }

    const QString platform = what.platform.value;
    if (sights.isEmpty()) {
        reason->sentence = what.wantedMachine.isEmpty()
            ? u"the platform %1 has no machine yet"_m.arg(platform)
            : u"wants the machine %1, which the platform %2 does not have"_m.arg(what.wantedMachine.value, platform);
    } else if (kind == WaitKind::never) {
        const Message need = u"needs %1; "_m.arg(gpuCount(wanted));
        const Message note = largest->note.isEmpty() || largest->state != MachineState::ready
            ? Message()
            : u" (%1)"_m.arg(largest->note);
        if (reason->largest == 0)
            reason->sentence = need
                + (sights.size() == 1 ? u"%1 has none for trials%2"_m.arg(largest->machine.value, note)
                                      : u"no machine of the platform %1 has one for trials"_m.arg(platform));
        else if (sights.size() == 1)
            reason->sentence = need + u"%1 has %2"_m.arg(largest->machine.value).arg(reason->largest);
        else
            reason->sentence =
                need + u"the largest machine, %1, has %2"_m.arg(largest->machine.value).arg(reason->largest);
        if (reason->largest > 0 && wanted > 1 && largest->gpus > largest->whole)
            reason->sentence += u" (MIG devices serve trials of 1 GPU)"_m;
        reason->sentence += u", so it can never start on this platform"_m;
    } else if (kind == WaitKind::machines) {
        QList<Message> parts;
        for (qsizetype i = 0; i < std::min<qsizetype>(sights.size(), machinesInSentence); ++i)
            parts.append(u"%1 is %2"_m.arg(sights.at(i).machine.value, sights.at(i).note));
        if (sights.size() > machinesInSentence)
            parts.append(u"and %1 more"_m.arg(sights.size() - machinesInSentence));
        reason->sentence = u"no machine takes trials now: "_m + join(parts, u"; "_s);
        if (!what.wantedMachine.isEmpty())
            reason->sentence =
                u"wants the machine %1, which is %2"_m.arg(what.wantedMachine.value, sights.first().note);
    } else {
        reason->sentence = u"needs %1; %2"_m.arg(gpuCount(wanted), machinesWords(sights, wanted));
    }
    return reason;
}

} // namespace schedule
