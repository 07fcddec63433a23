// SPDX-License-Identifier: GPL-3.0-or-later
#include "train_job_manifest.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr const char* trainerGroup = "trainer.kubeflow.org";
constexpr const char* trainerVersion = "trainer.kubeflow.org/v1alpha1";
constexpr const char* nodeRole = "node";                  ///< the job of a runtime, and its container
constexpr const char* patchManager = "trialdeck/manager"; ///< whose patches they are
constexpr const char* unpackCommand =
    "cat /trialdeck/archive/* | gzip -dc | tar -xf - -C /trialdeck/code || exit 127\n";

/// What overrides have no member for.
Result<> checkOverrides(const TrainJobValues& values, const PodValues& pod)
{
    if (values.runtime.isEmpty())
        return fail(Kind::invalid, u"runtime: the name of a ClusterTrainingRuntime is needed."_m);
    const bool isPatched = values.form == TrainForm::runtimePatches;
    const std::pair<const char*, bool> given[] = {{"environmentSecrets", !pod.environmentSecrets.isEmpty()},
        {"podTemplate", !pod.podTemplate.is_null()}, {"priorityClass", !pod.priorityClass.isEmpty()},
        {"imagePullPolicy", !pod.pullPolicy.isEmpty()}, {"podSecurity", pod.isRestricted && !isPatched}};
    for (const auto& [field, isGiven] : given)
        if (isGiven)
            return fail(Kind::invalid,
                u"%1: it cannot be set for pods of the runtime %2. Name no runtime, so that one is made for the trial."_m
                    .arg(QString::fromLatin1(field), values.runtime));
    if (pod.isCodeSent)
        return fail(Kind::invalid,
            u"Code cannot be sent into pods of the runtime %1. Name no runtime, or name with codeFolder where the image has the code."_m
                .arg(values.runtime));
    return {};
}

Result<RoleValues> onlyRole(const TrainJobValues& values)
{
    if (const Result<> good = checkRoles(WorkloadKind::trainJob, sizesOf(values.roles)); !good)
        return fail(good);
    return values.roles.first(); // checkRoles() knows one, and none twice
}

void moveMember(Json& from, Json& to, const char* name)
{
    if (from.contains(name))
        to[name] = std::move(from[name]);
}

/// The pod's members as a runtime's pods are changed; the container's own are taken out of it before.
Json overridesOf(const TrainJobValues& values, Json pod, Json container)
{
    Json spec = Json::object();
    for (const char* name : {"serviceAccountName", "nodeSelector", "tolerations", "volumes", "imagePullSecrets"})
        moveMember(pod["spec"], spec, name);
    Json node = {{"name", nodeRole}};
    moveMember(container, node, "volumeMounts");
    if (values.form == TrainForm::runtimePatches) {
        moveMember(pod["spec"], spec, "securityContext");
        moveMember(container, node, "securityContext");
    }
    spec["containers"] = Json::array({std::move(node)});
    Json changed = {{"metadata", {{"labels", pod["metadata"]["labels"]}}}, {"spec", std::move(spec)}};
    if (values.form == TrainForm::podTemplateOverrides) {
        Json entry = {{"targetJobs", Json::array({{{"name", nodeRole}}})}};
        entry.update(changed);
        return Json::array({std::move(entry)});
    }
    const Json job = {{"name", nodeRole}, {"template", {{"spec", {{"template", std::move(changed)}}}}}};
    return Json::array({{{"manager", patchManager},
        {"trainingRuntimeSpec", {{"template", {{"spec", {{"replicatedJobs", Json::array({job})}}}}}}}}});
}

