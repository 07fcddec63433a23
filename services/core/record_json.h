// SPDX-License-Identifier: GPL-3.0-or-later
// The public spelling of records (resources/api/openapi.yaml): camelCase keys, times in milliseconds since the epoch.
// toJson() is what replies and events show; the fromJson() functions read the same back, as a client of the service does.
#pragma once

#include "records.h"

namespace core {

[[nodiscard]] Json toJson(const Trial& trial);
[[nodiscard]] Json toJson(const Experiment& experiment);
[[nodiscard]] Json toJson(const Platform& platform);
[[nodiscard]] Json toJson(const Machine& machine);
[[nodiscard]] Json toJson(const Prompt& prompt);
[[nodiscard]] Json toJson(const Operation& request);
[[nodiscard]] Json toJson(const TrialEvent& event);
[[nodiscard]] Json toJson(const MetricSummary& summary);
[[nodiscard]] Json toJson(const CheckStep& step);
/// Members of an ExperimentSpec as POST /experiments takes them.
[[nodiscard]] Json toJson(const ExperimentSpec& spec);

[[nodiscard]] Result<Trial> trialFromJson(const Json& json);
[[nodiscard]] Result<Experiment> experimentFromJson(const Json& json);
[[nodiscard]] Result<Platform> platformFromJson(const Json& json);
[[nodiscard]] Result<Machine> machineFromJson(const Json& json);
[[nodiscard]] Result<Prompt> promptFromJson(const Json& json);
[[nodiscard]] Result<Operation> operationFromJson(const Json& json);
[[nodiscard]] Result<Metric> metricFromJson(const Json& json);

/// Strict: an unknown field is refused by name; NNI v2's names (trialCodeDirectory, trialGpuNumber …) are accepted too.
[[nodiscard]] Result<ExperimentSpec> experimentSpecFromJson(const Json& json);

/// Appends one metric as a JSON object, written by hand: no document a metric on the hot path. The text has no line break.
/// `parameterIdText`: of MetricBatch.
void appendMetricJson(
    QByteArray& out, const TrialId& trialId, const Metric& metric, const QByteArray& parameterIdText = {});
/// Appends `text` as a JSON string, with quotes; invalid UTF-8 is replaced.
void appendJsonString(QByteArray& out, QByteArrayView text);

/// The meaning of a metric's text: `0.93`, `NaN`, `"Infinity"`-like bare words, `{"default": 0.9, …}`; lenient where NNI's SDK is
/// (bare NaN and Infinity inside objects). Never fails: what is none of these has Kind::none.
[[nodiscard]] MetricValue parseMetricValue(QByteArrayView text);
/// JSON as Python writes it made strict: bare NaN, Infinity and -Infinity become strings. Empty when it is no JSON at all.
[[nodiscard]] QByteArray strictJson(QByteArrayView text);

/// Text for people and for tests: the record's JSON, indented.
template <typename Record>
[[nodiscard]] QString printed(const Record& record)
{
    return QString::fromUtf8(dumpJson(toJson(record), 2));
}

} // namespace core
