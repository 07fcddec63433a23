// SPDX-License-Identifier: GPL-3.0-or-later
#include "framework_manifest.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr const char* barrierName = "frameworkbarrier";
constexpr const char* barrierVolume = "frameworkbarrier-volume";
constexpr const char* barrierFolder = "/mnt/frameworkbarrier";
constexpr int firstBarrierPort = 4'000; ///< of the first role; the next ones follow
constexpr int podDeletionTimeout = 600; ///< seconds; afterwards a pod of a dead node is deleted by force

Json noRetry()
{
    return {{"fancyRetryPolicy", false}, {"maxRetryCount", 0}};
}

/// In front of the command: where the tasks of all roles are, FB_WORKER_ADDRESSES and so on.
QByteArray barrierSetup(const QList<RoleValues>& roles)
{
    QByteArray lines;
    int port = firstBarrierPort;
    for (const RoleValues& role : roles)
        lines += "export FB_" + role.name.toUpper().toUtf8() + "_PORT=" + QByteArray::number(port++) + '\n';
    return lines + ". " + barrierFolder + "/injector.sh\n";
}

void addBarrier(Json& pod, const QString& image, bool isRestricted, int port)
{
    Json& spec = pod["spec"];
    const Json mount = {{"name", barrierVolume}, {"mountPath", barrierFolder}};
    Json init = {{"name", barrierName}, {"image", image.toStdString()}, {"volumeMounts", Json::array({mount})}};
    if (isRestricted)
        init["securityContext"] = {
            {"allowPrivilegeEscalation", false}, {"capabilities", {{"drop", Json::array({"ALL"})}}}};
    spec["initContainers"].push_back(std::move(init)); // behind the code's: all have it when they meet
    spec["volumes"].push_back(Json{{"name", barrierVolume}, {"emptyDir", Json::object()}});
    Json& container = spec["containers"][0];
    container["volumeMounts"].push_back(mount);
    container["ports"].push_back(Json{{"containerPort", port}});
    spec.erase("automountServiceAccountToken"); // it asks the API server where the others are
}

} // namespace

QList<CompletionPolicy> defaultPolicies(const QList<RoleSize>& roles)
{
    QList<CompletionPolicy> policies(roles.size(), CompletionPolicy{1, -1});
    if (roles.size() > 1)
        policies.first().minSucceeded = 1;
    return policies;
}

Result<Json> frameworkManifest(const FrameworkValues& values)
{
    const QList<RoleSize> sizes = sizesOf(values.roles);
    if (const Result<> good = checkRoles(WorkloadKind::framework, sizes); !good)
        return fail(good);
    qint64 tasks = 0;
    for (const RoleSize& one : sizes)
        tasks += one.count;
    const bool hasBarrier = !values.barrierImage.isEmpty() && tasks > 1;
    Json roles = Json::array();
    int port = firstBarrierPort;
    for (const RoleValues& role : values.roles) {
        PodValues podValues = role.pod;
        podValues.lingerSeconds = podValues.isLogRead ? lingerSeconds : 0;
        if (hasBarrier)
            podValues.command.prepend(barrierSetup(values.roles));
        Result<Json> pod = rolePod(WorkloadKind::framework, podValues);
        if (!pod)
            return fail(pod, role.name);
        if (values.deadlineSeconds > 0)
            (*pod)["spec"]["activeDeadlineSeconds"] = values.deadlineSeconds;
        if (hasBarrier)
            addBarrier(*pod, values.barrierImage, podValues.isRestricted, port++);
        roles.push_back(Json{{"name", role.name.toStdString()}, {"taskNumber", role.count},
            {"frameworkAttemptCompletionPolicy",
                {{"minFailedTaskCount", role.completion.minFailed},
                    {"minSucceededTaskCount", role.completion.minSucceeded}}},
            {"task",
                {{"retryPolicy", noRetry()}, {"podGracefulDeletionTimeoutSec", podDeletionTimeout},
                    {"pod", std::move(*pod)}}}});
    }
    return Json({{"apiVersion", "frameworkcontroller.microsoft.com/v1"}, {"kind", "Framework"},
        {"metadata", {{"name", values.name.toStdString()}, {"labels", objectOf(values.labels)}}},
        {"spec", {{"executionType", "Start"}, {"retryPolicy", noRetry()}, {"taskRoles", std::move(roles)}}}});
}

} // namespace platforms::kubernetes
