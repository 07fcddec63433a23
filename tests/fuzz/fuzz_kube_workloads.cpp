// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of operators and their pods: a list of objects, each read as a workload of each kind and as a pod, and what is made of them
// together. Any bytes are read as a list of roles, too.
#include "fuzz_driver.h"

#include "services/platforms/kubernetes/operators/operator_options.h"
#include "services/platforms/kubernetes/operators/workload_facts.h"

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;

namespace {

constexpr qsizetype mostOfAKind = 4;
constexpr qint64 noon = 1'777'636'800'000; ///< of the day of the seeds
const PlatformId lab(u"lab"_s);
const TrialId trial(u"t1"_s);

void checkView(const WorkloadView& view)
{
    require(!view.job.name.isEmpty(), "a workload has a name");
    require(!(view.job.isComplete && view.job.isFailed), "it ends in one way");
    require(!view.isRunning || !(view.job.isComplete || view.job.isFailed), "what has ended does not run");
    require(view.job.active >= 0 && view.job.ended >= 0 && view.podCount() >= 0, "counts are not negative");
    require(view.remembered.size() <= mostReplicas, "what is remembered is bounded");
    for (const RoleSize& role : view.roles)
        require(role.count >= 0 && role.count <= mostReplicas, "a role is bounded");
    for (const PodView& pod : view.remembered) {
        require(placeOf(pod.labels).has_value() || pod.labels.value(u"FC_TASKROLE_NAME"_s).isEmpty(),
            "what is remembered has a place");
        require(!pod.isActive(), "what is remembered has ended");
    }
}

void checkFact(const WorkloadView& view, const QList<PodView>& pods, const QList<EventView>& events, qint64 now)
{
    const JobFact fact = workloadFact(trial, view, pods, events, lab, now);
    require(fact.trial == trial && fact.handle == view.job.uid, "a fact is about its object");
    require(!fact.reason.contains(u"\n") && !fact.reason.contains(u"\x1b"), "a reason is one line");
    require(!fact.exitCode || !fact.signal, "a command ends in one way");
    const bool hasEnded = fact.phase == JobFact::Phase::ended;
    require(
        hasEnded || (!fact.exitCode && !fact.signal && !fact.endTime && !fact.isDecisive), "only an end has a cause");
    require((fact.phase == JobFact::Phase::waiting) <= !fact.reason.isEmpty(), "what waits has a reason");
    require(fact.phase != JobFact::Phase::running || fact.reason.isEmpty(), "what runs has none");
    require(!view.job.isComplete || (hasEnded && fact.end == TrialStatus::succeeded), "the operator's success counts");
    require(!view.job.isFailed || hasEnded || fact.phase == JobFact::Phase::unknown, "what failed does not go on");
    if (hasEnded) {
        require(isFinal(fact.end), "an end is a final status");
        require(fact.end != TrialStatus::failed || fact.failureClass != FailureClass::none, "a failure is of a class");
        require(!fact.isDecisive || !fact.reason.isEmpty(), "a decisive cause has a sentence");
    }
    if (const std::optional<qint64> due = workloadFactChangesAt(view, pods, now)) {
        require(*due > now, "a change to come is not over");
        require(
            workloadFact(trial, view, pods, events, lab, *due - 1).phase == fact.phase, "until then the fact stays");
        require(!hasEnded, "an end stays");
    }
}

void checkSlim(WorkloadKind kind, const Json& object)
{
    const auto whole = readWorkload(kind, object);
    const auto slim = readWorkload(kind, slimOperatorObject(kind, object));
    require(whole.has_value() == slim.has_value(), "a slim object is one, too");
    if (!whole)
        return;
    WorkloadView same = *whole;
    same.job.annotations = slim->job.annotations;
    require(same == *slim, "a slim object says the same");
}

void checkRoles(const QString& text)
{
    for (const WorkloadTraits& traits : workloadTraits()) {
        const Result<QList<RoleText>> roles = readRoles(traits.kind, text);
        if (!roles) {
            require(roles.error().kind == Kind::invalid && !roles.error().message.isEmpty(), "a refusal is a sentence");
            continue;
        }
        require(!roles->isEmpty() && roles->size() <= mostRoles, "roles are some");
        PodValues base;
        base.command = "true";
        base.image = u"a:1"_s;
        base.keeperMap = u"keeper"_s;
        base.gpuResource = u"nvidia.com/gpu"_s;
        const Result<QList<RoleValues>> values = roleValues(traits.kind, *roles, base, {});
        require(values.has_value() && values->size() == roles->size(), "roles that were read can be made");
        OperatorOptions options;
        options.kind = traits.kind;
        options.roles = *roles;
        const Result<QList<Json>> objects = workloadObjects(options, u"td-s1-t1"_s, {}, *values, {});
        require(objects.has_value() || objects.error().kind == Kind::invalid, "objects are made, or refused");
        if (!objects)
            continue;
        const std::optional<WorkloadView> view = readWorkload(traits.kind, objects->last());
        require(view && view->roles == options.sizes(), "what was made is read alike");
        require(traits.kind == WorkloadKind::framework
                || view->deciding.role == decidingRoleOf(traits.kind, view->roles).toLower(),
            "who decides is known before");
    }
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray bytes(data.data(), qsizetype(data.size()));
    checkRoles(QString::fromUtf8(bytes));
    const Result<Json> read = parseJson(bytes);
    if (!read)
        return;
    QList<Json> objects;
    if (read->is_array())
        for (const Json& object : *read)
            objects.append(object);
    else
        objects.append(*read);
    if (objects.size() > 2 * mostOfAKind)
        objects.resize(2 * mostOfAKind);
    QList<EventView> events;
    for (const Json& object : objects)
        if (const auto event = readEvent(object))
            events.append(*event);
    for (const WorkloadTraits& traits : workloadTraits()) {
        QList<PodView> pods;
        for (const Json& object : objects)
            if (auto pod = readWorkloadPod(traits.kind, object); pod && pods.size() < mostOfAKind)
                pods.append(*pod);
        for (const Json& object : objects) {
            (void)operatorFinding(traits.kind, object, object);
            checkSlim(traits.kind, object);
            const std::optional<WorkloadView> view = readWorkload(traits.kind, object);
            if (!view)
                continue;
            checkView(*view);
            QList<PodView> own = pods; // whose pods they are whatever their names are
            for (PodView& pod : own) {
                pod.ownerUid.clear();
                pod.jobName = view->job.name;
            }
            for (const qint64 now : {noon + 3'600'000, qint64(0)})
                for (const QList<PodView>& all : {QList<PodView>(), pods, own})
                    checkFact(*view, all, events, now);
        }
    }
}
