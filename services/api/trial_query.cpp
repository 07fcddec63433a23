// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_query.h"

#include "json_slice.h"

#include "services/core/record_json.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace api {

namespace {

bool matches(const TrialQuery& query, const Trial& trial)
{
    return (query.experimentId.isEmpty() || trial.experimentId == query.experimentId)
        && (query.platformId.isEmpty() || trial.platformId == query.platformId)
        && (query.machineId.isEmpty() || trial.machineId == query.machineId)
        && (query.clientId.isEmpty() || trial.clientId == query.clientId)
        && (query.statuses.isEmpty() || query.statuses.contains(trial.status));
}

SortKey parameterKey(const Trial& trial, const QByteArray& name)
{
    const QByteArray strict = strictJson(trial.parameters);
    if (strict.isEmpty())
        return {};
    const std::optional<JsonSlice> member = JsonSlice(strict).member(name);
    if (!member)
        return {};
    switch (member->kind()) {
    case JsonKind::null:
        return {};
    case JsonKind::number:
        return *member->number();
    case JsonKind::boolean:
        return double(*member->boolean());
    case JsonKind::string:
        return QString::fromUtf8(member->string());
    default:
        return QString::fromUtf8(member->text());
    }
}

/// As it is served: text of one width that sorts by priority, highest first, then by the place among equals.
SortKey queueKey(const Trial& trial)
{
    if (trial.status != TrialStatus::waiting)
        return {};
    const quint32 priority = ~(quint32(trial.priority) ^ 0x8000'0000U);
    const quint64 order = quint64(trial.queueOrder) ^ 0x8000'0000'0000'0000U;
    return u"%1%2"_s.arg(priority, 8, 16, QLatin1Char('0')).arg(order, 16, 16, QLatin1Char('0'));
}

using KeyFunction = std::function<SortKey(const Trial&)>;

Result<KeyFunction> keyFunction(const QString& sort)
{
    if (sort.startsWith(u"parameters."_s)) {
        return KeyFunction([name = sort.mid(11).toUtf8()](const Trial& trial) { return parameterKey(trial, name); });
    }
    if (sort.startsWith(u"metrics."_s)) {
        return KeyFunction([name = sort.mid(8).toUtf8()](const Trial& trial) {
            const std::optional<MetricSummary>& metric = trial.finalMetric ? trial.finalMetric : trial.latestMetric;
            return metric ? metricKey(metric->value, name) : SortKey();
        });
    }
    if (sort == u"queue")
        return KeyFunction(queueKey);
    for (const TrialField& field : trialFields()) {
        if (sort == QLatin1StringView(field.name))
            return KeyFunction(field.key);
    }
    return fail(Kind::invalid,
        u"Trials cannot be sorted by \"%1\"; give a field of a trial, queue, parameters.NAME or metrics.NAME."_m.arg(
            sort));
}

/// Below 0: a goes first. What has no key goes last in both directions.
int compareKeys(const SortKey& a, const SortKey& b, bool descending)
{
    if (a.index() != b.index()) {
        if (a.index() == 0)
            return 1;
        if (b.index() == 0)
            return -1;
        return (a.index() < b.index()) != descending ? -1 : 1;
    }
    int order = 0;
    if (const auto* number = std::get_if<double>(&a)) {
        const double other = std::get<double>(b);
        order = *number < other ? -1 : *number > other ? 1 : 0;
    } else if (const auto* text = std::get_if<QString>(&a)) {
        order = text->compare(std::get<QString>(b));
    }
    return descending ? -order : order;
}

struct Place
{
    SortKey key;
    TrialId id;
};

int comparePlaces(const SortKey& keyA, const TrialId& idA, const SortKey& keyB, const TrialId& idB, bool descending)
{
    if (const int order = compareKeys(keyA, keyB, descending))
        return order;
    return idA == idB ? 0 : idA < idB ? -1 : 1;
}

/// The cursor says in which order it was made, the key and the id of the last trial shown.
QByteArray encodeCursor(const TrialQuery& query, const Place& place)
{
    Json key = nullptr;
    if (const auto* number = std::get_if<double>(&place.key))
        key = dumpJson(MetricValue{MetricValue::Kind::number, *number, {}}.toJson()).toStdString();
    const auto* text = std::get_if<QString>(&place.key);
    const Json cursor = {query.sort, query.descending ? "d" : "a", std::move(key),
        text ? Json(text->toStdString()) : Json(nullptr), place.id.value};
    return dumpJson(cursor).toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

Result<Place> decodeCursor(const TrialQuery& query)
{
    const auto refuse = [] {
        return fail(Kind::invalid,
            u"The parameter \"after\" is not a `next` that this service gave for this sort and order."_m);
    };
    const auto bytes = QByteArray::fromBase64Encoding(
        query.after, QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
    if (!bytes)
        return refuse();
    const auto json = parseJson(bytes.decoded);
    if (!json || !json->is_array() || json->size() != 5 || !(*json)[0].is_string() || !(*json)[4].is_string())
        return refuse();
    const QString sort = QString::fromStdString((*json)[0].get<std::string>());
    if (sort != query.sort || (*json)[1] != (query.descending ? "d" : "a"))
        return refuse();
    Place place;
    if ((*json)[2].is_string())
        place.key = parseMetricValue(QByteArray::fromStdString((*json)[2].get<std::string>()).replace('"', "")).number;
    else if ((*json)[3].is_string())
        place.key = QString::fromStdString((*json)[3].get<std::string>());
    place.id = TrialId(QString::fromStdString((*json)[4].get<std::string>()));
    return place;
}

/// The order of submission needs no keys: the trials stand in it already.
Result<TrialPage> bySubmission(const std::vector<TrialPtr>& trials, const TrialQuery& query)
{
    std::optional<Place> after;
    if (!query.after.isEmpty()) {
        auto place = decodeCursor(query);
        if (!place)
            return fail(place);
        after = *std::move(place);
    }
    TrialPage page;
    bool more = false;
    const auto look = [&](const TrialPtr& trial) {
        if (!matches(query, *trial))
            return;
        ++page.total;
        if (after && (query.descending ? trial->id >= after->id : trial->id <= after->id))
            return;
        if (qint64(page.trials.size()) < query.limit)
            page.trials.push_back(trial);
        else
            more = true;
    };
    if (query.descending)
        std::for_each(trials.rbegin(), trials.rend(), look);
    else
        std::for_each(trials.begin(), trials.end(), look);
    if (more && !page.trials.empty())
        page.next = encodeCursor(query, {{}, page.trials.back()->id});
    return page;
}

} // namespace

Result<TrialFieldMask> trialFieldMask(const QString& names)
{
    TrialFieldMask mask = 0;
    const QStringList list = names.split(u',', Qt::SkipEmptyParts);
    for (const QString& name : list) {
        const auto fields = trialFields();
        const auto it = std::find_if(fields.begin(), fields.end(),
            [&](const TrialField& field) { return name == QLatin1StringView(field.name); });
        if (it == fields.end())
            return fail(Kind::invalid, u"A trial has no field \"%1\"."_m.arg(name));
        mask |= TrialFieldMask(1) << (it - fields.begin());
    }
    return mask ? mask : allTrialFields;
}

Result<TrialPage> queryTrials(const Mirror& mirror, const TrialQuery& query)
{
    const bool ofOne = !query.experimentId.isEmpty();
    const std::vector<TrialPtr> own = ofOne ? mirror.trialsOf(query.experimentId) : std::vector<TrialPtr>();
    const std::vector<TrialPtr>& trials = ofOne ? own : mirror.trials();
    if (query.sort.isEmpty())
        return bySubmission(trials, query);

    const auto keyOf = keyFunction(query.sort);
    if (!keyOf)
        return fail(keyOf);
    std::optional<Place> after;
    if (!query.after.isEmpty()) {
        auto place = decodeCursor(query);
        if (!place)
            return fail(place);
        after = *std::move(place);
    }

    TrialPage page;
    struct Entry
    {
        SortKey key;
        TrialPtr trial;
    };
    std::vector<Entry> entries;
    for (const TrialPtr& trial : trials) {
        if (!matches(query, *trial))
            continue;
        ++page.total;
        SortKey key = (*keyOf)(*trial);
        if (after && comparePlaces(key, trial->id, after->key, after->id, query.descending) <= 0)
            continue;
        entries.push_back({std::move(key), trial});
    }
    // By their places: keys stay where they are.
    std::vector<const Entry*> order;
    order.reserve(entries.size());
    for (const Entry& entry : entries)
        order.push_back(&entry);
    const bool more = qint64(order.size()) > query.limit;
    const auto end = more ? order.begin() + query.limit : order.end();
    std::partial_sort(order.begin(), end, order.end(), [&](const Entry* a, const Entry* b) {
        return comparePlaces(a->key, a->trial->id, b->key, b->trial->id, query.descending) < 0;
    });
    page.trials.reserve(size_t(end - order.begin()));
    for (auto it = order.begin(); it != end; ++it)
        page.trials.push_back((*it)->trial);
    if (more && end != order.begin())
        page.next = encodeCursor(query, {(*std::prev(end))->key, (*std::prev(end))->trial->id});
    return page;
}

QByteArray trialPageJson(const TrialPage& page, TrialFieldMask fields, qint64 revision)
{
    QByteArray out;
    out.reserve(qsizetype(page.trials.size()) * 1000 + 200);
    out += "{\"trials\":[";
    for (size_t i = 0; i < page.trials.size(); ++i) {
        if (i)
            out += ',';
        appendTrialJson(out, *page.trials[i], fields);
    }
    out += "],\"next\":";
    out += page.next.isEmpty() ? QByteArray("null") : '"' + page.next + '"';
    out += ",\"total\":" + QByteArray::number(page.total) + ",\"revision\":" + QByteArray::number(revision) + '}';
    return out;
}

} // namespace api
