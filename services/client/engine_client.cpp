// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_client.h"

#include "services/api/record_kinds.h"
#include "services/api/series_reply.h"
#include "services/core/record_json.h"

using namespace Qt::StringLiterals;

namespace client {

Result<Json> documentOf(const Reply& reply)
{
    if (!reply.isJsonText && !reply.series)
        return reply.document;
    auto json = parseJson(reply.series ? seriesText(*reply.series) : reply.bytes);
    if (!json)
        return fail(
            Kind::internal, u"The service answered with something that is no JSON."_m, json.error().message.text());
    return json;
}

namespace {

template <typename Record>
Result<Record> decode(const Json& json)
{
    if constexpr (std::is_same_v<Record, Platform>)
        return platformFromJson(json);
    else if constexpr (std::is_same_v<Record, Machine>)
        return machineFromJson(json);
    else if constexpr (std::is_same_v<Record, Experiment>)
        return experimentFromJson(json);
    else if constexpr (std::is_same_v<Record, Trial>)
        return trialFromJson(json);
    else if constexpr (std::is_same_v<Record, Prompt>)
        return promptFromJson(json);
    else
        return operationFromJson(json);
}

template <typename Record>
void readList(const Json& json, const char* name, QList<std::shared_ptr<const Record>>& out)
{
    const auto list = json.find(name);
    if (list == json.end() || !list->is_array())
        return;
    out.reserve(qsizetype(list->size()));
    for (const Json& entry : *list) {
        if (auto record = decode<Record>(entry))
            out.append(std::make_shared<const Record>(*std::move(record)));
    }
}

template <typename IdType>
void readIds(const Json& removed, const char* name, QList<IdType>& out)
{
    const auto list = removed.find(name);
    if (list == removed.end() || !list->is_array())
        return;
    for (const Json& entry : *list) {
        if (entry.is_string())
            out.append(IdType(QString::fromStdString(entry.get<std::string>())));
    }
}

qint64 whole(const Json& json, const char* name)
{
    const auto it = json.find(name);
    return it != json.end() && it->is_number() ? it->get<qint64>() : 0;
}

QString text(const Json& json, const char* name)
{
    const auto it = json.find(name);
    return it != json.end() && it->is_string() ? QString::fromStdString(it->get<std::string>()) : QString();
}

/// Metrics follow each other by trial as a rule: each run of one trial becomes a batch.
void readMetrics(const Json& json, Change& change)
{
    const auto list = json.find("metrics");
    if (list == json.end() || !list->is_array())
        return;
    std::shared_ptr<MetricBatch> batch;
    for (const Json& entry : *list) {
        auto metric = metricFromJson(entry);
        if (!metric)
            continue;
        const TrialId trial(text(entry, "trialId"));
        if (!batch || batch->trialId != trial) {
            batch = std::make_shared<MetricBatch>();
            batch->trialId = trial;
            change.metrics.append(batch);
        }
        batch->metrics.push_back(*std::move(metric));
    }
}

} // namespace

Result<EventMessage> eventMessageFromJson(const Json& json)
{
    if (!json.is_object())
        return fail(Kind::internal, u"The service sent an event that cannot be read."_m);
    auto change = std::make_shared<Change>();
    change->epoch = text(json, "epoch");
    change->revision = whole(json, "revision");
    api::forEachRecordKind([&](const auto& kind) { readList(json, kind.name, (*change).*kind.records); });
    readMetrics(json, *change);
    if (const auto gaps = json.find("gaps"); gaps != json.end() && gaps->is_array()) {
        for (const Json& gap : *gaps)
            change->gaps.append({TrialId(text(gap, "trialId")), whole(gap, "from"), whole(gap, "to")});
    }
    if (const auto removed = json.find("removed"); removed != json.end() && removed->is_object()) {
        api::forEachRecordKind([&](const auto& kind) {
            if (kind.removed)
                readIds(*removed, kind.name, change->removed.*kind.removed);
        });
    }
    const auto reset = json.find("reset");
    return EventMessage{std::move(change), reset != json.end() && *reset == true};
}

} // namespace client
