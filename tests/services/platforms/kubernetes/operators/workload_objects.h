// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of operators as an API server gives them, for tests: whole ones, and what is changed in them as a merge patch. Their times are
// those of kube_objects.h.
#pragma once

#include "tests/services/platforms/kubernetes/facts/kube_objects.h"

#include "services/platforms/kubernetes/operators/workload_facts.h"

namespace kube_objects {

/// One of `kind` that was made and not looked at yet; `spec` as it is.
inline core::Json workloadObject(platforms::kubernetes::WorkloadKind kind, const char* spec, const char* status = "{}")
{
    core::Json object = json(R"({"metadata": {"name": "td-s1-t1", "namespace": "ml", "uid": "job-1",
        "creationTimestamp": "2026-05-01T12:00:00Z", "labels": {"trialdeck-trial": "t1"}}})");
    object["kind"] = platforms::kubernetes::traitsOf(kind).word;
    object["spec"] = json(spec);
    object["status"] = json(status);
    return object;
}

inline platforms::kubernetes::WorkloadView workloadView(
    platforms::kubernetes::WorkloadKind kind, const char* spec, const char* status = "{}")
{
    return platforms::kubernetes::readWorkload(kind, workloadObject(kind, spec, status))
        .value_or(platforms::kubernetes::WorkloadView());
}

inline const char* const masterAndWorkers = R"({"runPolicy": {"cleanPodPolicy": "None", "activeDeadlineSeconds": 3600},
    "pytorchReplicaSpecs": {"Master": {"replicas": 1}, "Worker": {"replicas": 2}}})";
inline const char* const twoWorkers = R"({"pytorchReplicaSpecs": {"Worker": {"replicas": 2}}})";
inline const char* const oneTask = R"({"executionType": "Start", "taskRoles": [{"name": "worker", "taskNumber": 1,
    "frameworkAttemptCompletionPolicy": {"minFailedTaskCount": 1, "minSucceededTaskCount": -1}}]})";
inline const char* const chiefAndWorkers = R"({"executionType": "Start", "taskRoles": [
    {"name": "ps", "taskNumber": 1, "frameworkAttemptCompletionPolicy": {"minFailedTaskCount": 1, "minSucceededTaskCount": -1}},
    {"name": "chief", "taskNumber": 1, "frameworkAttemptCompletionPolicy": {"minFailedTaskCount": 1, "minSucceededTaskCount": 1}},
    {"name": "worker", "taskNumber": 2, "frameworkAttemptCompletionPolicy": {"minFailedTaskCount": 1, "minSucceededTaskCount": -1}}]})";

/// A pod of a PyTorchJob, on a node, with this phase and state of its container.
inline platforms::kubernetes::PodView replicaPod(
    const char* role, int index, const char* phase, const char* state, const char* patch = "{}")
{
    core::Json pod = json(R"({"metadata": {"namespace": "ml", "creationTimestamp": "2026-05-01T12:00:02Z",
            "ownerReferences": [{"kind": "PyTorchJob", "name": "td-s1-t1", "uid": "job-1", "controller": true}]},
        "spec": {"nodeName": "n1", "containers": [{"name": "pytorch", "image": "images.example/lab/train:3",
            "resources": {"limits": {"memory": "8Gi", "nvidia.com/gpu": "2"}}}]},
        "status": {"startTime": "2026-05-01T12:00:05Z",
            "containerStatuses": [{"name": "pytorch", "image": "images.example/lab/train:3", "restartCount": 0}]}})");
    const std::string name = std::string("td-s1-t1-") + role + '-' + std::to_string(index);
    pod["metadata"]["name"] = name;
    pod["metadata"]["uid"] = name + "-uid";
    pod["metadata"]["labels"] = {{"training.kubeflow.org/job-name", "td-s1-t1"},
        {"training.kubeflow.org/replica-type", role}, {"training.kubeflow.org/replica-index", std::to_string(index)}};
    pod["status"]["phase"] = phase;
    pod["status"]["containerStatuses"][0]["state"] = json(state);
    pod.merge_patch(json(patch));
    return platforms::kubernetes::readWorkloadPod(platforms::kubernetes::WorkloadKind::pytorchJob, pod)
        .value_or(platforms::kubernetes::PodView());
}

} // namespace kube_objects
