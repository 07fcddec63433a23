// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_computes.h"

#include "aml_answers.h"

#include "services/core/printable.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr qint64 mostNodes = 100'000;

const Json& inner(const Json& json, const char* name)
{
    static const Json nothing = Json::object();
    const Json* found = memberOf(json, name);
    return found && found->is_object() ? *found : nothing;
}

int countOf(const Json& json, const char* name)
{
    return int(std::clamp<qint64>(wholeOf(json, name).value_or(0), 0, mostNodes));
}

/// The first of a list of errors.
QString errorIn(const Json& json, const char* name)
{
    const Json* list = memberOf(json, name);
    if (!list || !list->is_array() || list->empty())
        return {};
    const Json& error = inner((*list)[0], "error");
    const QString message = firstLine(textOf(error, "message"));
    return message.isEmpty() ? firstLine(textOf((*list)[0], "message")) : message;
}

} // namespace

Result<Compute> readCompute(const Json& json)
{
    const Json& properties = inner(json, "properties");
    const Json& own = inner(properties, "properties");
    Compute compute;
    compute.name = textOf(json, "name");
    compute.type = printable(textOf(properties, "computeType"), 60);
    if (compute.name.isEmpty() || compute.type.isEmpty())
        return fail(Kind::platform, u"Something else than Azure Machine Learning answered. Is the address right?"_m);
    compute.vmSize = printable(textOf(own, "vmSize"), 80);
    const QString state = textOf(own, "state"); // of an instance
    compute.state = printable(state.isEmpty() ? textOf(properties, "provisioningState") : state, 60);
    compute.allocation = printable(textOf(own, "allocationState"), 60);
    compute.isLowPriority = textOf(own, "vmPriority").compare("LowPriority"_L1, Qt::CaseInsensitive) == 0;
    const Json& scale = inner(own, "scaleSettings");
    compute.minNodes = countOf(scale, "minNodeCount");
    compute.maxNodes = countOf(scale, "maxNodeCount");
    compute.currentNodes = countOf(own, "currentNodeCount");
    compute.targetNodes = countOf(own, "targetNodeCount");
    const Json& nodes = inner(own, "nodeStateCounts");
    compute.runningNodes = countOf(nodes, "runningNodeCount");
    compute.idleNodes = countOf(nodes, "idleNodeCount");
    compute.preparingNodes = countOf(nodes, "preparingNodeCount");
    compute.unusableNodes = countOf(nodes, "unusableNodeCount");
    if (compute.type == "ComputeInstance"_L1)
        compute.maxNodes = compute.currentNodes = 1;
    compute.error = errorIn(own, "errors");
    if (compute.error.isEmpty())
        compute.error = errorIn(properties, "provisioningErrors");
    return compute;
}

Result<QList<Compute>> readComputes(const Json& json)
{
    const Json* list = memberOf(json, "value");
    if (!list || !list->is_array())
        return fail(Kind::platform, u"Something else than Azure Machine Learning answered. Is the address right?"_m);
    QList<Compute> computes;
    for (const Json& one : *list) {
        const Result<Compute> compute = readCompute(one);
        const bool runsJobs = compute
            && (compute->type == "AmlCompute"_L1 || compute->type == "ComputeInstance"_L1
                || compute->type == "Kubernetes"_L1);
        if (runsJobs)
            computes.append(*compute);
    }
    std::sort(computes.begin(), computes.end(), [](const Compute& a, const Compute& b) { return a.name < b.name; });
    return computes;
}

