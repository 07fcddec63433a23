// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"
#include "services/transport/agent_client.h"

#include <functional>
#include <memory>

namespace platforms {

/// One machine, from the platform's settings: what is known before its agent answers, and how the agent is reached.
struct HostSetup
{
    Machine machine; ///< id, address and what placing must know
    transport::AgentClient::LinkFactory link;
    transport::AgentReconnect reconnect; ///< how a broken link comes back
    bool sharesFiles = false;            ///< the machine sees this computer's files: code is used where it lies
    /// Differs where another connection is wanted: a digest of all settings of the machine but the limits of setLimits().
    QByteArray connection;
    /// Accepts the host key with this fingerprint; empty where there are no host keys.
    std::function<Task<Result<>>(QString fingerprint)> trust;
    /// The session of a process of the machine, where that can be asked without waiting; tells whose processes GPUs run.
    std::function<qint64(qint64 pid)> sessionOf;
};

/// One machine with its agent: turns what the agent says into facts for the sink. Lives on the service thread.
class HostConnection : public QObject
{
    Q_OBJECT
public:
    HostConnection(HostSetup setup, Context context, QObject* parent = nullptr);
    ~HostConnection() override;

    /// Resolves when the agent answered for the first time, or could not be had within AgentClient::lostAfterMs. It is tried
    /// again afterwards in either case.
    [[nodiscard]] Task<Result<>> open();
    [[nodiscard]] Task<> close();

    [[nodiscard]] const Machine& machine() const { return m_machine; }
    [[nodiscard]] const HostSetup& setup() const { return m_setup; }
    [[nodiscard]] transport::AgentClient& agent() { return *m_agent; }
    [[nodiscard]] bool sharesFiles() const { return m_setup.sharesFiles; }
    /// Takes over how the machine's GPUs are shared, and nothing else. Does not signal.
    void setLimits(const Machine& settings);
    [[nodiscard]] QString trialFolder(const TrialId& trial) const;

    [[nodiscard]] Task<SubmitOutcome> submit(TrialSpec spec, QByteArray text);
    [[nodiscard]] Task<Result<>> adopt(QList<TrialRef> trials);
    [[nodiscard]] Task<Result<>> cancel(QStringList trials, CancelIntent intent);
    /// Running trials of ours that nobody named are followed too, from their beginning; the engine decides what becomes of them.
    /// While there is no agent nothing happens; strangersWaiting() comes with it.
    [[nodiscard]] Task<> adoptStrangers();

signals:
    void strangersWaiting();
    /// `soon`: a state that people wait for; else load, which may be told later.
    void machineChanged(bool soon);

private:
    void onUp(const transport::AgentHello& hello);
    void onLost(const Error& error, qint64 since);
    void onWaiting(const QString& what, bool forPerson);
    void onEvent(const QString& trial, const Json& event);
    void onRecords(const transport::AgentRecords& records);
    void onStartResolved(const transport::StartOutcome& outcome);
    void onGpu(const Json& gpu, const QByteArray& xml);
    void onLoad(const Json& load);
    void setState(MachineState state, const QString& message);
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
    QString m_trialsFolder;
    QHash<QString, QString> m_onDisk;     ///< of a hello, until strangers were told
    QSet<QString> m_adopted;              ///< what the engine named, and what was started, and has not ended
    QHash<QString, CancelIntent> m_taken; ///< cancelled while their start was open
    QHash<QString, qint64> m_pids;
    QHash<qint64, QString> m_sessions;
    bool m_wasLost = false;
    bool m_asks = false; ///< connecting waits for a person
    bool m_strangersTold = false;
    bool m_strangersWanted = false;
};

} // namespace platforms
