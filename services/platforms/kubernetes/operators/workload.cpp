// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include "workload_reading.h"

#include "services/platforms/kubernetes/kube_json.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

Json membersOf(const Json& object, std::initializer_list<const char*> names)
{
    Json kept = Json::object();
    for (const char* name : names)
        if (const Json* member = memberOf(object, name))
            kept[name] = *member;
    return kept;
}

/// Of each role what is not its pod.
Json slimReplicas(const Json& replicas)
{
    Json kept = Json::object();
    if (replicas.is_object())
        for (const auto& [role, spec] : replicas.items())
            kept[role] = membersOf(spec, {"replicas"});
    return kept;
}

Json slimTaskRoles(const Json& spec)
{
    Json kept = Json::array();
    for (const Json* role : objectsIn(spec, "taskRoles"))
        kept.push_back(membersOf(*role, {"name", "taskNumber", "frameworkAttemptCompletionPolicy"}));
    return kept;
}

} // namespace

int WorkloadView::podCount() const
{
    qint64 count = 0;
    for (const RoleSize& role : roles)
        count += role.count;
    return int(std::min<qint64>(count, std::numeric_limits<int>::max()));
}

bool readHead(WorkloadKind kind, const Json& object, WorkloadView& view)
{
    const std::optional<JobView> job = readJob(object);
    if (!job)
        return false;
    view.kind = kind;
    // What stands in the same place in an object of any kind; the rest of a Job means something else there.
    view.job.name = job->name;
    view.job.uid = job->uid;
    view.job.labels = job->labels;
    view.job.annotations = job->annotations;
    view.job.isDeleting = job->isDeleting;
    view.job.createdAt = job->createdAt;
    return true;
}

int replicasOf(const Json& spec, const char* member)
{
    return int(countAt(spec, {member}, mostReplicas).value_or(1));
}

std::optional<WorkloadView> readWorkload(WorkloadKind kind, const Json& object)
{
    switch (kind) {
    case WorkloadKind::pytorchJob:
    case WorkloadKind::tfJob:
    case WorkloadKind::mpiJob:
        return readTrainingJob(kind, object);
    case WorkloadKind::trainJob:
        return readTrainJob(object);
    case WorkloadKind::framework:
        return readFramework(object);
    }
    return {};
}

Json slimOperatorObject(WorkloadKind kind, const Json& object)
{
    Json kept = Json::object();
    if (const Json* metadata = memberOf(object, "metadata"))
        kept["metadata"] = membersOf(*metadata,
            {"name", "namespace", "uid", "labels", "ownerReferences", "creationTimestamp", "deletionTimestamp"});
    if (const Json* spec = memberOf(object, "spec")) {
        kept["spec"] =
            membersOf(*spec, {"executionType", "runPolicy", "suspend", "activeDeadlineSeconds", "successPolicy"});
        if (const char* replicas = traitsOf(kind).replicas)
            kept["spec"][replicas] = slimReplicas(memberAt(*spec, {replicas}));
        if (kind == WorkloadKind::framework)
            kept["spec"]["taskRoles"] = slimTaskRoles(*spec);
        if (const Json* trainer = memberOf(*spec, "trainer"); trainer && kind == WorkloadKind::trainJob)
            kept["spec"]["trainer"] = membersOf(*trainer, {"numNodes"});
    }
    if (const Json* status = memberOf(object, "status"))
        kept["status"] = *status;
    return kept;
}

QString decidingRoleOf(WorkloadKind kind, const QList<RoleSize>& roles)
{
    for (const RoleRule& rule : traitsOf(kind).roles)
        for (const RoleSize& role : roles)
            if (role.name.compare(QLatin1StringView(rule.name), Qt::CaseInsensitive) == 0)
                return role.name;
    return roles.isEmpty() ? QString() : roles.first().name;
}

qsizetype decidingRoleOf(const QList<CompletionPolicy>& policies)
{
    const auto firstOf = [&policies](int CompletionPolicy::*member) -> std::optional<qsizetype> {
        for (qsizetype i = 0; i < policies.size(); ++i)
            if (policies.at(i).*member >= 1)
                return i;
        return {};
    };
    const std::optional<qsizetype> success = firstOf(&CompletionPolicy::minSucceeded);
    return success ? *success : firstOf(&CompletionPolicy::minFailed).value_or(0);
}

} // namespace platforms::kubernetes