Result<> addOverridden(Json& spec, const TrainJobValues& values, const RoleValues& role)
{
    PodValues podValues = role.pod;
    if (Result<> good = checkOverrides(values, podValues); !good)
        return good;
    const bool isUnpacked = !podValues.codeMaps.isEmpty();
    if (isUnpacked)
        podValues.command.prepend(unpackCommand);
    Result<Json> pod = rolePod(WorkloadKind::trainJob, podValues);
    if (!pod)
        return fail(pod);
    Json container = (*pod)["spec"]["containers"][0];
    if (isUnpacked) // the archive is the init container's alone, which there cannot be
        for (const Json& mount : (*pod)["spec"]["initContainers"][0]["volumeMounts"])
            if (mount["name"] == "trialdeck-archive")
                container["volumeMounts"].push_back(mount);
    Json& trainer = spec["trainer"];
    moveMember(container, trainer, "image");
    moveMember(container, trainer, "command");
    moveMember(container, trainer, "env");
    trainer["resourcesPerNode"] = container["resources"];
    spec["runtimeRef"] = {
        {"apiGroup", trainerGroup}, {"kind", "ClusterTrainingRuntime"}, {"name", values.runtime.toStdString()}};
    const char* member = values.form == TrainForm::podTemplateOverrides ? "podTemplateOverrides" : "runtimePatches";
    spec[member] = overridesOf(values, std::move(*pod), std::move(container));
    return {};
}

} // namespace

KubeResource trainingRuntimesResource()
{
    return {trainerGroup, "v1alpha1", "trainingruntimes"};
}

Result<Json> trainJobManifest(const TrainJobValues& values)
{
    const Result<RoleValues> role = onlyRole(values);
    if (!role)
        return fail(role);
    Json spec = {{"runtimeRef", Json::object()}, {"trainer", {{"numNodes", role->count}}}};
    if (values.processesPerNode > 0)
        spec["trainer"]["numProcPerNode"] = values.processesPerNode;
    if (values.form == TrainForm::ownRuntime)
        spec["runtimeRef"] = {
            {"apiGroup", trainerGroup}, {"kind", "TrainingRuntime"}, {"name", values.name.toStdString()}};
    else if (const Result<> added = addOverridden(spec, values, *role); !added)
        return fail(added);
    if (values.deadlineSeconds > 0 && values.hasDeadlineField)
        spec["activeDeadlineSeconds"] = values.deadlineSeconds;
    else if (values.deadlineSeconds > 0 && values.form != TrainForm::ownRuntime)
        return fail(Kind::invalid,
            u"timeLimit: the cluster's TrainJob has none for pods of the runtime %1. Name no runtime, so that one is made for the trial."_m
                .arg(values.runtime));
    QMap<QString, QString> labels = values.labels;
    if (!values.queue.isEmpty()) {
        labels.insert(QString::fromLatin1(kueueQueueLabel), values.queue);
        spec["suspend"] = true; // Kueue lets it begin
    }
    return Json({{"apiVersion", trainerVersion}, {"kind", "TrainJob"},
        {"metadata", {{"name", values.name.toStdString()}, {"labels", objectOf(labels)}}}, {"spec", std::move(spec)}});
}

Result<Json> trainingRuntimeManifest(const TrainJobValues& values)
{
    const Result<RoleValues> role = onlyRole(values);
    if (!role)
        return fail(role);
    Result<Json> pod = rolePod(WorkloadKind::trainJob, role->pod);
    if (!pod)
        return pod;
    Json job = {{"backoffLimit", 0}, {"template", std::move(*pod)}};
    if (values.deadlineSeconds > 0 && !values.hasDeadlineField)
        job["activeDeadlineSeconds"] = values.deadlineSeconds;
    const Json replicated = {{"name", nodeRole},
        {"template",
            {{"metadata", {{"labels", {{"trainer.kubeflow.org/trainjob-ancestor-step", "trainer"}}}}},
                {"spec", std::move(job)}}}};
    return Json({{"apiVersion", trainerVersion}, {"kind", "TrainingRuntime"},
        {"metadata", {{"name", values.name.toStdString()}, {"labels", objectOf(values.labels)}}},
        {"spec",
            {{"mlPolicy", {{"numNodes", role->count}, {"torch", Json::object()}}},
                {"template", {{"spec", {{"replicatedJobs", Json::array({replicated})}}}}}}}});
}

} // namespace platforms::kubernetes
