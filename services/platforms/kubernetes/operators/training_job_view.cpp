// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorchJob, TFJob and MPIJob: a changed condition is removed and put at the end of the list, and one that holds no more stays with status
// False. After Failed nothing is written any more, but Failed may come after Succeeded, when worker 0 has ended well and another one has
// not.
#include "workload_reading.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

/// The last one of its type; an empty object where there is none.
const Json& lastCondition(const Json& object, QLatin1StringView type)
{
    static const Json none = Json::object();
    const Json* last = &none;
    for (const Json* one : objectsIn(memberAt(object, {"status"}), "conditions"))
        if (textAt(*one, {"type"}) == type)
            last = one;
    return *last;
}

void readRoles(WorkloadView& view, const Json& spec)
{
    const Json& replicas = memberAt(spec, {traitsOf(view.kind).replicas});
    if (!replicas.is_object())
        return;
    for (const auto& [name, role] : replicas.items()) {
        const QString word = QString::fromStdString(name).left(maxFactText);
        view.roles.append({roleName(view.kind, word).value_or(word), replicasOf(role, "replicas")});
    }
}

const RoleSize* roleNamed(const WorkloadView& view, const QString& name)
{
    const auto found =
        std::find_if(view.roles.begin(), view.roles.end(), [&name](const RoleSize& one) { return one.name == name; });
    return found == view.roles.end() ? nullptr : &*found;
}

/// Whether the success of replica 0 of the deciding role is the job's.
bool endsWithFirst(const WorkloadView& view, const QString& deciding, const Json& spec)
{
    const RoleSize* role = roleNamed(view, deciding);
    if (!role || role->count == 1)
        return true;
    // Workers without a master: of a TFJob the first one decides, unless it says otherwise; a PyTorchJob waits for all.
    return view.kind == WorkloadKind::tfJob && textAt(spec, {"successPolicy"}) != "AllWorkers"_L1;
}

void setFailed(JobView& job, const Json& failed)
{
    job.isFailed = true;
    job.failedReason = textAt(failed, {"reason"});
    job.failedMessage = textAt(failed, {"message"});
    // The reason is the same word for each failure; only the sentence tells a deadline from others.
    if (job.deadlineSeconds && job.failedMessage.contains("was active longer than specified deadline"_L1))
        job.failedReason = u"DeadlineExceeded"_s;
    job.endTime = timeAt(failed, {"lastTransitionTime"});
}

} // namespace

std::optional<WorkloadView> readTrainingJob(WorkloadKind kind, const Json& object)
{
    WorkloadView view;
    if (!readHead(kind, object, view))
        return {};
    JobView& job = view.job;
    const Json& spec = memberAt(object, {"spec"});
    readRoles(view, spec);
    const QString role = decidingRoleOf(kind, view.roles);
    view.deciding = {role.toLower(), 0};
    view.endsWithDecider = endsWithFirst(view, role, spec);
    job.deadlineSeconds = countAt(spec, {"runPolicy", "activeDeadlineSeconds"}, 1'000'000'000'000);
    job.startTime = timeAt(object, {"status", "startTime"});

    const QByteArray roleKey = role.toUtf8();
    const Json& replicas = memberAt(object, {"status", "replicaStatuses", roleKey.constData()});
    const qint64 succeededPods = countAt(replicas, {"succeeded"}).value_or(0);
    job.active = countAt(replicas, {"active"}).value_or(0);
    job.ended = succeededPods + countAt(replicas, {"failed"}).value_or(0);

    view.isSeen = !objectsIn(memberAt(object, {"status"}), "conditions").isEmpty();
    view.isRunning = holds(lastCondition(object, "Running"_L1));
    view.isWaitingAgain = holds(lastCondition(object, "Restarting"_L1));
    job.isSuspended = isTrueAt(spec, {"runPolicy", "suspend"}) || holds(lastCondition(object, "Suspended"_L1));
    if (const Json& suspended = lastCondition(object, "Suspended"_L1); !job.isSuspended && suspended.is_object())
        job.resumedAt = timeAt(suspended, {"lastTransitionTime"});

    const Json& failed = lastCondition(object, "Failed"_L1);
    const Json& succeeded = lastCondition(object, "Succeeded"_L1);
    const RoleSize* decider = roleNamed(view, role);
    const bool hasDeciderSucceeded = decider && decider->count > 0 && succeededPods >= decider->count;
    if (holds(succeeded) && (!holds(failed) || hasDeciderSucceeded)) {
        job.isComplete = true;
        job.endTime = timeAt(succeeded, {"lastTransitionTime"});
        if (const auto time = timeAt(object, {"status", "completionTime"}))
            job.endTime = time;
    } else if (holds(failed)) {
        setFailed(job, failed);
    }
    if (job.isComplete || job.isFailed)
        view.isRunning = view.isWaitingAgain = false;
    return view;
}

} // namespace platforms::kubernetes
