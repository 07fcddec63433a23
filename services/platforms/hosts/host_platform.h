// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host_connection.h"
#include "host_settings.h"
#include "services/platforms/keeper/packed_codes.h"
#include "start_spec.h"
#include "services/core/scope.h"

#include <QPointer>

namespace platforms {

/// A platform of machines with an agent: the local computer (one machine, the agent is a child process) or machines behind SSH.
/// Derived classes implement hosts(), which sets the link. Lives on the service thread.
class HostPlatform : public Platform
{
    Q_OBJECT
public:
    explicit HostPlatform(QObject* parent = nullptr);
    ~HostPlatform() override;

    [[nodiscard]] Task<Result<>> open(Json settings, Context context) override;
    [[nodiscard]] Result<Json> completed(Json settings, const Json& earlier) const override;
    [[nodiscard]] QList<MachineId> leftBehind(
        const Json& before, const Json& after, const PlatformId& id) const override;
    [[nodiscard]] Task<Result<>> removeAll(MachineId machine) override;
    /// Compares machine by machine: a machine with the same HostSetup::connection keeps its connection and only its limits
    /// change. Returns false if no machine stays connected.
    [[nodiscard]] Result<bool> canReconfigure(const Json& settings) const override;
    [[nodiscard]] Task<QList<MachineId>> reconfigure(Json settings) override;
    [[nodiscard]] Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) override;
    [[nodiscard]] Task<Result<>> cancel(QList<TrialRef> trials, CancelIntent intent) override;
    [[nodiscard]] Task<Result<>> sendParameter(TrialRef trial, int index, QByteArray text) override;
    [[nodiscard]] Task<Result<QStringList>> logNames(TrialRef trial) override;
    [[nodiscard]] Task<Result<Bytes>> readLog(TrialRef trial, QString name, ReadRange range) override;
    [[nodiscard]] Task<Result<FileList>> listFiles(TrialRef trial, QString after, qint64 limit) override;
    [[nodiscard]] Task<Result<>> adopt(QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) override;
    [[nodiscard]] Task<Result<QStringList>> choices(QString field, Json partialSettings, Context context) override;
    [[nodiscard]] Task<Result<>> check(
        OperationId request, Json settings, MachineId machine, CheckExtent extent, Context context) override;
    [[nodiscard]] Task<Result<>> trust(MachineId machine, QString fingerprint) override;
    [[nodiscard]] Task<> close() override;

protected:
    /// The machines of checked settings, at least one; does not connect. Kind::invalid for settings that cannot work.
    [[nodiscard]] virtual Result<QList<HostSetup>> hosts(const Json& settings, const Context& context) const = 0;
    /// Settings with the machines alone that can be used as they stand; the others are appended to `refused`, in state failed. A file
    /// that a person wrote is not checked before it is opened. Unchanged when no machine can be used.
    [[nodiscard]] virtual Json workable(Json settings, const Context& context, QList<Machine>& refused) const;
    /// hosts() of settings that are checked by the fields first.
    [[nodiscard]] Result<QList<HostSetup>> checkedHosts(const Json& settings, const Context& context) const;
    /// True: open() waits until the agent answers. False: open() returns at once, and each machine connects in the background.
    [[nodiscard]] virtual bool opensWithAgent() const = 0;

private:
    [[nodiscard]] Task<Result<>> askAgents(OperationId request, MachineId machine, Context context);
    std::unique_ptr<HostConnection> makeHost(HostSetup setup);
    Task<> connectLater(QPointer<HostConnection> host);
    /// The open connection to the setup's machine if its HostSetup::connection is the same; else null.
    HostConnection* keptHost(const HostSetup& setup) const;
    HostConnection* hostOf(const MachineId& machine) const;
    Result<HostConnection*> hostOf(const TrialRef& trial) const;
    std::map<HostConnection*, QList<TrialRef>> byHost(const QList<TrialRef>& trials) const;
    Task<SubmitOutcome> submitOne(TrialSpec spec);
    Task<Result<AgentCode>> codeFor(HostConnection* host, TrialId trial, CodeSource code);
    void pushMachines(bool soon);
    void pushState();

    Context m_context;
    QString m_kind;
    Scope m_scope;
    std::vector<std::unique_ptr<HostConnection>> m_hosts;
    QList<Machine> m_refused; ///< by their settings
    PackedCodes m_codes;
    std::unique_ptr<TimerHandle> m_push;
    qint64 m_lastPush = 0;
    std::optional<PlatformState> m_state;
    bool m_open = false;
};

} // namespace platforms
