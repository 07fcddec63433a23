// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/window_environment.h"

namespace fakes {

/// The program around a window that has none.
class FakeEnvironment : public ui::WindowEnvironment
{
public:
    bool own = false;
    QString folder; ///< empty: the service runs elsewhere
    int kept = 0;
    int reached = 0;
    int installed = 0;
    int stopped = 0;
    bool archive = false;
    [[nodiscard]] bool ownsEngine() const override { return own; }
    [[nodiscard]] bool isArchive() const override { return archive; }
    [[nodiscard]] QString serviceName() const override { return QStringLiteral("This computer"); }
    [[nodiscard]] QString dataFolder() const override { return folder; }
    [[nodiscard]] core::Result<ui::Demo> demo() const override
    {
        ui::Demo demo;
        demo.experiment.name = QStringLiteral("demo");
        demo.trials.append(api::TrialSubmission{.parameters = "{}"});
        return demo;
    }
    [[nodiscard]] std::unique_ptr<ui::PlugRun> makePlugRun() override { return {}; }
    [[nodiscard]] PlanReader planReader(const QString& file) const override
    {
        return [file] { return core::fail(core::Kind::invalid, file + QStringLiteral(" cannot be read.")); };
    }
    void openOldExperiment(const QString&, ui::Theme&, std::function<void(core::Result<>)> done) override { done({}); }
    void keepRunning(std::function<void(core::Result<>)> done) override
    {
        ++kept;
        done({});
    }
    void installService(std::function<void(core::Result<QString>)> done) override
    {
        ++installed;
        done(QStringLiteral("Installed."));
    }
    void stopService(std::function<void(core::Result<>)> done) override
    {
        ++stopped;
        done({});
    }
    void reach(std::function<void(core::Result<>)> done) override
    {
        ++reached;
        done({});
    }
};

} // namespace fakes
