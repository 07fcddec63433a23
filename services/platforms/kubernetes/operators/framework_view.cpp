// SPDX-License-Identifier: GPL-3.0-or-later
// Framework of FrameworkController: it deletes a pod at once when it has ended, and keeps how it ended.
#include "workload_reading.h"

#include "services/platforms/kubernetes/jobs/job_names.h"
#include "services/transport/http/wire/gzip_inflater.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qsizetype mostPacked = 2 * 1024 * 1024; ///< an object of the API server holds 3 MiB, and base64 a third more
constexpr qsizetype mostUnpacked = 32 * 1024 * 1024; ///< 10,000 tasks are 10 MB

bool isOneOf(QStringView word, std::initializer_list<QLatin1StringView> words)
{
    return std::any_of(words.begin(), words.end(), [word](QLatin1StringView one) { return word == one; });
}

std::optional<int> codeAt(const Json& object, const char* name)
{
    const Json& value = memberAt(object, {name});
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<quint64>() > 1'000'000))
        return {};
    const qint64 code = value.get<qint64>();
    return code >= -1'000'000 && code <= 1'000'000 ? std::optional(int(code)) : std::nullopt;
}

/// taskRoleStatuses of a large framework: base64 of gzip of JSON.
Json unpackedStatuses(const Json& attempt)
{
    const Json& packed = memberAt(attempt, {"taskRoleStatusesCompressed"});
    if (!packed.is_string() || packed.get_ref<const std::string&>().size() > size_t(mostPacked))
        return Json::array();
    const auto bytes = QByteArray::fromBase64Encoding(
        QByteArray::fromStdString(packed.get<std::string>()), QByteArray::AbortOnBase64DecodingErrors);
    if (!bytes)
        return Json::array();
    transport::GzipInflater inflater;
    inflater.push(*bytes);
    const std::optional<QByteArray> text = inflater.pull(mostUnpacked);
    const Result<Json> json = text && inflater.isComplete() ? parseJson(*text) : Result<Json>(Json::array());
    return json ? *json : Json::array();
}

CompletionPolicy policyOf(const Json& role)
{
    const auto limit = [&role](const char* name) {
        return int(countAt(role, {"frameworkAttemptCompletionPolicy", name}, mostReplicas).value_or(-1));
    };
    return {limit("minFailedTaskCount"), limit("minSucceededTaskCount")};
}

ContainerView containerOf(const Json& said, const Json& attempt)
{
    ContainerView container;
    const QString name = textAt(said, {"name"});
    container.name = name == QLatin1StringView(traitsOf(WorkloadKind::framework).container)
        ? QString::fromLatin1(trialContainerName)
        : name;
    container.state = ContainerView::State::terminated;
    container.reason = textAt(said, {"reason"});
    container.message = textAt(said, {"message"});
    const std::optional<qint64> code = countAt(said, {"code"}, 255);
    if (code)
        container.exitCode = int(*code);
    const std::optional<qint64> signal = countAt(said, {"signal"}, 64);
    if (signal && *signal > 0)
        container.signal = int(*signal);
    else if (code && *code > 128 && *code <= 128 + 64)
        container.signal = int(*code - 128);
    container.startedAt = timeAt(attempt, {"runTime"});
    container.finishedAt = timeAt(attempt, {"completionTime"});
    return container;
}

/// The pod of a task that has ended, as a node would describe it.
PodView rememberedPod(const JobView& job, const QString& role, int index, const Json& attempt)
{
    const Json& completion = memberAt(attempt, {"completionStatus"});
    PodView pod;
    pod.name = textAt(attempt, {"podName"});
    if (pod.name.isEmpty())
        pod.name = workloadPodName(WorkloadKind::framework, job.name, role, index);
    pod.uid = textAt(attempt, {"podUID"});
    pod.jobName = job.name;
    pod.node = textAt(attempt, {"podNodeName"});
    pod.labels = {{u"FC_FRAMEWORK_NAME"_s, job.name}, {u"FC_TASKROLE_NAME"_s, role},
        {u"FC_TASK_INDEX"_s, QString::number(index)}};
    pod.createdAt = timeAt(attempt, {"startTime"});
    pod.startedAt = timeAt(attempt, {"runTime"});
    pod.phase = textAt(completion, {"type", "name"}) == "Succeeded"_L1 ? u"Succeeded"_s : u"Failed"_s;
    pod.reason = textAt(completion, {"pod", "reason"});
    pod.message = textAt(completion, {"pod", "message"});
    // Its ConfigMap or its pod was deleted by another program.
    pod.isDeleting = isOneOf(textAt(completion, {"phrase"}), {"ConfigMapExternalDeleted"_L1, "PodExternalDeleted"_L1});
    if (pod.isDeleting)
        pod.deletionTime = timeAt(attempt, {"completionTime"}).value_or(1);
    for (const Json* said : objectsIn(memberAt(completion, {"pod"}), "containers")) {
        const ContainerView container = containerOf(*said, attempt);
        const bool isBefore = isOneOf(container.name, {QLatin1StringView(codeContainerName), "frameworkbarrier"_L1});
        (isBefore ? pod.initContainers : pod.containers).append(container);
    }
    return pod;
}

