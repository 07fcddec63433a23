// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment_plan.h"

namespace models {

/// Creates a planned experiment in steps: packs and uploads its code if ExperimentPlan::pack is set, creates its platform if it
/// is new, then creates the experiment. Destroying this object cancels the remaining steps. GUI thread.
class PlanRun : public QObject
{
    Q_OBJECT
public:
    PlanRun(EngineMirror& mirror, ExperimentPlan plan, PlanPlace place, QObject* parent);

    void start();

signals:
    /// The current step, as text for the user.
    void told(const QString& what);
    /// Emitted once, at the end.
    void finished(const core::Result<core::ExperimentId>& created);

private:
    void ask(api::Command command, std::function<void(const core::Result<api::Reply>&)> done);
    void send(const CodeArchive& archive);
    void useCode();
    void makePlatform();
    void create();

    EngineMirror& m_mirror;
    ExperimentPlan m_plan;
    PlanPlace m_place;
    CodeArchive m_archive; ///< held until the service has stored it
};

} // namespace models