VmSizes readVmSizes(const Json& json)
{
    VmSizes sizes;
    const Json* list = memberOf(json, "value");
    if (!list || !list->is_array())
        list = memberOf(json, "amlCompute"); // as older versions have it
    if (!list || !list->is_array())
        return sizes;
    for (const Json& one : *list) {
        VmSize size;
        size.gpus = int(std::clamp<qint64>(wholeOf(one, "gpus").value_or(0), 0, 64));
        size.cpus = int(std::clamp<qint64>(wholeOf(one, "vCPUs").value_or(0), 0, 4'096));
        const Json* memory = memberOf(one, "memoryGB");
        const double gigabytes = memory && memory->is_number() ? memory->get<double>() : 0;
        size.memoryGb = gigabytes > 0 && gigabytes < 1e6 ? gigabytes : 0;
        size.family = textOf(one, "family").left(100);
        if (const QString name = textOf(one, "name"); !name.isEmpty())
            sizes.insert(name.toLower(), size);
    }
    return sizes;
}

QList<CoreQuota> readCoreQuotas(const Json& json)
{
    QList<CoreQuota> quotas;
    const Json* list = memberOf(json, "value");
    if (!list || !list->is_array())
        return quotas;
    for (const Json& one : *list) {
        CoreQuota quota;
        quota.name = printable(textOf(inner(one, "name"), "value"), 100);
        const std::optional<qint64> used = wholeOf(one, "currentValue");
        const std::optional<qint64> limit = wholeOf(one, "limit");
        if (quota.name.isEmpty() || !used || !limit || *used < 0 || *limit < 0)
            continue; // a limit of -1 is none
        quota.used = *used;
        quota.limit = *limit;
        quotas.append(quota);
    }
    return quotas;
}

std::optional<CoreQuota> tightestQuota(const QList<CoreQuota>& quotas, const Compute& compute, const VmSize& size)
{
    const auto key = [](const QString& name) { return name.toLower().remove(u' ').remove(u'-'); };
    std::optional<CoreQuota> tightest;
    for (const CoreQuota& quota : quotas) {
        const QString name = key(quota.name);
        const bool isOfKind = name.endsWith("vcpus"_L1) && name.contains("lowpriority"_L1) == compute.isLowPriority;
        const bool isOfSize =
            (!size.family.isEmpty() && name.startsWith(key(size.family))) || name.startsWith("totalcluster"_L1);
        if (isOfKind && isOfSize && (!tightest || quota.left() < tightest->left()))
            tightest = quota;
    }
    return tightest;
}

bool takesJobs(const Compute& compute, Message& why)
{
    if (compute.type == "ComputeInstance"_L1) {
        if (compute.state == "Running"_L1)
            return true;
        why = u"the compute \"%1\" is an instance that does not run (%2)"_m.arg(compute.name, compute.state);
        return false;
    }
    const bool isThere = compute.state == "Succeeded"_L1 || compute.state == "Updating"_L1 || compute.state.isEmpty();
    if (!isThere) {
        why = compute.error.isEmpty()
            ? u"the compute \"%1\" is not ready (%2)"_m.arg(compute.name, compute.state)
            : u"the compute \"%1\" is not ready (%2): %3"_m.arg(compute.name, compute.state, compute.error);
        return false;
    }
    if (compute.type == "AmlCompute"_L1 && compute.maxNodes == 0) {
        why = u"the compute \"%1\" may have no nodes (its largest number of nodes is 0)"_m.arg(compute.name);
        return false;
    }
    return true;
}

Message nodesText(const Compute& compute)
{
    if (compute.type == "Kubernetes"_L1)
        return u"nodes of a Kubernetes cluster"_m;
    if (compute.type == "ComputeInstance"_L1)
        return u"one machine of size %1"_m.arg(compute.vmSize);
    const Message nodes = compute.currentNodes == 0
        ? u"it has no nodes now, and gets up to %1 when jobs come, which takes minutes"_m.arg(compute.maxNodes)
        : u"%1 of %2 nodes run jobs, it gets up to %3"_m.arg(
            compute.runningNodes, compute.currentNodes, compute.maxNodes);
    return compute.error.isEmpty() ? nodes : u"%1; %2"_m.arg(nodes, compute.error);
}

} // namespace platforms::aml
