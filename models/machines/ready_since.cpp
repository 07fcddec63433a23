// SPDX-License-Identifier: GPL-3.0-or-later
#include "ready_since.h"

#include "check_matrix.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

using core::CheckState;
using core::CheckStep;
using core::Machine;
using core::MachineState;
using core::OperationPtr;

namespace {

bool isUp(const Machine& machine)
{
    return machine.state == MachineState::ready || machine.state == MachineState::drained;
}

/// Whether the check did not get as far as the machine's agent, which contact with that agent contradicts.
bool isOutOfReach(const core::Operation& check)
{
    static const QStringList way{u"login"_s, u"hostKey"_s, u"agent"_s};
    return std::any_of(check.steps.begin(), check.steps.end(),
        [](const CheckStep& step) { return step.state == CheckState::fail && way.contains(step.id); });
}

} // namespace

ReadySince::ReadySince(EngineMirror& mirror, QObject* parent)
    : QObject(parent)
    , m_mirror(mirror)
{
    connect(&mirror, &EngineMirror::changed, this, [this](const api::ChangePtr& change) { follow(*change); });
    for (const core::MachinePtr& machine : mirror.state().machines().list())
        note(*machine, true);
}

void ReadySince::follow(const api::Change& change)
{
    if (change.full) {
        const QHash<core::MachineId, qint64> since = std::exchange(m_since, {});
        for (const core::MachinePtr& machine : m_mirror.state().machines().list()) {
            // What happened while there was no link is not known: only those that were ready before keep their time.
            if (isUp(*machine) && since.contains(machine->id))
                m_since.insert(machine->id, since.value(machine->id));
            else
                note(*machine, true);
        }
        return;
    }
    for (const core::MachineId& machine : change.removed.machines)
        m_since.remove(machine);
    for (const core::MachinePtr& machine : change.machines)
        note(*machine, false);
}

void ReadySince::note(const Machine& machine, bool isFirstSight)
{
    if (!isUp(machine))
        m_since.remove(machine.id);
    else if (!m_since.contains(machine.id))
        m_since.insert(machine.id, isFirstSight ? firstSight(machine) : machine.lastContact);
}

qint64 ReadySince::firstSight(const Machine& machine) const
{
    const OperationPtr check = latestCheck(m_mirror.state().requests().list(), machine);
    const bool isContradicted = check && check->state == core::OperationState::failed && isOutOfReach(*check)
        && machine.lastContact > check->endTime.value_or(check->createdTime);
    return isContradicted ? machine.lastContact : 0;
}

bool isOvertaken(const core::Operation& request, const ReadySince& since)
{
    if (request.state == core::OperationState::running || request.state == core::OperationState::succeeded)
        return false;
    const qint64 ended = request.endTime.value_or(request.createdTime);
    QSet<core::MachineId> failed;
    for (const CheckStep& step : request.steps)
        if (step.state == CheckState::fail)
            failed.insert(step.machineId.isEmpty() ? core::MachineId(request.subject) : step.machineId);
    return !failed.isEmpty() && std::all_of(failed.begin(), failed.end(), [&](const core::MachineId& machine) {
        return since.of(machine) >= ended && since.of(machine) > 0;
    });
}

} // namespace models
