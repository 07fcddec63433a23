// SPDX-License-Identifier: GPL-3.0-or-later
#include "running_trials.h"

namespace models {

using core::MachineId;
using core::Trial;
using core::TrialId;

RunningTrials::RunningTrials(EngineMirror& mirror, QObject* parent)
    : QObject(parent)
    , m_mirror(mirror)
{
    connect(&mirror, &EngineMirror::changed, this, [this](const api::ChangePtr& change) { follow(*change); });
    QSet<MachineId> touched;
    for (const core::TrialPtr& trial : mirror.state().trials())
        take(*trial, touched);
}

QList<core::TrialPtr> RunningTrials::on(const MachineId& machine) const
{
    QList<core::TrialPtr> trials;
    if (const auto found = m_on.constFind(machine); found != m_on.cend())
        for (const TrialId& id : *found)
            if (const core::TrialPtr trial = m_mirror.state().trial(id))
                trials.append(trial);
    return trials;
}

int RunningTrials::count(const MachineId& machine) const
{
    const auto found = m_on.constFind(machine);
    return found == m_on.cend() ? 0 : int(found->size());
}

void RunningTrials::follow(const api::Change& change)
{
    QSet<MachineId> touched;
    if (change.full) {
        for (auto it = m_on.cbegin(); it != m_on.cend(); ++it)
            touched.insert(it.key());
        m_on.clear();
        m_where.clear();
        for (const core::TrialPtr& trial : m_mirror.state().trials())
            take(*trial, touched);
    } else {
        for (const TrialId& id : change.removed.trials)
            drop(id, touched);
        if (!change.removed.experiments.isEmpty()) // their trials go with them
            for (const TrialId& id : m_where.keys())
                if (!m_mirror.state().trial(id))
                    drop(id, touched);
        for (const core::TrialPtr& trial : change.trials)
            take(*trial, touched);
    }
    if (!touched.isEmpty())
        emit changed(touched);
}

void RunningTrials::take(const Trial& trial, QSet<MachineId>& touched)
{
    const bool runs = trial.status == core::TrialStatus::running && !trial.machineId.isEmpty();
    const auto known = m_where.constFind(trial.id);
    if (known != m_where.cend() && runs && *known == trial.machineId)
        return;
    drop(trial.id, touched);
    if (!runs)
        return;
    m_where.insert(trial.id, trial.machineId);
    m_on[trial.machineId].insert(trial.id);
    touched.insert(trial.machineId);
}

void RunningTrials::drop(const TrialId& trial, QSet<MachineId>& touched)
{
    const auto known = m_where.constFind(trial);
    if (known == m_where.cend())
        return;
    const MachineId machine = m_where.take(trial);
    m_on[machine].erase(trial);
    if (m_on[machine].empty())
        m_on.remove(machine);
    touched.insert(machine);
}

} // namespace models
