// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/kubernetes/facts/node_facts.h"
#include "services/platforms/kubernetes/object_watch.h"
#include "services/platforms/platform.h"

namespace platforms::kubernetes {

/// The cluster's nodes, who holds what of them, and the namespace's quotas, kept current by watches, as far as the account may see them:
/// none of it is needed to run trials. Pods of others are looked at only where nodes have GPUs: in all namespaces, or where that is refused
/// in this one. On the service thread. Before it is destroyed, close() must have returned.
class NodesView : public QObject
{
    Q_OBJECT
public:
    /// What is named outlives this.
    NodesView(KubeClient* client, const transport::HttpEnvironment& environment, const Context& context,
        const QString& inNamespace, QString gpuResource);
    ~NodesView() override;

    /// Returns when the nodes are known, or it is known that they cannot be seen now.
    [[nodiscard]] Task<> open();
    [[nodiscard]] Task<> close();

    [[nodiscard]] const QMap<QString, NodeView>& nodes() const { return m_nodes; }
    /// `own`: this service's pods, which are known better elsewhere.
    [[nodiscard]] QList<Machine> machines(const QHash<QString, PodView>& own) const;
    [[nodiscard]] QList<PlatformQueue> queues() const;

signals:
    /// machines() or queues() have something new.
    void changed();

private:
    void takeNodes(const ObjectChanges& changes);
    void takeOthers(const ObjectWatch& watch, const ObjectChanges& changes);
    void settleOpen();

    const Context m_context;
    const QString m_gpuResource;
    ObjectWatch m_nodeWatch, m_quotaWatch, m_otherWatch, m_neighbourWatch;
    QMap<QString, NodeView> m_nodes;
    QMap<QString, QuotaView> m_quotas;
    QHash<QString, PodView> m_others; ///< by uid; those that hold GPUs
    std::optional<OneShot<bool>> m_opening;
};

} // namespace platforms::kubernetes
