// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_object.h"

#include "slim_objects.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

Json slimTrialObject(std::optional<WorkloadKind> kind, const Json& object)
{
    return kind ? slimOperatorObject(*kind, object) : slimJob(object);
}

std::optional<TrialObject> readTrialObject(std::optional<WorkloadKind> kind, const Json& object)
{
    if (!kind) {
        std::optional<JobView> job = readJob(object);
        return job ? std::optional(TrialObject{std::move(*job), {}}) : std::nullopt;
    }
    std::optional<WorkloadView> view = readWorkload(*kind, object);
    if (!view)
        return {};
    TrialObject read{view->job, {}};
    read.workload = std::move(view);
    return read;
}

KubeResource trialResource(std::optional<WorkloadKind> kind)
{
    return kind ? workloadResource(*kind) : jobsResource();
}

std::optional<WorkloadKind> labelledKind(const QMap<QString, QString>& labels)
{
    return workloadKind(labels.value(QString::fromLatin1(kindLabel)));
}

std::optional<PodView> readTrialPod(const Json& object)
{
    const Json* metadata = memberOf(object, "metadata");
    const Json* labels = metadata ? memberOf(*metadata, "labels") : nullptr;
    const auto kind = labels ? workloadKind(textOf(*labels, kindLabel)) : std::nullopt;
    return kind ? readWorkloadPod(*kind, object) : readPod(object);
}

TrialId trialOfObject(std::optional<WorkloadKind> kind, const QString& serviceId, const QString& objectName)
{
    return kind ? trialOfWorkload(*kind, serviceId, objectName) : trialOfJob(serviceId, objectName);
}

bool isPodOf(const PodView& pod, const TrialObject& object)
{
    return object.workload ? isPodOfWorkload(pod, *object.workload) : isPodOf(pod, object.job);
}

const PodView* decidingPod(const QList<PodView>& pods, const TrialObject& object)
{
    if (object.workload)
        return decidingPod(pods, *object.workload);
    const PodView* newest = nullptr;
    for (const PodView& pod : pods)
        if (isPodOf(pod, object.job) && (!newest || newest->createdAt.value_or(0) <= pod.createdAt.value_or(0)))
            newest = &pod;
    return newest;
}

JobFact factOf(const TrialId& trial, const TrialObject& object, const QList<PodView>& pods,
    const QList<EventView>& events, const PlatformId& platform, qint64 now, const KueueWorkload* queued)
{
    return object.workload ? workloadFact(trial, *object.workload, pods, events, platform, now, queued)
                           : factOf(trial, object.job, decidingPod(pods, object), events, platform, now, queued);
}

std::optional<qint64> factChangesAt(const TrialObject& object, const QList<PodView>& pods, qint64 now)
{
    return object.workload ? workloadFactChangesAt(*object.workload, pods, now)
                           : factChangesAt(object.job, decidingPod(pods, object), now);
}

} // namespace platforms::kubernetes
