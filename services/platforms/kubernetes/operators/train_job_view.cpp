// SPDX-License-Identifier: GPL-3.0-or-later
// TrainJob: it does not say that anything runs, except by the jobs of its JobSet. Its controller takes the condition Failed away and sets it
// again at each pass (2.1), so that is believed only after a while (workload_facts.h).
#include "workload_reading.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

std::optional<WorkloadView> readTrainJob(const Json& object)
{
    WorkloadView view;
    if (!readHead(WorkloadKind::trainJob, object, view))
        return {};
    JobView& job = view.job;
    const Json& spec = memberAt(object, {"spec"});
    const Json& status = memberAt(object, {"status"});
    QString deciding = u"node"_s;
    for (const Json* one : objectsIn(status, "jobsStatus"))
        if (textAt(*one, {"name"}) == "launcher"_L1)
            deciding = u"launcher"_s; // of a runtime with MPI
    const int nodes = replicasOf(memberAt(spec, {"trainer"}), "numNodes");
    view.roles = {{u"node"_s, nodes}};
    if (deciding != "node"_L1)
        view.roles.prepend({deciding, 1});
    view.deciding = {deciding, 0};
    view.endsWithDecider = nodes == 1 || deciding != "node"_L1;
    for (const Json* one : objectsIn(status, "jobsStatus")) {
        if (textAt(*one, {"name"}) != deciding)
            continue;
        job.active = countAt(*one, {"active"}).value_or(0);
        job.ended = countAt(*one, {"succeeded"}).value_or(0) + countAt(*one, {"failed"}).value_or(0);
        view.isRunning = countAt(*one, {"ready"}).value_or(0) > 0;
    }
    view.isSeen = !objectsIn(status, "conditions").isEmpty() || !objectsIn(status, "jobsStatus").isEmpty();
    job.isSuspended = isTrueAt(spec, {"suspend"}) || holds(conditionOf(object, "Suspended"_L1));
    if (const Json& suspended = conditionOf(object, "Suspended"_L1); !job.isSuspended && suspended.is_object())
        job.resumedAt = timeAt(suspended, {"lastTransitionTime"});
    job.deadlineSeconds = countAt(spec, {"activeDeadlineSeconds"}, 1'000'000'000'000);
    if (job.deadlineSeconds == 0)
        job.deadlineSeconds.reset();

    const Json& complete = conditionOf(object, "Complete"_L1);
    const Json& failed = conditionOf(object, "Failed"_L1);
    if (holds(complete)) {
        job.isComplete = true;
        job.endTime = timeAt(complete, {"lastTransitionTime"});
    } else if (holds(failed)) {
        job.isFailed = true;
        job.failedReason = textAt(failed, {"reason"});
        job.failedMessage = textAt(failed, {"message"});
        job.endTime = timeAt(failed, {"lastTransitionTime"});
    }
    if (job.isComplete || job.isFailed)
        view.isRunning = false;
    return view;
}

} // namespace platforms::kubernetes
