// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload_kind.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

#include "services/wire/names.h"

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qsizetype longestName = 63;
constexpr qsizetype randomTail = 6; ///< "-x7k2p", which a Job puts behind the names of its pods

constexpr RoleRule pytorchRoles[] = {{"Master", 1}, {"Worker", mostReplicas}};
constexpr RoleRule tensorflowRoles[] = {
    {"Chief", 1}, {"Master", 1}, {"Worker", mostReplicas}, {"PS", mostReplicas}, {"Evaluator", mostReplicas}};
constexpr RoleRule mpiRoles[] = {{"Launcher", 1}, {"Worker", mostReplicas}};
constexpr RoleRule trainRoles[] = {{"node", mostReplicas}};

constexpr WorkloadTraits allTraits[] = {
    {WorkloadKind::pytorchJob, "PyTorchJob", "kubeflow.org", "v1", "pytorchjobs", "pytorch", "pytorchReplicaSpecs",
        pytorchRoles},
    {WorkloadKind::tfJob, "TFJob", "kubeflow.org", "v1", "tfjobs", "tensorflow", "tfReplicaSpecs", tensorflowRoles},
    {WorkloadKind::mpiJob, "MPIJob", "kubeflow.org", "v1", "mpijobs", "mpi", "mpiReplicaSpecs", mpiRoles},
    {WorkloadKind::trainJob, "TrainJob", "trainer.kubeflow.org", "v1alpha1", "trainjobs", "node", nullptr, trainRoles},
    {WorkloadKind::framework, "Framework", "frameworkcontroller.microsoft.com", "v1", "frameworks", "framework",
        nullptr, {}},
};

} // namespace

std::span<const WorkloadTraits> workloadTraits()
{
    return allTraits;
}

const WorkloadTraits& traitsOf(WorkloadKind kind)
{
    const auto* found = std::find_if(
        std::begin(allTraits), std::end(allTraits), [kind](const WorkloadTraits& one) { return one.kind == kind; });
    Q_ASSERT(found != std::end(allTraits));
    return *found;
}

std::optional<WorkloadKind> workloadKind(QStringView word)
{
    for (const WorkloadTraits& one : allTraits)
        if (word.compare(QLatin1StringView(one.word), Qt::CaseInsensitive) == 0)
            return one.kind;
    return {};
}

QString kindWord(WorkloadKind kind)
{
    return QString::fromLatin1(traitsOf(kind).word);
}

KubeResource workloadResource(WorkloadKind kind)
{
    const WorkloadTraits& traits = traitsOf(kind);
    return {traits.group, traits.version, traits.plural};
}

QString deletionPolicy(WorkloadKind kind)
{
    return kind == WorkloadKind::framework ? u"Foreground"_s : u"Background"_s;
}

bool isFrameworkName(QStringView text)
{
    return !text.isEmpty() && text.size() <= longestName && std::all_of(text.begin(), text.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
    });
}

std::optional<QString> roleName(WorkloadKind kind, QStringView word)
{
    if (kind == WorkloadKind::framework)
        return isFrameworkName(word) ? std::optional(word.toString()) : std::nullopt;
    for (const RoleRule& rule : traitsOf(kind).roles)
        if (word.compare(QLatin1StringView(rule.name), Qt::CaseInsensitive) == 0)
            return QString::fromLatin1(rule.name);
    return {};
}

QString workloadPodName(WorkloadKind kind, const QString& name, const QString& role, int index)
{
    switch (kind) {
    case WorkloadKind::trainJob:
        return u"%1-%2-0-%3"_s.arg(name, role).arg(index); // its JobSet's only job of this role
    case WorkloadKind::mpiJob:
        if (role == "Launcher"_L1)
            return name + "-launcher"_L1;
        break;
    case WorkloadKind::pytorchJob:
    case WorkloadKind::tfJob:
    case WorkloadKind::framework:
        break;
    }
    return u"%1-%2-%3"_s.arg(name, role.toLower()).arg(index);
}

Result<QString> workloadName(
    WorkloadKind kind, const QString& serviceId, const TrialId& trial, const QList<RoleSize>& roles)
{
    QString name = jobName(serviceId, trial);
    if (kind == WorkloadKind::framework)
        name.remove(u'-');
    const bool isGood = kind == WorkloadKind::framework ? isFrameworkName(name) : isDnsLabel(name);
    qsizetype longest = name.size();
    for (const RoleSize& role : roles)
        longest = std::max(longest, workloadPodName(kind, name, role.name, std::max(role.count, 1) - 1).size());
    if (kind == WorkloadKind::trainJob)
        longest += randomTail;
    if (!isGood || longest > longestName)
        return fail(Kind::invalid,
            u"No pod of a %1 can be called as one of \"%2\" would be: names hold 63 of a-z, 0-9 and -. Shorten the names of the roles."_m
                .arg(kindWord(kind), name));
    return name;
}

TrialId trialOfWorkload(WorkloadKind kind, const QString& serviceId, const QString& name)
{
    if (kind != WorkloadKind::framework)
        return trialOfJob(serviceId, name);
    const QString prefix = u"td"_s + serviceId;
    const QString id = name.startsWith(prefix) ? name.mid(prefix.size()) : QString();
    return trialkeeper::isSafeId(id.toStdString()) ? TrialId(id) : TrialId();
}

} // namespace platforms::kubernetes
