// SPDX-License-Identifier: GPL-3.0-or-later
#include "nodes_view.h"

#include "slim_objects.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

ObjectQuery holdersQuery(const QString& inNamespace)
{
    return {podsResource(), inNamespace, {}, u"status.phase!=Succeeded,status.phase!=Failed"_s};
}

} // namespace

NodesView::NodesView(KubeClient* client, const transport::HttpEnvironment& environment, const Context& context,
    const QString& inNamespace, QString gpuResource)
    : m_context(context)
    , m_gpuResource(std::move(gpuResource))
    , m_nodeWatch(client, environment, {nodesResource(), {}, {}, {}}, slimNode)
    , m_quotaWatch(client, environment, {{"", "v1", "resourcequotas"}, inNamespace, {}, {}}, slimOther)
    , m_otherWatch(client, environment, holdersQuery({}), slimHolder)
    , m_neighbourWatch(client, environment, holdersQuery(inNamespace), slimHolder)
{
    connect(&m_nodeWatch, &ObjectWatch::changed, this, &NodesView::takeNodes);
    connect(&m_nodeWatch, &ObjectWatch::synced, this, &NodesView::settleOpen);
    connect(&m_nodeWatch, &ObjectWatch::lost, this, &NodesView::settleOpen);
    connect(&m_quotaWatch, &ObjectWatch::changed, this, [this](const ObjectChanges& changes) {
        for (const KubeObject& gone : changes.gone)
            m_quotas.remove(gone.key);
        for (const QString& key : changes.put)
            if (auto quota = readQuota(m_quotaWatch.objects().value(key).kept))
                m_quotas.insert(key, *quota);
        emit changed();
    });
    for (ObjectWatch* watch : {&m_otherWatch, &m_neighbourWatch})
        connect(watch, &ObjectWatch::changed, this,
            [this, watch](const ObjectChanges& changes) { takeOthers(*watch, changes); });
    connect(&m_otherWatch, &ObjectWatch::lost, this, [this] {
        if (m_otherWatch.state() == ObjectWatch::State::refused)
            m_neighbourWatch.start();
    });
}

NodesView::~NodesView() = default;

Task<> NodesView::open()
{
    OneShot<bool> shot;
    m_opening = shot;
    m_nodeWatch.start();
    m_quotaWatch.start();
    co_await shot.wait();
}

void NodesView::settleOpen()
{
    if (auto opening = std::exchange(m_opening, {}))
        opening->set(true);
}

Task<> NodesView::close()
{
    settleOpen();
    for (ObjectWatch* watch : {&m_nodeWatch, &m_quotaWatch, &m_otherWatch, &m_neighbourWatch}) {
        auto closing = watch->close();
        co_await closing;
    }
}

void NodesView::takeNodes(const ObjectChanges& changes)
{
    bool isNew = !changes.gone.isEmpty();
    for (const KubeObject& gone : changes.gone)
        m_nodes.remove(gone.key);
    bool hasGpus = false;
    for (const QString& key : changes.put) {
        std::optional<NodeView> node = readNode(m_nodeWatch.objects().value(key).kept);
        if (!node)
            continue;
        hasGpus = hasGpus || node->allocatable.value(m_gpuResource) > 0;
        NodeView& known = m_nodes[key];
        known.lastHeartbeat = node->lastHeartbeat; // a beat alone is no news
        isNew = isNew || known != *node;
        known = std::move(*node);
    }
    if (hasGpus && m_otherWatch.state() == ObjectWatch::State::stopped)
        m_otherWatch.start();
    if (isNew)
        emit changed();
}

void NodesView::takeOthers(const ObjectWatch& watch, const ObjectChanges& changes)
{
    bool isNew = false;
    for (const KubeObject& gone : changes.gone)
        isNew = m_others.remove(gone.uid) || isNew;
    for (const QString& key : changes.put) {
        const KubeObject object = watch.objects().value(key);
        const std::optional<PodView> pod = readPod(object.kept);
        const bool isHolder = pod && pod->isActive() && !pod->node.isEmpty() && pod->requests.value(m_gpuResource) > 0;
        if (isHolder)
            m_others.insert(object.uid, *pod);
        isNew = isHolder || m_others.remove(object.uid) || isNew;
    }
    if (isNew)
        emit changed();
}

QList<Machine> NodesView::machines(const QHash<QString, PodView>& own) const
{
    QHash<QString, QList<PodView>> podsOf;
    QSet<QString> known;
    for (const PodView& pod : own) {
        known.insert(pod.uid);
        if (pod.isActive() && !pod.node.isEmpty())
            podsOf[pod.node].append(pod);
    }
    for (auto it = m_others.cbegin(); it != m_others.cend(); ++it)
        if (!known.contains(it.key()))
            podsOf[it->node].append(*it);
    QList<Machine> machines;
    for (const NodeView& node : m_nodes)
        machines.append(kubernetes::machineOf(
            node, podsOf.value(node.name), m_gpuResource, m_context.id, m_context.clock->nowMs(), m_context.serviceId));
    return machines;
}

QList<PlatformQueue> NodesView::queues() const
{
    return queuesOf(m_quotas.values(), m_gpuResource);
}

} // namespace platforms::kubernetes
