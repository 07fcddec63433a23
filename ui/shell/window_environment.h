// SPDX-License-Identifier: GPL-3.0-or-later
// The interface through which the window calls the application.
#pragma once

#include "models/experiments/experiment_plan.h"
#include "ui/start/demo_run.h"
#include "ui/start/plug_run.h"

#include <functional>
#include <memory>

namespace ui {

class Theme;

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
    /// Where a document of the repository (`README.md`, `resources/api/openapi.yaml`) lies on this computer; empty: nowhere.
    [[nodiscard]] virtual QString documentFile(const QString& path) const
    {
        Q_UNUSED(path)
        return {};
    }
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
    /// Lets systemd run the service of this computer whenever the person is logged in. `done` is called on the GUI thread with a sentence for
    /// them.
    virtual void installService(std::function<void(core::Result<QString>)> done) = 0;
    /// Stops the service of this computer that runs in the background; running trials go on. `done` is called on the GUI thread.
    virtual void stopService(std::function<void(core::Result<>)> done) = 0;
    /// Creates the run for Help, Pull the plug.
    [[nodiscard]] virtual std::unique_ptr<PlugRun> makePlugRun() = 0;
};

} // namespace ui
