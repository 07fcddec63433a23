// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_view.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

std::optional<JobView> readJob(const Json& object)
{
    JobView job;
    job.name = textAt(object, {"metadata", "name"});
    if (job.name.isEmpty())
        return {};
    job.uid = textAt(object, {"metadata", "uid"});
    job.labels = textsAt(object, {"metadata", "labels"});
    job.annotations = textsAt(object, {"metadata", "annotations"});
    job.annotations.removeIf([](const auto& one) { return !one.key().startsWith(ownAnnotations); });
    job.isDeleting = timeAt(object, {"metadata", "deletionTimestamp"}).has_value();
    job.createdAt = timeAt(object, {"metadata", "creationTimestamp"});
    job.deadlineSeconds = countAt(object, {"spec", "activeDeadlineSeconds"}, 1'000'000'000'000);
    job.isSuspended = isTrueAt(object, {"spec", "suspend"}) || holds(conditionOf(object, "Suspended"_L1));
    if (const Json& suspended = conditionOf(object, "Suspended"_L1); !job.isSuspended && suspended.is_object())
        job.resumedAt = timeAt(suspended, {"lastTransitionTime"});
    job.active = countAt(object, {"status", "active"}).value_or(0);
    job.ended =
        countAt(object, {"status", "succeeded"}).value_or(0) + countAt(object, {"status", "failed"}).value_or(0);
    job.startTime = timeAt(object, {"status", "startTime"});

    // FailureTarget and SuccessCriteriaMet come first, while pods are still being ended (since 1.31).
    for (const QLatin1StringView type : {"Failed"_L1, "FailureTarget"_L1}) {
        const Json& condition = conditionOf(object, type);
        if (job.isFailed || !holds(condition))
            continue;
        job.isFailed = true;
        job.failedReason = textAt(condition, {"reason"});
        job.failedMessage = textAt(condition, {"message"});
        job.endTime = timeAt(condition, {"lastTransitionTime"});
    }
    for (const QLatin1StringView type : {"Complete"_L1, "SuccessCriteriaMet"_L1}) {
        const Json& condition = conditionOf(object, type);
        if (job.isFailed || job.isComplete || !holds(condition))
            continue;
        job.isComplete = true;
        job.endTime = timeAt(condition, {"lastTransitionTime"});
        if (const auto time = timeAt(object, {"status", "completionTime"}))
            job.endTime = time;
    }
    return job;
}

} // namespace platforms::kubernetes
