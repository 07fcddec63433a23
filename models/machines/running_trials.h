// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"

#include <set>

namespace models {

/// The trials that run on each machine, kept up to date by the trials that change. GUI thread.
class RunningTrials : public QObject
{
    Q_OBJECT
public:
    explicit RunningTrials(EngineMirror& mirror, QObject* parent = nullptr);

    /// In order of submission.
    [[nodiscard]] QList<core::TrialPtr> on(const core::MachineId& machine) const;
    [[nodiscard]] int count(const core::MachineId& machine) const;

signals:
    /// The machines that got or lost a running trial.
    void changed(const QSet<core::MachineId>& machines);

private:
    void follow(const api::Change& change);
    void take(const core::Trial& trial, QSet<core::MachineId>& touched);
    void drop(const core::TrialId& trial, QSet<core::MachineId>& touched);

    EngineMirror& m_mirror;
    QHash<core::TrialId, core::MachineId> m_where;
    QHash<core::MachineId, std::set<core::TrialId>> m_on;
};

} // namespace models
