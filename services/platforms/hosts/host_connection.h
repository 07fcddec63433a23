// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"
#include "services/transport/agent_client.h"

#include <functional>
#include <memory>

namespace platforms {

/// One machine of the platform's settings: the facts known before its agent answers, and how to connect to the agent.
struct HostSetup
{
    Machine machine; ///< id, address and the limits that placement reads
    transport::AgentClient::LinkFactory link;
    transport::AgentReconnect reconnect; ///< delays between attempts to reconnect
    bool sharesFiles = false;            ///< the machine can read this computer's files: code is not copied
    /// Digest of all settings of the machine except the limits of setLimits(). A different digest means that the machine must be
    /// reconnected.
    QByteArray connection;
    /// Digest of the settings that say where the machine's trials are: address, account and folder. With a different one they may
    /// not be found. Empty: they are always found.
    QByteArray place;
    /// Accepts the host key with this fingerprint; empty where there are no host keys.
    std::function<Task<Result<>>(QString fingerprint)> trust;
    /// Returns the session id of a process on the machine; used to attribute GPU processes to trials. Set only where the lookup
    /// does not block.
    std::function<qint64(qint64 pid)> sessionOf;
};

/// One machine with its agent: converts the agent's messages to calls of the context's sink. Lives on the service thread.
class HostConnection : public QObject
{
    Q_OBJECT
public:
    HostConnection(HostSetup setup, Context context, QObject* parent = nullptr);
    ~HostConnection() override;

    /// Resolves when the agent has answered for the first time, or fails if it has not within AgentClient::lostAfterMs.
    /// Reconnecting continues in either case.
    [[nodiscard]] Task<Result<>> open();
    [[nodiscard]] Task<> close();

    [[nodiscard]] const Machine& machine() const { return m_machine; }
    [[nodiscard]] const HostSetup& setup() const { return m_setup; }
    [[nodiscard]] transport::AgentClient& agent() { return *m_agent; }
    [[nodiscard]] bool sharesFiles() const { return m_setup.sharesFiles; }
    /// Applies only the settings that control how the machine's GPUs are shared. Emits no signal.
    void setLimits(const Machine& settings);
    [[nodiscard]] QString trialFolder(const TrialId& trial) const;

    [[nodiscard]] Task<SubmitOutcome> submit(TrialSpec spec, QByteArray text);
    [[nodiscard]] Task<Result<>> adopt(QList<TrialRef> trials);
    [[nodiscard]] Task<Result<>> cancel(QStringList trials, CancelIntent intent);
    /// Adopts running trials of this service that the engine did not name, from the start of their streams; the engine decides
    /// whether they continue. Without an agent this does nothing, and strangersWaiting() is emitted once the agent is up.
    [[nodiscard]] Task<> adoptStrangers();
    /// What a start of the trial on this machine carries (placement_proof.h); empty without a key.
    [[nodiscard]] QByteArray proofOf(const TrialId& trial) const;

signals:
    void strangersWaiting();
    /// `soon`: the state or the number of GPUs changed; else only load, which may be reported later.
    void machineChanged(bool soon);

private:
    [[nodiscard]] Task<bool> isProven(TrialId trial);
    void onUp(const transport::AgentHello& hello);
    void onLost(const Error& error, qint64 since);
    void onWaiting(const core::Message& what, bool forPerson);
    void onEvent(const QString& trial, const Json& event);
    void onRecords(const transport::AgentRecords& records);
    void onStartResolved(const transport::StartOutcome& outcome);
    void onGpu(const Json& gpu, const QByteArray& xml);
    void onLoad(const Json& load);
    void setState(MachineState state, const Message& message);
    [[nodiscard]] Message fullDiskSentence() const;
    void observe(Observation observation);
    void observeRunning(const TrialId& trial);
    void observeCanceled(const TrialId& trial, CancelIntent intent);
    void observeGone(const TrialId& trial, const QString& state);
    void rememberProcess(const QString& trial, qint64 pid);
    void markProcesses(QList<Gpu>& gpus) const;

    HostSetup m_setup;
    Context m_context;
    Machine m_machine;
    std::unique_ptr<transport::AgentClient> m_agent;
    OneShot<Result<>> m_opened;
    QString m_base;
    QString m_trialsFolder;
    bool m_diskFull = false;              ///< as the agent said last
    QHash<QString, QString> m_onDisk;     ///< trial to its state, from the hello, until adoptStrangers() takes it
    QSet<QString> m_adopted;              ///< trials that were adopted or started, and have not ended
    QHash<QString, CancelIntent> m_taken; ///< trials cancelled while their start was pending
    QHash<QString, qint64> m_pids;
    QHash<qint64, QString> m_sessions;
    bool m_wasLost = false;
    bool m_asks = false; ///< connecting waits for a person's answer
    bool m_strangersTold = false;
    bool m_strangersWanted = false;
};

} // namespace platforms
