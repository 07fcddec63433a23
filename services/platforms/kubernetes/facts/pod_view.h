// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a pod. Pure; any JSON can be read. Times are milliseconds since the epoch.
#pragma once

#include "kube_members.h"

namespace platforms::kubernetes {

struct ContainerView
{
    enum class State { none, waiting, running, terminated };

    QString name;
    QString image;
    State state = State::none; ///< none: its node has not said anything yet
    QString reason;            ///< a word: `ImagePullBackOff`, `OOMKilled`
    QString message;           ///< of one that has ended the termination message
    std::optional<int> exitCode;
    std::optional<int> signal; ///< also where only the exit code shows it
    std::optional<qint64> startedAt;
    std::optional<qint64> finishedAt;
    int restarts = 0;
    bool wasOutOfMemory = false;       ///< its run before this one
    bool isSidecar = false;            ///< an init container that runs on beside the others
    std::optional<qint64> memoryLimit; ///< bytes

    bool operator==(const ContainerView&) const = default;
};

struct PodView
{
    QString name;
    QString namespaceName;
    QString uid;
    QString node; ///< empty: not placed yet
    QString phase;
    QString reason; ///< `Evicted`, `NodeLost`; mostly empty
    QString message;
    QMap<QString, QString> labels;
    QString jobName;
    QString ownerUid; ///< of the Job
    bool isDeleting = false;
    std::optional<qint64> deletionTime; ///< when it is to be gone, its grace included
    std::optional<qint64> createdAt;
    std::optional<qint64> startedAt; ///< its node took it
    std::optional<qint64> notReadySince;
    QList<ContainerView> initContainers;
    QList<ContainerView> containers;
    bool isUnschedulable = false;
    QString schedulingReason; ///< `Unschedulable`, `SchedulingGated`
    QString schedulingMessage;
    QString disruption; ///< reason of the condition DisruptionTarget: `PreemptionByScheduler`
    QString disruptionMessage;
    QMap<QString, qint64> requests; ///< what its node sets aside: `cpu` in thousandths, all else in whole units

    /// It holds what it requests.
    [[nodiscard]] bool isActive() const
    {
        return phase != QLatin1String("Succeeded") && phase != QLatin1String("Failed");
    }

    bool operator==(const PodView&) const = default;
};

/// Nothing for what has no name.
[[nodiscard]] std::optional<PodView> readPod(const Json& object);

} // namespace platforms::kubernetes
