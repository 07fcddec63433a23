// SPDX-License-Identifier: GPL-3.0-or-later
#include "kind_json.h"

#include "services/core/message/message_json.h"

namespace platforms {

static Json wordsJson(const QStringList& words)
{
    Json list = Json::array();
    for (const QString& word : words)
        list.push_back(word);
    return list;
}

static Json fieldJson(const Field& field)
{
    Json json = {{"name", field.name}, {"type", field.type}, {"required", field.required}, {"secret", field.secret},
        {"title", field.title.text()}, {"help", field.help.text()}, {"default", field.defaultValue},
        {"choices", field.choices}};
    core::addMessage(json, "title", field.title);
    core::addMessage(json, "help", field.help);
    if (field.dependsOn)
        json["dependsOn"] = {{"field", field.dependsOn->field}, {"value", field.dependsOn->value}};
    if (!field.sentTo.isEmpty())
        json["sentTo"] = wordsJson(field.sentTo);
    if (field.namesCluster)
        json["namesCluster"] = true;
    if (field.advanced)
        json["advanced"] = true;
    if (field.minimum)
        json["minimum"] = *field.minimum;
    if (field.unique)
        json["unique"] = true;
    if (field.width > 0)
        json["width"] = field.width;
    if (field.wordsBy) {
        json["wordsBy"] = {{"field", field.wordsBy->field}, {"sets", Json::array()}};
        for (const FieldWords::Set& set : field.wordsBy->sets)
            json["wordsBy"]["sets"].push_back({{"value", set.value}, {"words", wordsJson(set.words)}});
    }
    if (field.leadBy)
        json["leadBy"] = wordsJson(*field.leadBy);
    for (const QString& word : field.words)
        json["words"].push_back(word);
    for (const Field& item : field.items)
        json["items"].push_back(fieldJson(item));
    return json;
}

Json kindsJson(const QList<KindDescription>& kinds)
{
    Json list = Json::array();
    for (const KindDescription& kind : kinds) {
        Json fields = Json::array();
        for (const Field& field : kind.fields)
            fields.push_back(fieldJson(field));
        const PlatformCapabilities& c = kind.capabilities;
        list.push_back({{"kind", kind.kind}, {"title", kind.title.text()}, {"fields", fields},
            {"capabilities",
                {{"logs", c.logs}, {"parameters", c.parameters}, {"machines", c.machines}, {"placement", c.placement},
                    {"files", c.files}, {"requeue", c.requeue}}}});
        for (const Field& field : kind.experimentFields)
            list.back()["experimentFields"].push_back(fieldJson(field));
        if (kind.ownRoles)
            list.back()["ownRoles"] = true;
        core::addMessage(list.back(), "title", kind.title);
    }
    return {{"kinds", list}};
}

} // namespace platforms
