// SPDX-License-Identifier: GPL-3.0-or-later
#include "operator_support.h"

#include "services/core/printable.h"
#include "services/platforms/kubernetes/facts/kube_members.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qsizetype mostVersions = 20; ///< of one group

const Json& groupOf(const Json& groups, const char* name)
{
    static const Json none = Json::object();
    for (const Json* one : objectsIn(groups, "groups"))
        if (textAt(*one, {"name"}) == QLatin1StringView(name))
            return *one;
    return none;
}

/// The page of the operator's own documentation, by its title.
QString installPage(WorkloadKind kind)
{
    switch (kind) {
    case WorkloadKind::trainJob:
        return u"Kubeflow Trainer: Installation"_s;
    case WorkloadKind::framework:
        return u"FrameworkController: Run Controller"_s;
    case WorkloadKind::pytorchJob:
    case WorkloadKind::tfJob:
    case WorkloadKind::mpiJob:
        break;
    }
    return u"Training Operator: Installation"_s;
}

} // namespace

QString operatorName(WorkloadKind kind)
{
    switch (kind) {
    case WorkloadKind::trainJob:
        return u"Kubeflow Trainer"_s;
    case WorkloadKind::framework:
        return u"FrameworkController"_s;
    case WorkloadKind::pytorchJob:
    case WorkloadKind::tfJob:
    case WorkloadKind::mpiJob:
        break;
    }
    return u"Kubeflow Training Operator"_s;
}

KubeResource definitionsResource()
{
    return {"apiextensions.k8s.io", "v1", "customresourcedefinitions"};
}

QString definitionName(WorkloadKind kind)
{
    return u"%1.%2"_s.arg(QLatin1StringView(traitsOf(kind).plural), QLatin1StringView(traitsOf(kind).group));
}

TrainSupport trainSupport(const Json& definition)
{
    TrainSupport support;
    for (const Json* version : objectsIn(memberAt(definition, {"spec"}), "versions")) {
        if (textAt(*version, {"name"}) != QLatin1StringView(traitsOf(WorkloadKind::trainJob).version))
            continue;
        const Json& members = memberAt(*version, {"schema", "openAPIV3Schema", "properties", "spec", "properties"});
        if (!members.is_object())
            continue;
        if (members.contains("runtimePatches"))
            support.overrides = TrainForm::runtimePatches;
        else if (members.contains("podTemplateOverrides"))
            support.overrides = TrainForm::podTemplateOverrides;
        support.hasDeadlineField = members.contains("activeDeadlineSeconds");
    }
    return support;
}

QStringList servedVersions(WorkloadKind kind, const Json& groups)
{
    const Json& group = groupOf(groups, traitsOf(kind).group);
    QStringList versions;
    const auto add = [&versions](const QString& version) {
        if (!version.isEmpty() && !versions.contains(version) && versions.size() < mostVersions)
            versions.append(version);
    };
    add(textAt(group, {"preferredVersion", "version"}));
    for (const Json* one : objectsIn(group, "versions"))
        add(textAt(*one, {"version"}));
    return versions;
}

bool servesKind(WorkloadKind kind, const Json& resources)
{
    const QList<const Json*> all = objectsIn(resources, "resources");
    return std::any_of(all.begin(), all.end(), [kind](const Json* one) {
        return textAt(*one, {"name"}) == QLatin1StringView(traitsOf(kind).plural)
            && textAt(*one, {"kind"}) == QLatin1StringView(traitsOf(kind).word);
    });
}

Result<Message> operatorFinding(WorkloadKind kind, const Json& groups, const Json& resources)
{
    const auto version = QString::fromLatin1(traitsOf(kind).version);
    const QStringList versions = servedVersions(kind, groups);
    if (versions.contains(version) && servesKind(kind, resources))
        return Result<Message>(u"%1 serves %2 %3"_m.arg(operatorName(kind), kindWord(kind), version));
    if (versions.isEmpty() || versions.contains(version))
        return fail(Kind::not_found,
            u"The cluster knows no %1: it has no %2, or another version of it. How it is installed is on the page \"%3\"."_m
                .arg(kindWord(kind), operatorName(kind), installPage(kind)));
    return fail(Kind::not_found,
        u"The cluster knows a %1 only as %2, and %3 is needed: its %4 is another version. How it is installed is on the page \"%5\"."_m
            .arg(kindWord(kind), printable(versions.join(u", "_s), 200), version, operatorName(kind),
                installPage(kind)));
}

} // namespace platforms::kubernetes
