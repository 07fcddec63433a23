// SPDX-License-Identifier: GPL-3.0-or-later
#include "role_values.h"

#include "services/core/printable.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

/// The person's container `trial` under the operator's name for it.
void renameTrial(Json& podTemplate, const char* container)
{
    if (!podTemplate.is_object() || !podTemplate.contains("spec") || !podTemplate["spec"].is_object())
        return;
    Json& spec = podTemplate["spec"];
    if (!spec.contains("containers") || !spec["containers"].is_array())
        return;
    for (Json& one : spec["containers"])
        if (one.is_object() && one.contains("name") && one["name"] == trialContainerName)
            one["name"] = container;
}

QString knownRoles(WorkloadKind kind)
{
    QStringList names;
    for (const RoleRule& rule : traitsOf(kind).roles)
        names.append(QString::fromLatin1(rule.name));
    return names.join(u", "_s);
}

int mostOf(WorkloadKind kind, const QString& role)
{
    for (const RoleRule& rule : traitsOf(kind).roles)
        if (role == QLatin1StringView(rule.name))
            return rule.most;
    return mostReplicas;
}

} // namespace

Result<Json> rolePod(WorkloadKind kind, PodValues values)
{
    values.containerName = QString::fromLatin1(traitsOf(kind).container);
    renameTrial(values.podTemplate, traitsOf(kind).container);
    return podTemplate(values);
}

QList<RoleSize> sizesOf(const QList<RoleValues>& roles)
{
    QList<RoleSize> sizes;
    for (const RoleValues& role : roles)
        sizes.append({role.name, role.count});
    return sizes;
}

Result<> checkRoleName(WorkloadKind kind, const QString& name)
{
    if (kind == WorkloadKind::framework && !isFrameworkName(name))
        return fail(Kind::invalid,
            u"The role \"%1\" cannot be called so: FrameworkController takes names of a-z and 0-9, without a dash."_m
                .arg(printable(name, 100)));
    if (roleName(kind, name) != name)
        return fail(Kind::invalid,
            u"A %1 has no role \"%2\". There is: %3."_m.arg(kindWord(kind), printable(name, 100), knownRoles(kind)));
    return {};
}

Result<> checkRoleCount(WorkloadKind kind, const RoleSize& role)
{
    const QString name = printable(role.name, 100);
    const int most = mostOf(kind, role.name);
    if (role.count < 1 || role.count > most)
        return fail(Kind::invalid,
            most == 1 ? u"A %1 has one %2, not %3."_m.arg(kindWord(kind), name).arg(role.count)
                      : u"The role \"%1\" must have 1 to %2 pods, not %3."_m.arg(name).arg(most).arg(role.count));
    return {};
}

Result<> checkRoles(WorkloadKind kind, const QList<RoleSize>& roles)
{
    if (roles.isEmpty())
        return fail(Kind::invalid, u"A %1 needs a role at least."_m.arg(kindWord(kind)));
    QStringList names;
    for (const RoleSize& role : roles) {
        if (Result<> good = checkRoleName(kind, role.name); !good)
            return good;
        if (Result<> good = checkRoleCount(kind, role); !good)
            return good;
        if (names.contains(role.name))
            return fail(Kind::invalid, u"The role \"%1\" is there twice."_m.arg(role.name));
        names.append(role.name);
    }
    if (kind == WorkloadKind::mpiJob && !names.contains(u"Launcher"_s))
        return fail(Kind::invalid, u"An MPIJob needs the role Launcher, which starts mpirun."_m);
    if (kind == WorkloadKind::tfJob && names.contains(u"Chief"_s) && names.contains(u"Master"_s))
        return fail(Kind::invalid, u"A TFJob has a Chief or a Master, not both."_m);
    // Parameter servers do not end, and evaluators wait for what others write.
    if (kind == WorkloadKind::tfJob && std::none_of(names.begin(), names.end(), [](const QString& name) {
            return name == "Chief"_L1 || name == "Master"_L1 || name == "Worker"_L1;
        }))
        return fail(Kind::invalid, u"A TFJob needs a Chief, a Master or a Worker, whose end is the trial's."_m);
    return {};
}

} // namespace platforms::kubernetes
