// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_manifest.h"

#include "workload.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

Result<Json> replicaSpec(WorkloadKind kind, const RoleValues& role, bool isDeciding)
{
    PodValues values = role.pod;
    if (!isDeciding && values.isLogRead) // it is deleted where it still runs when the job ends
        values.lingerSeconds = lingerSeconds;
    Result<Json> pod = rolePod(kind, std::move(values));
    if (!pod)
        return fail(pod, role.name);
    // That of the replica counts, and the operator warns of another one.
    (*pod)["spec"].erase("restartPolicy");
    if (role.name == "Launcher"_L1)
        (*pod)["spec"].erase("automountServiceAccountToken"); // it starts the ranks in the workers' pods by exec
    return Json({{"replicas", role.count}, {"restartPolicy", "Never"}, {"template", std::move(*pod)}});
}

} // namespace

Result<Json> trainingJobManifest(const TrainingJobValues& values)
{
    const WorkloadTraits& traits = traitsOf(values.kind);
    Q_ASSERT(traits.replicas);
    if (const Result<> good = checkRoles(values.kind, sizesOf(values.roles)); !good)
        return fail(good);
    const QString deciding = decidingRoleOf(values.kind, sizesOf(values.roles));
    Json replicas = Json::object();
    for (const RoleValues& role : values.roles) {
        Result<Json> spec = replicaSpec(values.kind, role, role.name == deciding);
        if (!spec)
            return spec;
        replicas[role.name.toStdString()] = std::move(*spec);
    }
    // No backoffLimit: with one the operator deletes the pods of a job that fails, whatever cleanPodPolicy says, and their logs with them.
    // Pods that never restart do not need it.
    // What still runs then would hold its GPUs for as long as the job is there: parameter servers never end by themselves.
    Json policy = {{"cleanPodPolicy", "Running"}};
    if (values.deadlineSeconds > 0)
        policy["activeDeadlineSeconds"] = values.deadlineSeconds;
    QMap<QString, QString> labels = values.labels;
    if (!values.queue.isEmpty()) {
        labels.insert(QString::fromLatin1(kueueQueueLabel), values.queue);
        policy["suspend"] = true; // Kueue lets it begin
    }
    Json spec = {{"runPolicy", std::move(policy)}};
    if (values.kind == WorkloadKind::mpiJob)
        spec["slotsPerWorker"] = values.slotsPerWorker;
    spec[traits.replicas] = std::move(replicas);
    return Json({{"apiVersion", std::string(traits.group) + '/' + traits.version}, {"kind", traits.word},
        {"metadata", {{"name", values.name.toStdString()}, {"labels", objectOf(labels)}}}, {"spec", std::move(spec)}});
}

} // namespace platforms::kubernetes
