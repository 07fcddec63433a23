// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_queue.h"
#include "open_retries.h"
#include "platform_metadata.h"
#include "platform_prompts.h"
#include "platform_settings.h"

#include "services/api/command.h"
#include "services/core/scope.h"
#include "services/engine/state/engine_state.h"
#include "services/engine/state/operation_log.h"
#include "services/platforms/platform.h"
#include "services/platforms/platform_registry.h"
#include "services/secrets/secret_store.h"

namespace engine {

/// How trials post their metrics to this service (services/http/ingest).
struct IngestAccess
{
    QString url;    ///< without a slash at its end; empty: they cannot
    QByteArray key; ///< of trial::ingestToken()
};

struct EngineConfig
{
    QString dataDir;         ///< store, code, trial folders; the caller holds its lock
    QString configDir;       ///< platforms/<id>.json
    QString serviceId;       ///< of the data directory, [a-z0-9]
    QString keeperPath;      ///< the trialkeeper of this computer
    QString stateDir;        ///< logs; may be empty
    QByteArray placementKey; ///< secret of the data directory (platforms::Context)
    IngestAccess ingest;
    store::WriteWatch storeWatch; ///< for tests

    /// What belongs to Trialdeck and is no code of trials.
    [[nodiscard]] QStringList ownFolders() const { return {dataDir, configDir, stateDir}; }
};

/// Configured platforms: their settings, their life, and their facts on the way to the engine's other parts. Commands of one
/// platform run one after the other, in the order of their arrival. Service thread only.
class PlatformManager : public QObject
{
    Q_OBJECT
public:
    PlatformManager(const EngineConfig& config, EngineState& state, store::Store& store, secrets::SecretStore& secrets,
        platforms::PlatformRegistry& kinds, Scope& scope);
    ~PlatformManager() override;

    /// Reads the settings and starts opening each; a platform that fails to open says so in its state. `local` is made if absent.
    [[nodiscard]] Task<Result<>> open();
    [[nodiscard]] Task<> close();

    /// Null unless it is open; a pointer must not be kept over a co_await without asking again.
    [[nodiscard]] platforms::Platform* ready(const PlatformId& id) const;
    [[nodiscard]] const platforms::KindDescription* kindOf(const PlatformId& id) const;
    /// The options of an experiment on that platform, checked and completed; those of a kind that describes none stay as they are.
    [[nodiscard]] Result<Json> checkedOptions(const PlatformId& id, const Json& options) const;
    [[nodiscard]] QList<platforms::KindDescription> kinds() const { return m_kinds.kinds(); }
    /// Where the unpacked code of that hash lies on this computer.
    [[nodiscard]] QString codeFolder(const QString& sha) const
    {
        return platforms::snapshotFolder(m_config.dataDir, sha);
    }
    [[nodiscard]] const EngineConfig& config() const { return m_config; }

    /// An open platform that can take its new settings over stays open; else it is closed and another one is opened. Settings that
    /// an open platform refuses change nothing. Settings with which trials under way could not be followed need `force`: those are
    /// given up.
    [[nodiscard]] Task<Result<Reply>> put(PutPlatform command);
    [[nodiscard]] Task<Result<Reply>> remove(DeletePlatform command);
    [[nodiscard]] Task<Result<Reply>> removeMachine(RemoveMachine command);
    [[nodiscard]] Task<Result<Reply>> check(CheckPlatform command);
    [[nodiscard]] Task<Result<Reply>> retry(RetryPlatform command);
    [[nodiscard]] Task<Result<Reply>> checkMachine(MachineId machine);
    [[nodiscard]] Task<Result<Reply>> trust(MachineId machine, QString fingerprint);
    [[nodiscard]] Task<Result<Reply>> choices(PlatformChoices command);
    [[nodiscard]] Task<Result<Reply>> setMetadata(SetMetadata command);
    [[nodiscard]] Result<Reply> getMetadata(const GetMetadata& command) const;

    [[nodiscard]] OperationLog& requests() { return m_requests; }
    [[nodiscard]] PlatformPrompts& prompts() { return m_prompts; }
    [[nodiscard]] PlatformMetadata& metadata() { return m_metadata; }

signals:
    void opened(const core::PlatformId& id);
    /// Its settings changed while it stayed open; contact with these machines ended with it, so their trials must be adopted again.
    void reconfigured(const core::PlatformId& id, const QList<core::MachineId>& machines);
    void observed(const core::PlatformId& id, const platforms::Observation& observation);
    void records(const core::PlatformId& id, const platforms::RecordBytes& bytes);
    void machinesSeen(const core::PlatformId& id, const QList<core::Machine>& machines);
    void computerSeen(const core::MachineId& machine, const QString& bootId);
    void lost(const core::PlatformId& id, const core::MachineId& machine, qint64 since);
    void progressed(const core::TrialId& trial, const core::Message& text);
    void noted(const core::TrialId& trial, core::TrialEventKind kind, const Message& text);
    /// Trials of these machines cannot be followed any more, and a person accepted that.
    void leftBehind(const core::PlatformId& id, const QList<core::MachineId>& machines);
    /// Everything of this service was deleted on the machine.
    void cleared(const core::MachineId& machine);
    /// A platform goes: its machines are no more.
    void removed(const core::PlatformId& id);

private:
    class PlatformSink;
    struct Entry;

    /// put() for a caller that holds the platform's turn.
    [[nodiscard]] Task<Result<Reply>> putInTurn(PutPlatform command);
    /// Checks in the background; with a machine, that one alone. The steps and the end go to the operation.
    void examine(const OperationId& request, const std::shared_ptr<Entry>& entry, const Json& settings,
        const MachineId& machine, platforms::CheckExtent extent);
    [[nodiscard]] platforms::Context contextOf(Entry& entry, const Json& settings);
    /// Null when it has none, because it failed before there was a platform.
    [[nodiscard]] std::shared_ptr<Entry> entryOf(const PlatformId& id) const;
    [[nodiscard]] std::shared_ptr<Entry> openEntry(const PlatformId& id) const;
    /// Makes a platform of the record's kind and settings, and opens it in the background.
    void start(const PlatformId& id);
    [[nodiscard]] Task<> run(std::shared_ptr<Entry> entry, QString kind, Json settings);
    [[nodiscard]] Task<> reopen(PlatformId id);
    /// `from`: nothing is stored when another life of the platform has come meanwhile.
    void storeSecret(const PlatformId& id, const platforms::Sink* from, const QString& field, const QString& value);
    /// Closes it, unless it is null or closed already.
    [[nodiscard]] Task<> end(std::shared_ptr<Entry> entry);
    [[nodiscard]] bool isEnding() const; ///< the service is
    /// Does nothing for a platform that was removed.
    void changePlatform(const PlatformId& id, const std::function<void(Platform&)>& modify);

    const EngineConfig m_config;
    EngineState& m_state;
    platforms::PlatformRegistry& m_kinds;
    Scope& m_scope;
    OperationLog m_requests;
    PlatformSettings m_settings;
    CommandQueue m_commands;
    PlatformPrompts m_prompts;
    PlatformMetadata m_metadata;
    OpenRetries m_retries;
    std::map<PlatformId, std::unique_ptr<TimerHandle>> m_retryTimers;
    std::map<PlatformId, std::shared_ptr<Entry>> m_entries; ///< by platform, the newest life of each
};

} // namespace engine