void readTasks(WorkloadView& view, const Json& statuses)
{
    if (!statuses.is_array())
        return;
    for (const Json& role : statuses) {
        const QString name = textAt(role, {"name"});
        for (const Json* task : objectsIn(role, "taskStatuses")) {
            const std::optional<qint64> index = countAt(*task, {"index"}, mostReplicas - 1);
            if (name.isEmpty() || !index)
                continue;
            const Json& attempt = memberAt(*task, {"attemptStatus"});
            const bool hasEnded = codeAt(memberAt(attempt, {"completionStatus"}), "code").has_value();
            // What could not be made has no end of its own, and no log: the framework's says why.
            const bool wasMade = !textAt(attempt, {"completionStatus", "phrase"}).startsWith("PodCreation"_L1);
            if (PodPlace{name, int(*index)} == view.deciding) {
                view.isRunning = textAt(*task, {"state"}) == "AttemptRunning"_L1;
                view.job.active = !hasEnded && !textAt(attempt, {"podUID"}).isEmpty();
                view.job.ended = hasEnded && wasMade;
            }
            if (hasEnded && wasMade && view.remembered.size() < mostReplicas)
                view.remembered.append(rememberedPod(view.job, name, int(*index), attempt));
        }
    }
}

void setOutcome(WorkloadView& view, const Json& status)
{
    JobView& job = view.job;
    const Json& completion = memberAt(status, {"attemptStatus", "completionStatus"});
    job.isComplete = textAt(completion, {"type", "name"}) == "Succeeded"_L1;
    job.isFailed = !job.isComplete;
    job.endTime = timeAt(status, {"completionTime"});
    view.isRunning = false;
    const QString role = textAt(completion, {"trigger", "taskRoleName"});
    const std::optional<qint64> index = countAt(completion, {"trigger", "taskIndex"}, mostReplicas - 1);
    if (!role.isEmpty() && index)
        view.cause = PodPlace{role, int(*index)};
    if (job.isFailed) {
        job.failedReason = textAt(completion, {"phrase"});
        job.failedMessage = textAt(completion, {"diagnostics"});
    }
}

} // namespace

std::optional<WorkloadView> readFramework(const Json& object)
{
    WorkloadView view;
    if (!readHead(WorkloadKind::framework, object, view))
        return {};
    JobView& job = view.job;
    const Json& spec = memberAt(object, {"spec"});
    const Json& status = memberAt(object, {"status"});
    QList<CompletionPolicy> policies;
    for (const Json* role : objectsIn(spec, "taskRoles")) {
        view.roles.append({textAt(*role, {"name"}), replicasOf(*role, "taskNumber")});
        policies.append(policyOf(*role));
    }
    if (!policies.isEmpty()) {
        const qsizetype deciding = decidingRoleOf(policies);
        view.deciding = {view.roles.at(deciding).name, 0};
        view.endsWithDecider = view.podCount() == 1 || policies.at(deciding).minSucceeded == 1;
    }
    job.isSuspended = textAt(spec, {"executionType"}) == "Create"_L1;
    job.startTime = timeAt(status, {"startTime"});
    const QString state = textAt(status, {"state"});
    view.isSeen = !state.isEmpty();
    const Json& attempt = memberAt(status, {"attemptStatus"});
    const Json& plain = memberAt(attempt, {"taskRoleStatuses"});
    readTasks(view, plain.is_array() ? plain : unpackedStatuses(attempt));
    if (state == "Completed"_L1) {
        setOutcome(view, status);
    } else if (state == "AttemptCompleted"_L1 && countAt(status, {"retryPolicyStatus", "retryDelaySec"})) {
        view.isWaitingAgain = true;
        view.isRunning = false;
        view.remembered.clear(); // of the attempt that is over
        job.active = job.ended = 0;
    }
    return view;
}

} // namespace platforms::kubernetes
