// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cluster_gpus.h"
#include "usage_history.h"

#include "services/api/command.h"
#include "services/engine/state/engine_state.h"

namespace engine {

/// The machines of all platforms and who holds their GPUs: trials (from their records), persons (kept in the store). Brings
/// the platforms' facts and our reservations together into the records that everybody sees. Service thread only.
class MachineRegistry : public QObject
{
    Q_OBJECT
public:
    MachineRegistry(EngineState& state, store::Store& store);

    void restore(const QList<store::ReservationRow>& reservations, const QMap<QString, QByteArray>& values);
    void seen(const PlatformId& platform, const QList<Machine>& machines);
    /// Machines with one boot id are one computer: they share one account of each GPU, by its uuid. Empty: not known.
    void computer(const MachineId& machine, const QString& bootId);
    /// Boot ids by machine; absent where the agent reported none.
    [[nodiscard]] const QHash<MachineId, QString>& computers() const { return m_computers; }
    void platformGone(const PlatformId& platform);
    void lost(const PlatformId& platform, const MachineId& machine, qint64 since);
    /// A sentence of the engine that is shown behind the platform's own message; empty: none. Kept while the machine is not there.
    void setNote(const MachineId& machine, const Message& text);

    /// A placed trial holds its GPUs from here to release().
    void hold(const Trial& trial);
    void release(const Trial& trial);

    /// Of each trial whose status or machine changed: one that a cluster's own scheduler placed holds GPUs while it runs there.
    void follow(const Trial& trial);

    [[nodiscard]] Task<Result<Reply>> reserve(ReserveGpu command);
    [[nodiscard]] Task<Result<Reply>> setDrained(MachineId machine, bool drained);
    [[nodiscard]] Reply usage(const ReadGpuUsage& command) const;

signals:
    /// Something may be placed now that could not be before.
    void roomMade();

private:
    /// Kind::conflict where the platform's own scheduler decides about the machine.
    [[nodiscard]] Result<> isOursToPlace(const Machine& machine) const;
    struct Place
    {
        MachineId machine;
        int index = 0;
    };
    void setComputer(const MachineId& machine, const QString& bootId);
    /// The other machines that are the same computer.
    [[nodiscard]] QList<MachineId> twinsOf(const MachineId& id) const;
    /// The same GPU as the machines of `twins` list it.
    [[nodiscard]] QList<Place> sameGpu(const Gpu& gpu, const QList<MachineId>& twins) const;
    /// The records of a machine and of those that share its GPUs.
    void rebuild(const MachineId& id);
    void rebuildOne(const MachineId& id);
    void noteUsage();

    EngineState& m_state;
    store::Store& m_store;
    QHash<MachineId, Machine> m_facts;
    QHash<MachineId, QString> m_computers;       ///< boot id
    QMultiHash<QString, MachineId> m_onComputer; ///< m_computers the other way round
    QHash<MachineId, QHash<int, QList<GpuReservation>>> m_reservations;
    QHash<MachineId, QMap<TrialId, ClusterShare>> m_shares;
    QHash<TrialId, MachineId> m_sharesAt; ///< where the trial is in m_shares
    QMap<QString, bool> m_drained;        ///< by machine id
    QHash<MachineId, Message> m_notes;
    QHash<MachineId, GpuCounts> m_counted; ///< a GPU of two machines counts in one of them
    GpuCounts m_counts;                    ///< sum of m_counted
    UsageHistory m_usage;
};

} // namespace engine
