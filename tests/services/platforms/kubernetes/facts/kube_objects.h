// SPDX-License-Identifier: GPL-3.0-or-later
// Objects as an API server gives them, for tests: whole ones, and what is changed in them as a merge patch.
#pragma once

#include "services/platforms/kubernetes/facts/event_view.h"
#include "services/platforms/kubernetes/facts/job_view.h"
#include "services/platforms/kubernetes/facts/pod_view.h"

#include <QString>

namespace kube_objects {

inline core::Json json(const char* text)
{
    auto read = core::parseJson(text);
    if (!read)
        qFatal("no JSON: %s", qPrintable(read.error().message.text()));
    return *read;
}

/// A pod that was made and not placed yet.
inline core::Json podObject(const char* patch = "{}")
{
    core::Json pod = json(R"({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "td-s1-t1-x7k2p", "namespace": "ml", "uid": "pod-1", "creationTimestamp": "2026-05-01T12:00:00Z",
            "labels": {"trial": "t1", "batch.kubernetes.io/job-name": "td-s1-t1", "job-name": "td-s1-t1"},
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "td-s1-t1", "uid": "job-1", "controller": true,
                "blockOwnerDeletion": true}]},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "trial", "image": "images.example/lab/train:3",
            "resources": {"limits": {"cpu": "2", "memory": "8Gi", "nvidia.com/gpu": "2"},
                "requests": {"cpu": "1500m", "memory": "8Gi", "nvidia.com/gpu": "2"}}}]},
        "status": {"phase": "Pending", "qosClass": "Burstable"}})");
    pod.merge_patch(json(patch));
    return pod;
}

inline platforms::kubernetes::PodView podView(const char* patch = "{}")
{
    return platforms::kubernetes::readPod(podObject(patch)).value_or(platforms::kubernetes::PodView());
}

/// On node n1, with this state of the container `trial`.
inline platforms::kubernetes::PodView placedPod(const char* phase, const char* state, const char* patch = "{}")
{
    core::Json pod = podObject(R"({"spec": {"nodeName": "n1"}, "status": {"startTime": "2026-05-01T12:00:05Z"}})");
    pod["status"]["phase"] = phase;
    pod["status"]["containerStatuses"] =
        json(R"([{"name": "trial", "image": "images.example/lab/train:3", "restartCount": 0}])");
    pod["status"]["containerStatuses"][0]["state"] = json(state);
    pod.merge_patch(json(patch));
    return platforms::kubernetes::readPod(pod).value_or(platforms::kubernetes::PodView());
}

inline core::Json jobObject(const char* patch = "{}")
{
    core::Json job = json(R"({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": "td-s1-t1", "namespace": "ml", "uid": "job-1", "creationTimestamp": "2026-05-01T11:59:59Z",
            "labels": {"trial": "t1"}, "annotations": {"trialdeck/submission": "a1b2", "other.example/x": "y"}},
        "spec": {"backoffLimit": 0, "completions": 1, "parallelism": 1, "suspend": false},
        "status": {"active": 1, "ready": 0, "startTime": "2026-05-01T12:00:00Z"}})");
    job.merge_patch(json(patch));
    return job;
}

inline platforms::kubernetes::JobView jobView(const char* patch = "{}")
{
    return platforms::kubernetes::readJob(jobObject(patch)).value_or(platforms::kubernetes::JobView());
}

inline platforms::kubernetes::JobView failedJob(const char* reason)
{
    core::Json job = jobObject(R"({"status": {"active": null, "failed": 1}})");
    job["status"]["conditions"] =
        json(R"([{"type": "Failed", "status": "True", "lastTransitionTime": "2026-05-01T13:00:01Z"}])");
    job["status"]["conditions"][0]["reason"] = reason;
    return platforms::kubernetes::readJob(job).value_or(platforms::kubernetes::JobView());
}

inline platforms::kubernetes::EventView eventOf(
    const QString& uid, const QString& reason, const QString& message, qint64 time = 1'000)
{
    platforms::kubernetes::EventView one;
    one.reason = reason;
    one.message = message;
    one.time = time;
    one.objectUid = uid;
    return one;
}

/// 12:00 of the day of all objects here.
inline constexpr qint64 noon = 1'777'636'800'000;

} // namespace kube_objects
