// SPDX-License-Identifier: GPL-3.0-or-later
// What the window needs of the program around it.
#pragma once

#include "plug_run.h"

#include "models/experiments/experiment_plan.h"
#include "services/api/command.h"

#include <functional>
#include <memory>

namespace ui {

class Theme;

struct Demo
{
    core::ExperimentSpec experiment;
    QList<api::TrialSubmission> trials; ///< beside the search, among them the one that fails on purpose
};

class WindowEnvironment
{
public:
    virtual ~WindowEnvironment() = default;

    /// The engine runs in this process: closing the window ends placing, unless it is handed over.
    [[nodiscard]] virtual bool ownsEngine() const = 0;
    /// It only shows what once was: no tray, nothing to run.
    [[nodiscard]] virtual bool isArchive() const { return false; }
    /// `This computer`, or the address of the service.
    [[nodiscard]] virtual QString serviceName() const = 0;
    /// Where the files of this computer's service are; empty when attached to one elsewhere.
    [[nodiscard]] virtual QString dataFolder() const = 0;
    [[nodiscard]] virtual core::Result<Demo> demo() const = 0;
    /// What reads an experiment's file (NNI's YAML, or our JSON) and looks at its code. It blocks: for another thread; needs no host.
    using PlanReader = std::function<core::Result<models::ExperimentPlan>()>;
    [[nodiscard]] virtual PlanReader planReader(const QString& file) const = 0;
    /// Shows what NNI left of an experiment (its folder, or its database) in a window of its own; `done` comes when it is there.
    virtual void openOldExperiment(const QString& path, Theme& theme, std::function<void(core::Result<>)> done) = 0;
    /// Ends the own engine and starts a service in the background that goes on with everything. `done` comes once it answers.
    virtual void keepRunning(std::function<void(core::Result<>)> done) = 0;
    /// Help, Pull the plug.
    [[nodiscard]] virtual std::unique_ptr<PlugRun> makePlugRun() = 0;
};

} // namespace ui
