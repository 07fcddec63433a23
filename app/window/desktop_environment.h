// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/data_dir_lock.h"
#include "app/client/service_locator.h"
#include "app/commands/context.h"
#include "services/client/engine_client.h"
#include "ui/shell/window_environment.h"

namespace app {

class OwnEngine;

/// Which service the window shows, and what only the program can do for it.
class DesktopEnvironment : public QObject, public ui::WindowEnvironment
{
    Q_OBJECT
public:
    DesktopEnvironment(CommandLine line, commands::Surroundings around);
    ~DesktopEnvironment() override;

    /// Chooses the service: that of --connect, the one that runs for the data directory, else our own.
    [[nodiscard]] Result<> choose();
    [[nodiscard]] client::EngineClient& client() { return *m_client; }

    [[nodiscard]] bool ownsEngine() const override { return m_own != nullptr; }
    [[nodiscard]] QString serviceName() const override;
    [[nodiscard]] QString dataFolder() const override;
    [[nodiscard]] QString documentFile(const QString& path) const override;
    [[nodiscard]] Result<ui::Demo> demo() const override;
    [[nodiscard]] PlanReader planReader(const QString& file) const override;
    void openOldExperiment(const QString& path, ui::Theme& theme, std::function<void(Result<>)> done) override;
    void keepRunning(std::function<void(Result<>)> done) override;
    void installService(std::function<void(Result<QString>)> done) override;
    void stopService(std::function<void(Result<>)> done) override;
    void reach(std::function<void(Result<>)> done) override;
    [[nodiscard]] std::unique_ptr<ui::PlugRun> makePlugRun() override;

private:
    /// `locate`: where the service is now.
    [[nodiscard]] Result<> attach(const std::function<Result<Endpoint>()>& locate);
    [[nodiscard]] ServiceWish ownService() const;
    /// Runs `trialdeckd service VERB` for this data directory; a failure has what it printed.
    void runService(const QString& verb, std::function<void(Result<>)> done);
    [[nodiscard]] Result<> attachBySsh();

    CommandLine m_line;
    commands::Surroundings m_around;
    Paths m_paths;
    DataDirLock m_lock;
    bool m_logged = false;
    bool m_isReaching = false;
    QString m_url;               ///< of a service elsewhere
    std::shared_ptr<void> m_way; ///< a tunnel to it
    std::unique_ptr<client::EngineClient> m_client;
    OwnEngine* m_own = nullptr;
};

/// The demo's documents as values: the folder's experiment with the environment of the caller, and its further trials.
[[nodiscard]] Result<ui::Demo> readDemo(const QString& folder, const QProcessEnvironment& environment);

/// Where a document of the repository lies: beside the programs of `programFolder` as they are installed, else in the folder around
/// `resources`. Empty: nowhere.
[[nodiscard]] QString findDocument(const QString& path, const QString& programFolder, const QString& resources);

/// What `experiment create --dry-run` shows, as a value: by the same reader. For a service elsewhere the plan packs the code of this
/// computer, to be sent there, also what would be used in place; without `ownFolders` (Paths::folders()). Blocks.
[[nodiscard]] Result<models::ExperimentPlan> readPlan(const QString& file, const QProcessEnvironment& environment,
    const QStringList& ownFolders, bool serviceIsElsewhere = false);

} // namespace app
