// SPDX-License-Identifier: GPL-3.0-or-later
// Which waiting trial goes where now, and why the others wait. Pure: state and queue in, a plan out; whoever carries it
// out removes what was placed from the queue and writes the reservations into the machines before the next pass.
//
// The rules of a GPU are NNI's (trials per GPU, gpuIndices, useActiveGpu; a GPU that already runs a trial of ours stays
// open to more), without its faults: graphics processes do not count, an index that is not there is left out, and
// reservations by a person or by another service are respected.
//
// Order: by priority, then by place in the queue. A request that cannot be placed is passed over, so a smaller one
// behind it may run first; there is no ageing. Who needs many GPUs in a busy house drains a machine, or wants it by
// name.
#pragma once

#include "trial_queue.h"
#include "services/core/records.h"

#include <QHash>

namespace schedule {

using namespace core;

/// Where a GPU trial goes when several places would do: beside others, leaving whole machines free, or away from
/// others.
enum class Policy { pack, spread };

/// The platform's setting `placement`; pack where it has none.
[[nodiscard]] Policy placementPolicy(const Platform& platform);

/// What placing must know of an experiment.
struct ExperimentQuota
{
    ExperimentState state = ExperimentState::running; ///< only a running one is given places
    int concurrency = 1;
    int running = 0; ///< its trials that have a place and have not ended
};

struct SchedulerState
{
    QList<MachinePtr> machines; ///< of all platforms; reservations inside the GPUs
    QList<PlatformPtr> platforms;
    QHash<ExperimentId, ExperimentQuota> experiments;
    QHash<MachineId, int> trialsOnMachine; ///< that have a place there and have not ended; absent: none
    /// Boot ids, of machines that tell one. Of two with the same, GPUs with the same uuid are one GPU.
    QHash<MachineId, QString> computers;
    QHash<PlatformId, Message> resting; ///< platforms that are given no trials for a while, and why
};

struct Placement
{
    TrialId trial;
    MachineId machine;     ///< empty where the platform itself chooses
    QList<int> gpuIndices; ///< ascending; indices as in Machine::gpus

    bool operator==(const Placement&) const = default;
};

enum class WaitKind {
    hold,        ///< held by a person
    platform,    ///< the platform is not ready
    experiment,  ///< paused, being prepared, stopping …
    never,       ///< cannot be placed on the machines there are, whatever ends
    concurrency, ///< the experiment's own limit
    machines,    ///< no machine takes trials now
    gpus         ///< not enough free GPUs on one machine
};

/// One machine as the explanation of a wait shows it.
struct MachineSight
{
    MachineId machine;
    MachineState state = MachineState::ready;
    int gpus = 0;  ///< that trials may use at all
    int whole = 0; ///< of these, not MIG devices
    int free = 0;  ///< that take a trial now; 0 if the machine takes none
    int freeWhole = 0;
    int trials = 0; ///< of ours, running there
    Message note;   ///< what holds the others: "5 run trials; GPU 7 is busy with python of user NAME (12,034 MiB)"

    bool operator==(const MachineSight&) const = default;
};

struct WaitReason
{
    WaitKind kind = WaitKind::gpus;
    int wanted = 0;    ///< GPUs
    int available = 0; ///< most free GPUs on one machine now
    int largest = 0;   ///< most GPUs that one machine would have with nothing running
    Message sentence;
    /// Of the platform, best first; null for kinds that machines have nothing to do with. Shared by all reasons of a
    /// pass.
    std::shared_ptr<const QList<MachineSight>> machines;
};
using WaitReasonPtr = std::shared_ptr<const WaitReason>;

struct Plan
{
    QList<Placement> placements; ///< in the order of the queue
    /// For each class of which requests still wait.
    QHash<ClassId, WaitReasonPtr> waiting;

    /// Null for a trial that was placed, or that the queue does not know.
    [[nodiscard]] WaitReasonPtr reasonOf(const TrialQueue& queue, const TrialId& trial) const;
};

[[nodiscard]] Plan planPlacements(const SchedulerState& state, const TrialQueue& queue);

/// Why a GPU takes no trial, or `none`.
enum class GpuBlock { none, full, person, service, foreign, excluded, split };

struct GpuAvailability
{
    GpuBlock block = GpuBlock::none;
    int own = 0;          ///< trials of ours on it
    int room = 0;         ///< how many more it takes; 0 if blocked
    bool foreign = false; ///< computes for others, whether that blocks it or not
};

[[nodiscard]] GpuAvailability gpuAvailability(const Machine& machine, const Gpu& gpu);

/// "drained", "silent since 12:03", …: why a machine takes no trial; empty for a ready one.
[[nodiscard]] Message machineStateWords(const Machine& machine);

} // namespace schedule
