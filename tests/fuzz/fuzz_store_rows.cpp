// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the store that a broken disk may have changed: chunks of metrics, trials, experiments. What is taken of them can be told to
// clients, and written again as the same.
#include "fuzz_driver.h"

#include "services/core/json.h"
#include "services/core/record_json.h"
#include "services/store/metric_chunk.h"
#include "services/store/record_codec.h"

using namespace core;

static void fuzzChunk(QByteArrayView row)
{
    std::vector<Metric> metrics;
    const auto described = store::MetricChunk::describe(row);
    if (!store::MetricChunk::decode(row, 0, 1'000, metrics))
        return;
    require(metrics.size() <= 1'000, "no more points than were asked for");
    require(described && metrics.size() <= size_t(described->second), "a chunk says how many points it has");
    for (const Metric& metric : metrics) {
        require(size_t(metric.data.size()) <= size_t(row.size()), "a text lies in its row");
        QByteArray text;
        appendMetricJson(text, TrialId(QStringLiteral("t1")), metric);
        require(parseJson(text).has_value(), "a metric can be told to clients");
    }
}

static void fuzzTrial(QByteArrayView row)
{
    store::SharedTexts shared;
    const auto read = store::decodeTrial(row, shared);
    if (!read)
        return;
    const Trial& trial = *read->trial;
    require(parseJson(dumpJson(toJson(trial))).has_value(), "a trial can be told to clients");
    for (const auto& metric : {trial.latestMetric, trial.finalMetric}) {
        if (!metric)
            continue;
        require(metric->value.kind <= MetricValue::Kind::object, "a value is of a known kind");
        require(metric->value.kind != MetricValue::Kind::object || parseJson(metric->value.object).has_value(),
            "a value that is an object is JSON");
    }
    require(!trial.cancelIntent || *trial.cancelIntent <= CancelIntent::system, "an intent is a known one");
    const QByteArray written = store::encodeTrial(trial, read->state);
    store::SharedTexts others;
    const auto again = store::decodeTrial(written, others);
    require(again && store::encodeTrial(*again->trial, again->state) == written && again->state == read->state,
        "a trial is read as it was written");
}

static void fuzzExperiment(QByteArrayView row)
{
    const auto read = store::decodeExperiment(row);
    if (!read)
        return;
    require(parseJson(dumpJson(toJson(*read))).has_value(), "an experiment can be told to clients");
    const QByteArray written = store::encodeExperiment(*read);
    const auto again = store::decodeExperiment(written);
    require(again && store::encodeExperiment(*again) == written, "an experiment is read as it was written");
}

void fuzzOne(std::string_view data)
{
    const QByteArrayView row(data.data(), qsizetype(data.size()));
    fuzzChunk(row);
    fuzzTrial(row);
    fuzzExperiment(row);
}
