// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "queries.h"

#include "services/api/engine_port.h"
#include "services/api/post_port.h"
#include "services/engine/experiments/experiment_commands.h"

namespace engine {

/// The single face of the service layer: commands in, changes out. Owns all state; lives on the service thread, on which every
/// method but those of the ports is called. Destroy only after close().
class Engine : public QObject, public EnginePort, public api::PostPort
{
    Q_OBJECT
public:
    /// `clock`, `secrets` and `kinds` outlive the engine.
    Engine(EngineConfig config, Clock& clock, secrets::SecretStore& secrets, platforms::PlatformRegistry& kinds,
        QObject* parent = nullptr);
    ~Engine() override;

    /// Loads what is stored, opens the platforms (which continues afterwards) and takes up the trials that live.
    [[nodiscard]] Task<Result<>> open();
    /// Trials go on. What is known is on disk afterwards.
    [[nodiscard]] Task<> close();

    void execute(Command command, std::function<void(Result<Reply>)> done) override;
    int listen(std::function<void(ChangePtr)> changed) override;
    void stopListening(int listener) override;
    void post(api::PostMetrics metrics, std::function<void(Result<api::PostReply>)> done) override;

    [[nodiscard]] EngineState& state() { return m_state; }
    [[nodiscard]] PlatformManager& platforms() { return m_platforms; }

private:
    [[nodiscard]] Task<> run(Command command, std::function<void(Result<Reply>)> done);
    [[nodiscard]] Task<Result<Reply>> dispatch(Command command);

    const EngineConfig m_config;
    Scope m_scope;
    store::Store m_store;
    ChangeFeed m_changes;
    EngineState m_state;
    PlatformManager m_platforms;
    MachineRegistry m_machines;
    LeftBehind m_left;
    TrialSupervisor m_supervisor;
    TrialCommands m_trials;
    ExperimentCommands m_experiments;
    Queries m_queries;
    std::atomic<int> m_nextListener{1};
    QHash<int, int> m_listeners; ///< our numbers to those of the change feed
    bool m_closing = false;
};

} // namespace engine
