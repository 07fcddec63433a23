// SPDX-License-Identifier: GPL-3.0-or-later
#include "template_merge.h"

#include "services/yaml/yaml.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr int deepest = 64; ///< of what parseYaml() lets through

/// Lists whose entries have names of their own.
bool isNamedList(const Json& list)
{
    return list.is_array() && !list.empty() && std::all_of(list.begin(), list.end(), [](const Json& one) {
        return one.is_object() && one.contains("name") && one["name"].is_string();
    });
}

Json merged(const Json& theirs, Json ours, int depth)
{
    if (depth > deepest)
        return ours;
    if (theirs.is_object() && ours.is_object()) {
        for (const auto& [name, value] : theirs.items()) {
            if (ours.contains(name))
                ours[name] = merged(value, std::move(ours[name]), depth + 1);
            else
                ours[name] = value;
        }
        return ours;
    }
    if (isNamedList(theirs) && isNamedList(ours)) {
        for (const Json& entry : theirs) {
            const auto same = std::find_if(
                ours.begin(), ours.end(), [&entry](const Json& one) { return one["name"] == entry["name"]; });
            if (same != ours.end())
                *same = merged(entry, std::move(*same), depth + 1);
            else
                ours.push_back(entry);
        }
    }
    return ours;
}

} // namespace

Json mergedUnder(const Json& theirs, Json ours)
{
    return merged(theirs, std::move(ours), 0);
}

Result<Json> readTemplate(const QString& text)
{
    if (text.trimmed().isEmpty())
        return Json(nullptr);
    const Result<yaml::YamlDocument> document = yaml::parseYaml(text.toUtf8());
    if (!document)
        return fail(document);
    const Json& value = document->value;
    if (!value.is_object())
        return fail(Kind::invalid, u"It must be a pod: `spec:` with what is below it, and perhaps `metadata:`."_m);
    for (const auto& [name, member] : value.items()) {
        if (name == "apiVersion" || name == "kind")
            continue;
        if (name != "metadata" && name != "spec")
            return fail(Kind::invalid,
                u"\"%1\" does not belong into a pod; there are metadata and spec."_m.arg(QString::fromStdString(name)));
        if (!member.is_object())
            return fail(Kind::invalid, u"\"%1\" must be an object."_m.arg(QString::fromStdString(name)));
    }
    Json pod = Json::object();
    for (const char* name : {"metadata", "spec"})
        if (value.contains(name))
            pod[name] = value[name];
    if (pod.contains("spec") && pod["spec"].contains("restartPolicy"))
        return fail(Kind::invalid, u"spec.restartPolicy cannot be set: a trial runs once."_m);
    return pod;
}

} // namespace platforms::kubernetes
