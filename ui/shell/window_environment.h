// SPDX-License-Identifier: GPL-3.0-or-later
// The interface through which the window calls the application.
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
    QList<api::TrialSubmission> trials; ///< submitted in addition to the search; one of them fails on purpose
};

class WindowEnvironment
{
public:
    virtual ~WindowEnvironment() = default;

    /// Whether the engine runs in this process: then no trials are placed after the window closes, unless keepRunning() was
    /// called.
    [[nodiscard]] virtual bool ownsEngine() const = 0;
    /// Whether the window only shows an old experiment: no tray, nothing can be run.
    [[nodiscard]] virtual bool isArchive() const { return false; }
    /// `This computer`, or the address of the service.
    [[nodiscard]] virtual QString serviceName() const = 0;
    /// The data folder of this computer's service; empty if the service runs elsewhere.
    [[nodiscard]] virtual QString dataFolder() const = 0;
    [[nodiscard]] virtual core::Result<Demo> demo() const = 0;
    /// Reads an experiment's file (NNI's YAML, or JSON) and walks its code. Blocks; call on a pool thread. Independent of the
    /// WindowEnvironment's lifetime.
    using PlanReader = std::function<core::Result<models::ExperimentPlan>()>;
    [[nodiscard]] virtual PlanReader planReader(const QString& file) const = 0;
    /// Shows an old experiment of NNI (its folder, or its database) in a separate window; `done` is called on the GUI thread when
    /// the window is open or opening has failed.
    virtual void openOldExperiment(const QString& path, Theme& theme, std::function<void(core::Result<>)> done) = 0;
    /// Stops this process' engine and starts a background service that continues its work. `done` is called on the GUI thread
    /// once the service answers or the start has failed.
    virtual void keepRunning(std::function<void(core::Result<>)> done) = 0;
    /// For a link that was lost: starts the service again if it is one of this computer and does not run. `done` is called on the GUI
    /// thread.
    virtual void reach(std::function<void(core::Result<>)> done) = 0;
    /// Creates the run for Help, Pull the plug.
    [[nodiscard]] virtual std::unique_ptr<PlugRun> makePlugRun() = 0;
};

} // namespace ui
