// SPDX-License-Identifier: GPL-3.0-or-later
#include "slim_objects.h"

#include "services/platforms/kubernetes/jobs/code_mark.h"

namespace platforms::kubernetes {

namespace {

/// The members of these names.
Json only(const Json& object, std::initializer_list<const char*> names)
{
    Json kept = Json::object();
    for (const char* name : names)
        if (const Json* member = memberOf(object, name))
            kept[name] = *member;
    return kept;
}

Json metadataIn(const Json& object)
{
    const Json* metadata = memberOf(object, "metadata");
    return metadata ? only(*metadata,
               {"name", "namespace", "uid", "labels", "ownerReferences", "creationTimestamp", "deletionTimestamp",
                   "deletionGracePeriodSeconds"})
                    : Json::object();
}

Json containersIn(const Json& spec, const char* name)
{
    Json kept = Json::array();
    if (const Json* list = memberOf(spec, name); list && list->is_array())
        for (const Json& one : *list)
            kept.push_back(only(one, {"name", "image", "resources", "restartPolicy"}));
    return kept;
}

} // namespace

Json slimJob(const Json& object)
{
    Json kept = {{"metadata", metadataIn(object)}};
    const Json* metadata = memberOf(object, "metadata");
    const Json* annotations = metadata ? memberOf(*metadata, "annotations") : nullptr;
    if (annotations && memberOf(*annotations, codeAnnotation))
        kept["metadata"]["annotations"] = only(*annotations, {codeAnnotation});
    if (const Json* spec = memberOf(object, "spec"))
        kept["spec"] = only(*spec, {"suspend", "activeDeadlineSeconds"});
    if (const Json* status = memberOf(object, "status"))
        kept["status"] = *status;
    return kept;
}

Json slimPod(const Json& object)
{
    Json kept = {{"metadata", metadataIn(object)}};
    if (const Json* spec = memberOf(object, "spec")) {
        kept["spec"] = only(*spec, {"nodeName", "overhead", "schedulingGates"});
        kept["spec"]["containers"] = containersIn(*spec, "containers");
        kept["spec"]["initContainers"] = containersIn(*spec, "initContainers");
    }
    if (const Json* status = memberOf(object, "status"))
        kept["status"] = only(*status,
            {"phase", "reason", "message", "startTime", "conditions", "initContainerStatuses", "containerStatuses"});
    return kept;
}

Json slimHolder(const Json& object)
{
    Json kept = Json::object();
    if (const Json* metadata = memberOf(object, "metadata"))
        kept["metadata"] = only(*metadata, {"name", "namespace", "uid"});
    if (const Json* spec = memberOf(object, "spec")) {
        kept["spec"] = only(*spec, {"nodeName", "overhead"});
        kept["spec"]["containers"] = containersIn(*spec, "containers");
        kept["spec"]["initContainers"] = containersIn(*spec, "initContainers");
    }
    if (const Json* status = memberOf(object, "status"))
        kept["status"] = only(*status, {"phase"});
    return kept;
}

Json slimWorkload(const Json& object)
{
    Json kept = {{"metadata", metadataIn(object)}};
    if (const Json* spec = memberOf(object, "spec"))
        kept["spec"] = only(*spec, {"queueName"});
    if (const Json* status = memberOf(object, "status"))
        kept["status"] = only(*status, {"conditions"});
    return kept;
}

Json slimNode(const Json& object)
{
    Json kept = {{"metadata", metadataIn(object)}};
    if (const Json* spec = memberOf(object, "spec"))
        kept["spec"] = only(*spec, {"unschedulable", "taints"});
    if (const Json* status = memberOf(object, "status"))
        kept["status"] = only(*status, {"allocatable", "conditions", "nodeInfo"});
    return kept;
}

Json slimOther(const Json& object)
{
    return object;
}

} // namespace platforms::kubernetes
