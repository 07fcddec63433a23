// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_cells.h"

#include "printable.h"

#include "services/api/mirror.h"

#include <QCoreApplication>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

namespace {

struct FleetWords
{
    Q_DECLARE_TR_FUNCTIONS(models::MachineCells)
};

} // namespace

QString machineName(const Machine& machine, const api::Mirror& state)
{
    const PlatformPtr platform = state.platforms().find(machine.platformId);
    if (platform && platform->kind == u"local"_s)
        return FleetWords::tr("this computer");
    const QString name = machine.address.isEmpty() ? machine.id.value : machine.address;
    const QString host = printable(name.section(u'@', -1), 80);
    // A numeric address is not shortened.
    return host.isEmpty() || host[0].isDigit() ? host : host.section(u'.', 0, 0);
}

QString platformName(const PlatformId& id)
{
    return id.value == u"local"_s ? FleetWords::tr("this computer") : printable(id.value, 80);
}

QString platformNameWithId(const PlatformId& id)
{
    const QString name = platformName(id);
    return name == id.value ? name : FleetWords::tr("%1 (%2)").arg(name, printable(id.value, 80));
}

GpuCell gpuCell(const Machine& machine, const Gpu& gpu, const api::Mirror& state)
{
    GpuCell cell;
    cell.index = gpu.index;
    cell.use = gpu.utilization;
    if (gpu.memoryTotal > 0)
        cell.memory = std::clamp(double(gpu.memoryUsed) / double(gpu.memoryTotal), 0.0, 1.0);
    QStringList names;
    for (const GpuReservation& reservation : gpu.reservations) {
        if (reservation.holder == core::GpuHolder::trial && !reservation.trialId.isEmpty()) {
            cell.trials += reservation.trialId;
            const TrialPtr trial = state.trial(reservation.trialId);
            names += trial ? QString::number(trial->sequenceId) : reservation.trialId.value;
        } else if (cell.reservation.holder == core::GpuHolder::none) {
            cell.reservation = reservation;
        }
    }
    cell.kind = gpuUse(machine, gpu);
    if (!names.isEmpty())
        cell.holder = names.join(u", "_s);
    else if (cell.reservation.holder == core::GpuHolder::person)
        cell.holder = FleetWords::tr("you");
    else if (cell.reservation.holder != core::GpuHolder::none)
        cell.holder = FleetWords::tr("service");
    else if (const GpuProcess* process = largestForeign(gpu))
        cell.holder = process->user.isEmpty() ? FleetWords::tr("someone") : printable(process->user, 80);
    else
        cell.holder = FleetWords::tr("free");
    if (cell.kind == CellKind::silent)
        cell.holder += u'?'; // the holder at the time of the last contact
    return cell;
}

QList<GpuCell> gpuCells(const Machine& machine, const api::Mirror& state)
{
    QList<GpuCell> cells;
    cells.reserve(machine.gpus.size());
    for (const Gpu& gpu : machine.gpus)
        cells.append(gpuCell(machine, gpu, state));
    return cells;
}

QString cellSentence(const GpuCell& cell, const Machine& machine, const api::Mirror& state)
{
    const QString where = FleetWords::tr("%1, GPU %2").arg(machineName(machine, state)).arg(cell.index);
    QString what;
    switch (cell.kind) {
    case CellKind::free:
        what = FleetWords::tr("free");
        break;
    case CellKind::ours:
        what = cell.trials.size() == 1 ? FleetWords::tr("trial %1").arg(cell.holder)
                                       : FleetWords::tr("trials %1").arg(cell.holder);
        break;
    case CellKind::foreign:
        what = FleetWords::tr("used by %1, not by us").arg(cell.holder);
        break;
    case CellKind::reserved:
        what = cell.reservation.note.isEmpty()
            ? FleetWords::tr("reserved, no trial is placed")
            : FleetWords::tr("reserved (%1), no trial is placed").arg(cell.reservation.note);
        break;
    case CellKind::service:
        what = FleetWords::tr("held by another service");
        break;
    case CellKind::silent:
        what = FleetWords::tr("silent; last known: %1").arg(cell.holder);
        break;
    }
    if (cell.use && cell.kind != CellKind::silent)
        return FleetWords::tr("%1: %2; use %3 %, memory %4 %")
            .arg(where, what)
            .arg(*cell.use)
            .arg(qRound(cell.memory * 100));
    return FleetWords::tr("%1: %2").arg(where, what);
}

QString modelLine(const Machine& machine)
{
    if (machine.gpus.isEmpty())
        return machine.gpuMessage.isEmpty() ? FleetWords::tr("no GPU") : printable(machine.gpuMessage);
    // `NVIDIA A100-SXM4-40GB` becomes `A100-SXM4-40GB`.
    QString model = printable(machine.gpus[0].model, 80);
    for (const QString& maker : {u"NVIDIA "_s, u"GeForce "_s})
        if (model.startsWith(maker))
            model = model.mid(maker.size());
    bool same = true;
    for (const Gpu& gpu : machine.gpus)
        same = same && gpu.model == machine.gpus[0].model;
    QString line = same ? u"%1 × %2"_s.arg(machine.gpus.size()).arg(model)
                        : FleetWords::tr("%n GPUs of several models", nullptr, int(machine.gpus.size()));
    const qint64 gib = qRound64(double(machine.gpus[0].memoryTotal) / (1024.0 * 1024 * 1024));
    if (same && gib > 0)
        line += FleetWords::tr(", %1 GiB").arg(gib);
    return line;
}

GpuCounts gpuCountsOf(const api::Mirror& state)
{
    GpuCounts counts;
    QSet<QString> counted;
    for (const MachinePtr& machine : state.machines().list()) {
        counts += gpuCounts(*machine, counted);
        for (const Gpu& gpu : machine->gpus)
            if (!gpu.uuid.isEmpty())
                counted.insert(gpu.uuid);
    }
    return counts;
}

} // namespace models
