// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_registry.h"

#include "services/core/record_json.h"

using namespace Qt::StringLiterals;

namespace engine {

namespace {

/// Load, free disk and time of contact change on an idle machine, too; placing does not ask for them.
bool sameRoom(const Machine& a, const Machine& b)
{
    return a.state == b.state && a.message == b.message && a.gpuMessage == b.gpuMessage && a.cpuCount == b.cpuCount
        && a.gpus == b.gpus && a.maxTrialsPerGpu == b.maxTrialsPerGpu && a.useActiveGpu == b.useActiveGpu
        && a.usableGpus == b.usableGpus;
}

} // namespace

MachineRegistry::MachineRegistry(EngineState& state, store::Store& store)
    : m_state(state)
    , m_store(store)
{
}

void MachineRegistry::restore(const QList<store::ReservationRow>& reservations, const QMap<QString, QByteArray>& values)
{
    for (const store::ReservationRow& row : reservations)
        m_reservations[row.machine][row.gpuIndex].append(row.reservation);
    for (auto it = values.begin(); it != values.end(); ++it)
        if (it.key().startsWith(u"drained/"))
            m_drained.insert(it.key().mid(8), true);
    m_usage.restore(values);
}

void MachineRegistry::seen(const PlatformId& platform, const QList<Machine>& machines)
{
    QSet<MachineId> present;
    for (const Machine& machine : machines)
        present.insert(machine.id);
    QList<MachineId> gone;
    for (const Machine& known : std::as_const(m_facts))
        if (known.platformId == platform && !present.contains(known.id))
            gone.append(known.id);
    for (const MachineId& id : gone) {
        const QList<MachineId> twins = twinsOf(id);
        m_facts.remove(id);
        setComputer(id, {});
        m_state.machines.remove(id);
        m_counts -= m_counted.take(id);
        m_state.changes().removed(id);
        for (const MachineId& twin : twins)
            rebuildOne(twin);
    }
    // A platform reports all of its machines whenever one has changed.
    bool room = !gone.isEmpty();
    for (const Machine& machine : machines) {
        const auto known = m_facts.find(machine.id);
        if (known != m_facts.end() && *known == machine)
            continue;
        room |= known == m_facts.end() || !sameRoom(*known, machine);
        m_facts.insert(machine.id, machine);
        rebuild(machine.id);
    }
    if (!gone.isEmpty())
        noteUsage();
    if (room)
        emit roomMade();
}

void MachineRegistry::computer(const MachineId& machine, const QString& bootId)
{
    if (m_computers.value(machine) == bootId)
        return;
    const QList<MachineId> before = twinsOf(machine);
    setComputer(machine, bootId);
    for (const MachineId& twin : before)
        rebuildOne(twin);
    rebuild(machine);
    emit roomMade();
}

void MachineRegistry::platformGone(const PlatformId& platform)
{
    seen(platform, {});
}

void MachineRegistry::lost(const PlatformId& platform, const MachineId& machine, qint64 since)
{
    for (Machine& facts : m_facts) {
        if (facts.platformId != platform || (!machine.isEmpty() && facts.id != machine))
            continue;
        // The platform's own reason (a refused login, a question) is more precise: it stays.
        if (facts.state == MachineState::ready)
            facts.state = MachineState::silent;
        facts.lastContact = since;
        rebuild(facts.id);
    }
}

void MachineRegistry::setNote(const MachineId& machine, const Message& text)
{
    if (m_notes.value(machine) == text)
        return;
    if (text.isEmpty())
        m_notes.remove(machine);
    else
        m_notes.insert(machine, text);
    rebuildOne(machine);
}

void MachineRegistry::hold(const Trial& trial)
{
    for (const int index : trial.gpuIndices)
        m_reservations[trial.machineId][index].append(
            {GpuHolder::trial, trial.id, trial.startTime.value_or(m_state.clock().nowMs()), {}});
    if (!trial.gpuIndices.isEmpty())
        rebuild(trial.machineId);
}

void MachineRegistry::release(const Trial& trial)
{
    for (const int index : trial.gpuIndices)
        m_reservations[trial.machineId][index].removeIf([&](const GpuReservation& r) { return r.trialId == trial.id; });
    if (!trial.gpuIndices.isEmpty())
        rebuild(trial.machineId);
    emit roomMade();
}

void MachineRegistry::follow(const Trial& trial)
{
    const std::optional<ClusterShare> share = clusterShareOf(trial);
    const MachineId before = m_sharesAt.value(trial.id);
    if (!before.isEmpty() && (!share || before != trial.machineId)) {
        m_sharesAt.remove(trial.id);
        QMap<TrialId, ClusterShare>& there = m_shares[before];
        there.remove(trial.id);
        if (there.isEmpty())
            m_shares.remove(before);
        rebuild(before);
    }
    if (!share || m_shares.value(trial.machineId).value(trial.id) == *share)
        return;
    m_sharesAt.insert(trial.id, trial.machineId);
    m_shares[trial.machineId].insert(trial.id, *share);
    rebuild(trial.machineId);
}

void MachineRegistry::setComputer(const MachineId& machine, const QString& bootId)
{
    m_onComputer.remove(m_computers.take(machine), machine);
    if (bootId.isEmpty())
        return;
    m_computers.insert(machine, bootId);
    m_onComputer.insert(bootId, machine);
}

QList<MachineId> MachineRegistry::twinsOf(const MachineId& id) const
{
    const auto computer = m_computers.constFind(id);
    if (computer == m_computers.cend())
        return {};
    QList<MachineId> twins = m_onComputer.values(*computer);
    twins.removeOne(id);
    return twins;
}

QList<MachineRegistry::Place> MachineRegistry::sameGpu(const Gpu& gpu, const QList<MachineId>& twins) const
{
    QList<Place> places;
    if (gpu.uuid.isEmpty())
        return places;
    for (const MachineId& twin : twins)
        for (const Gpu& other : m_facts.value(twin).gpus)
            if (other.uuid == gpu.uuid)
                places.append({twin, other.index});
    return places;
}

void MachineRegistry::rebuild(const MachineId& id)
{
    rebuildOne(id);
    for (const MachineId& twin : twinsOf(id))
        rebuildOne(twin);
}

void MachineRegistry::rebuildOne(const MachineId& id)
{
    const auto facts = m_facts.constFind(id);
    if (facts == m_facts.cend())
        return;
    auto machine = std::make_shared<Machine>(*facts);
    if (m_drained.contains(id.value) && machine->state == MachineState::ready)
        machine->state = MachineState::drained;
    if (const Message note = m_notes.value(id); !note.isEmpty())
        machine->message += (machine->message.isEmpty() ? QString() : u" "_s) + note;
    const auto held = m_reservations.constFind(id);
    const QList<MachineId> twins = twinsOf(id);
    QSet<QString> elsewhere; // a GPU counts where the first of the computer's names lists it
    for (Gpu& gpu : machine->gpus) {
        if (held != m_reservations.cend())
            gpu.reservations += held->value(gpu.index);
        for (const Place& same : sameGpu(gpu, twins)) {
            gpu.reservations += m_reservations.value(same.machine).value(same.index);
            if (same.machine < id)
                elsewhere.insert(gpu.uuid);
        }
    }
    if (const auto shares = m_shares.constFind(id); shares != m_shares.cend())
        holdClusterGpus(*machine, *shares);
    const GpuCounts counts = gpuCounts(*machine, elsewhere);
    GpuCounts& counted = m_counted[id];
    const bool recount = counts != counted;
    m_counts -= std::exchange(counted, counts);
    m_counts += counts;
    const MachinePtr before = m_state.machines.value(id);
    if (!before || *before != *machine) {
        m_state.machines.insert(id, machine);
        m_state.changes().touch(MachinePtr(machine));
    } else if (!recount) {
        return;
    }
    noteUsage();
}

void MachineRegistry::noteUsage()
{
    store::Batch batch;
    batch.values = m_usage.note(m_state.clock().nowMs(), m_counts);
    if (!batch.values.isEmpty())
        m_store.commit(std::move(batch), store::Durability::normal);
}

Reply MachineRegistry::usage(const ReadGpuUsage& command) const
{
    Reply reply;
    reply.document = gpuUsageJson(m_usage.samples(command.since));
    return reply;
}

Result<> MachineRegistry::isOursToPlace(const Machine& machine) const
{
    const PlatformPtr platform = m_state.platforms.value(machine.platformId);
    if (!platform || platform->capabilities.placement)
        return {};
    return fail(Kind::conflict,
        u"%1 is a machine of the platform %2, whose own scheduler decides what runs there: "
        "it cannot be drained or reserved here."_m.arg(machine.address, machine.platformId.value));
}

Task<Result<Reply>> MachineRegistry::reserve(ReserveGpu command)
{
    const MachinePtr machine = m_state.machines.value(command.machine);
    if (!machine)
        co_return fail(Kind::not_found, u"There is no machine \"%1\"."_m.arg(command.machine.value));
    if (const Result<> ours = isOursToPlace(*machine); !ours && !command.release)
        co_return fail(ours);
    const auto gpu = std::find_if(
        machine->gpus.begin(), machine->gpus.end(), [&](const Gpu& g) { return g.index == command.index; });
    if (gpu == machine->gpus.end())
        co_return fail(Kind::not_found,
            u"%1 has no GPU %2; it has %3."_m.arg(machine->address).arg(command.index).arg(machine->gpus.size()));
    const auto isPerson = [](const GpuReservation& r) { return r.holder == GpuHolder::person; };
    store::Batch batch;
    // It may have been reserved under the computer's other name.
    for (const Place& same : sameGpu(*gpu, twinsOf(command.machine)))
        if (m_reservations[same.machine][same.index].removeIf(isPerson) > 0)
            batch.releasedReservations.append({same.machine, same.index});
    QList<GpuReservation>& held = m_reservations[command.machine][command.index];
    held.removeIf(isPerson);
    if (command.release) {
        batch.releasedReservations.append({command.machine, command.index});
    } else {
        const GpuReservation reservation{GpuHolder::person, TrialId(), m_state.clock().nowMs(), command.note};
        held.append(reservation);
        batch.reservations.append({command.machine, command.index, reservation});
    }
    rebuild(command.machine);
    const Result<> committed = co_await m_store.committed(std::move(batch), store::Durability::full);
    if (!committed)
        co_return fail(committed);
    if (command.release)
        emit roomMade();
    co_return Reply{.document = toJson(*m_state.machines.value(command.machine))};
}

Task<Result<Reply>> MachineRegistry::setDrained(MachineId id, bool drained)
{
    if (!m_state.machines.contains(id))
        co_return fail(Kind::not_found, u"There is no machine \"%1\"."_m.arg(id.value));
    if (const Result<> ours = isOursToPlace(*m_state.machines.value(id)); !ours && drained)
        co_return fail(ours);
    store::Batch batch;
    batch.values.insert(u"drained/"_s + id.value, drained ? QByteArray("1") : QByteArray());
    if (drained)
        m_drained.insert(id.value, true);
    else
        m_drained.remove(id.value);
    rebuild(id);
    const Result<> committed = co_await m_store.committed(std::move(batch), store::Durability::full);
    if (!committed)
        co_return fail(committed);
    if (!drained)
        emit roomMade();
    co_return Reply{.document = toJson(*m_state.machines.value(id))};
}

} // namespace engine
