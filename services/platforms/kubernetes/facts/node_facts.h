// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes and quotas of a cluster as machines and queues. Pure; any JSON can be read.
#pragma once

#include "pod_view.h"

#include "services/core/records.h"
#include "services/platforms/kubernetes/jobs/job_names.h"

namespace platforms::kubernetes {

struct NodeView
{
    enum class Ready { yes, no, unknown }; ///< unknown: its kubelet is silent

    QString name;
    Ready ready = Ready::unknown;
    bool isSchedulable = true;         ///< not cordoned
    QStringList taints;                ///< `KEY=VALUE:EFFECT` of those that keep pods away
    QMap<QString, qint64> allocatable; ///< `cpu` in thousandths, all else in whole units
    QString gpuProduct;                ///< of the label nvidia.com/gpu.product: `NVIDIA-A100-SXM4-80GB`
    std::optional<qint64> gpuMemory;   ///< bytes of each, likewise
    QString architecture;              ///< of the label kubernetes.io/arch: `amd64`, `arm64`
    QString reason;                    ///< why it is not ready: `KubeletNotReady`
    QString message;
    std::optional<qint64> lastHeartbeat; ///< milliseconds since the epoch

    bool operator==(const NodeView&) const = default;
};

/// Nothing for what has no name.
[[nodiscard]] std::optional<NodeView> readNode(const Json& object);

/// `podsOnIt`: of any node, in any phase: only those on this node that hold something are counted.
/// Which of its GPUs a pod has is not known: the first ones are shown as used. Pods of this service's trials are told as theirs.
[[nodiscard]] Machine machineOf(const NodeView& node, const QList<PodView>& podsOnIt, const QString& gpuResource,
    const PlatformId& platform, qint64 now, const QString& serviceId = {});

struct QuotaView
{
    QString name;
    QMap<QString, qint64> hard; ///< `requests.cpu` and `cpu` in thousandths, all else in whole units
    QMap<QString, qint64> used;

    bool operator==(const QuotaView&) const = default;
};

/// Of a ResourceQuota. Nothing for what has no name.
[[nodiscard]] std::optional<QuotaView> readQuota(const Json& object);

/// Those that limit what trials use, in the order of their names.
[[nodiscard]] QList<PlatformQueue> queuesOf(
    const QList<QuotaView>& quotas, const QString& gpuResource = nvidiaGpu.toString());

} // namespace platforms::kubernetes
