// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes and partitions, as `scontrol --oneliner show` prints them (slurm_commands.h). Pure.
#pragma once

#include "slurm_reply.h"

#include <QStringList>

#include <optional>

namespace platforms::slurm {

/// A generic resource of a node, of one type.
struct SlurmGres
{
    QString name; ///< "gpu"
    QString type; ///< "a100"; empty: the cluster names none
    qint64 total = 0;
    qint64 used = 0;
    QList<int> usedIndices; ///< where Slurm says which (its plugin for GPUs does)

    bool operator==(const SlurmGres&) const = default;
};

struct SlurmNode
{
    QString name;
    QStringList states;  ///< the state and its flags, upper case: MIXED, DRAIN, NOT_RESPONDING
    bool usable = false; ///< may start jobs: not down, drained, failing, reserved, or silent. A powered down one is
    qint64 cpus = 0;
    qint64 cpusAllocated = 0;
    qint64 memoryMb = 0;
    qint64 memoryAllocatedMb = 0;
    QList<SlurmGres> gres;
    QStringList partitions;
    QString reason; ///< why an administrator, or Slurm, took it out; one line
    QString reasonBy;
    std::optional<qint64> reasonTime; ///< milliseconds since the epoch

    bool operator==(const SlurmNode&) const = default;
};

struct SlurmPartition
{
    QString name;
    QString state; ///< UP, DOWN, DRAIN or INACTIVE
    bool isDefault = false;
    std::optional<qint64> maxSeconds;     ///< absent: no limit
    std::optional<qint64> defaultSeconds; ///< of a job that asks for none; absent: as maxSeconds
    QString nodes;                        ///< a host list
    qint64 totalNodes = 0;
    qint64 totalCpus = 0;
    qint64 totalGpus = 0; ///< of those that the cluster counts (AccountingStorageTRES); 0: none, or not counted

    bool operator==(const SlurmPartition&) const = default;
};

/// Errors as commandError(), and Kind::network where the answer is cut. A line that is no node is left out; of one name the first counts.
[[nodiscard]] Result<QList<SlurmNode>> readNodes(const Reply& reply);
[[nodiscard]] Result<QList<SlurmPartition>> readPartitions(const Reply& reply);

/// SlurmNode::usable, by a node's state and flags in upper case.
[[nodiscard]] bool isUsable(const QStringList& states);
/// The GPUs in "cpu=2,mem=2000M,gres/gpu=4"; 0: none, or not counted.
[[nodiscard]] qint64 gpusOfTres(const QString& text);
/// Of Gres="gpu:a100:4(S:0-1),shard:8" and GresUsed="gpu:a100:2(IDX:0-1),shard:0".
[[nodiscard]] QList<SlurmGres> readGres(QStringView gres, QStringView used);

} // namespace platforms::slurm
