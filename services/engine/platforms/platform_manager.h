// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/command.h"
#include "services/core/scope.h"
#include "services/core/strand.h"
#include "services/engine/state/engine_state.h"
#include "services/engine/state/operation_log.h"
#include "services/platforms/platform.h"
#include "services/platforms/platform_registry.h"
#include "services/secrets/secret_store.h"

namespace engine {

struct EngineConfig
{
    QString dataDir;    ///< store, code, trial folders; the caller holds its lock
    QString configDir;  ///< platforms/<id>.json
    QString serviceId;  ///< of the data directory, [a-z0-9]
    QString keeperPath; ///< the trialkeeper of this computer
};

/// Configured platforms: their settings and secrets on disk, their life, and their facts on the way to whoever works with trials.
/// Service thread only.
class PlatformManager : public QObject
{
    Q_OBJECT
public:
    PlatformManager(const EngineConfig& config, EngineState& state, secrets::SecretStore& secrets,
        platforms::PlatformRegistry& kinds, Scope& scope);
    ~PlatformManager() override;

    /// Reads the settings and starts opening each; a platform that fails to open says so in its state. `local` is made if absent.
    [[nodiscard]] Task<Result<>> open();
    [[nodiscard]] Task<> close();

    /// Null unless it is open; a pointer must not be kept over a co_await without asking again.
    [[nodiscard]] platforms::Platform* ready(const PlatformId& id) const;
    [[nodiscard]] const platforms::KindDescription* kindOf(const PlatformId& id) const;
    [[nodiscard]] Json kinds() const; ///< GET /platform-kinds
    /// Where the unpacked code of that hash lies on this computer.
    [[nodiscard]] QString codeFolder(const QString& sha) const
    {
        return m_config.dataDir + QStringLiteral("/code/") + sha;
    }
    [[nodiscard]] const EngineConfig& config() const { return m_config; }

    [[nodiscard]] Task<Result<Reply>> put(PutPlatform command);
    [[nodiscard]] Task<Result<Reply>> remove(DeletePlatform command);
    [[nodiscard]] Task<Result<Reply>> check(CheckPlatform command);
    [[nodiscard]] Task<Result<Reply>> checkMachine(MachineId machine);
    [[nodiscard]] Task<Result<Reply>> trust(MachineId machine, QString fingerprint);
    [[nodiscard]] Task<Result<Reply>> choices(PlatformChoices command);
    [[nodiscard]] Task<Result<Reply>> setMetadata(SetMetadata command);
    [[nodiscard]] Result<Reply> getMetadata(const GetMetadata& command) const;
    [[nodiscard]] Result<Reply> answer(const AnswerPrompt& command);
    /// The default `trial_config` of later experiments on the platform; null when none was set.
    [[nodiscard]] Json trialConfig(const PlatformId& id) const;
    void restoreMetadata(const QMap<QString, QByteArray>& values);

    [[nodiscard]] OperationLog& requests() { return m_requests; }

signals:
    void opened(const core::PlatformId& id);
    void observed(const core::PlatformId& id, const platforms::Observation& observation);
    void records(const core::PlatformId& id, const platforms::RecordBytes& bytes);
    void machinesSeen(const core::PlatformId& id, const QList<core::Machine>& machines);
    void lost(const core::PlatformId& id, const core::MachineId& machine, qint64 since);
    void progressed(const core::TrialId& trial, const QString& text);
    void noted(const core::TrialId& trial, core::TrialEventKind kind, const QString& text);
    /// A platform goes: its machines are no more.
    void removed(const core::PlatformId& id);

private:
    void examine(const OperationId& request, const PlatformId& platform, const MachineId& machine,
        platforms::CheckExtent extent);
    /// Whoever waits for its answer.
    std::function<void(PromptAnswer)> forgetPrompt(PromptId id);
    class PlatformSink;
    struct Entry;

    [[nodiscard]] platforms::Context contextOf(const PlatformId& id, platforms::Sink* sink) const;
    [[nodiscard]] QString fileOf(const PlatformId& id) const;
    void start(Entry& entry);
    [[nodiscard]] Task<> run(PlatformId id, Json settings);
    [[nodiscard]] Task<Result<Json>> withSecrets(PlatformId id, QString kind, Json shown);
    [[nodiscard]] Task<Result<>> writeSettings(PlatformId id, QString kind, Json settings, qint64 version);
    [[nodiscard]] bool hasLiveTrials(const PlatformId& id) const;
    void changePlatform(Entry& entry, const std::function<void(Platform&)>& modify);

    const EngineConfig m_config;
    EngineState& m_state;
    secrets::SecretStore& m_secrets;
    platforms::PlatformRegistry& m_kinds;
    Scope& m_scope;
    OperationLog m_requests;
    Strand m_files{QStringLiteral("settings")};
    std::map<PlatformId, std::unique_ptr<Entry>> m_entries;
    QHash<PromptId, std::function<void(PromptAnswer)>> m_promptAnswers;
    QMap<QString, QByteArray> m_metadata; ///< `metadata/<platform>/<key>`
    IdMaker m_ids;
};

} // namespace engine
