// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment_plan.h"

namespace models {

/// Makes a planned experiment, one step after the other: its code is packed and sent where the service cannot read it here, its
/// platform made where it is new, then the experiment itself. Destroying it ends it: nothing more is asked then.
class PlanRun : public QObject
{
    Q_OBJECT
public:
    PlanRun(EngineMirror& mirror, ExperimentPlan plan, PlanPlace place, QObject* parent);

    void start();

signals:
    /// What is being done now, for a person.
    void told(const QString& what);
    /// Once, at the end.
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
    CodeArchive m_archive; ///< there until it was taken
};

} // namespace models
