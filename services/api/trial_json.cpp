// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_json.h"

#include "json_slice.h"

#include "services/core/message/message_json.h"
#include "services/core/record_json.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace api {

namespace {

void text(QByteArray& out, const QString& value)
{
    // Ids and most other texts are plain: no escape, no conversion through UTF-8.
    const bool plain = std::all_of(value.begin(), value.end(),
        [](QChar c) { return c.unicode() >= 0x20 && c.unicode() < 0x7f && c != u'"' && c != u'\\'; });
    if (!plain) {
        appendJsonString(out, value.toUtf8());
        return;
    }
    const qsizetype start = out.size();
    out.resize(start + value.size() + 2);
    char* at = out.data() + start;
    *at++ = '"';
    for (const QChar c : value)
        *at++ = char(c.unicode());
    *at = '"';
}

void textOrNull(QByteArray& out, const QString& value)
{
    if (value.isEmpty())
        out += "null";
    else
        text(out, value);
}

void whole(QByteArray& out, qint64 value)
{
    char buffer[24];
    char* at = buffer + sizeof buffer;
    const bool negative = value < 0;
    quint64 rest = negative ? 0 - quint64(value) : quint64(value);
    do {
        *--at = char('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (negative)
        *--at = '-';
    out.append(at, buffer + sizeof buffer - at);
}

void wholeOrNull(QByteArray& out, std::optional<qint64> value)
{
    if (value)
        whole(out, *value);
    else
        out += "null";
}

void boolean(QByteArray& out, bool value)
{
    out += value ? "true" : "false";
}

void number(QByteArray& out, double value)
{
    out += dumpJson(MetricValue{MetricValue::Kind::number, value, {}}.toJson());
}

/// JSON text on one line. Line breaks stand only between its values: inside strings they are escaped.
void oneLine(QByteArray& out, const QByteArray& json)
{
    const qsizetype start = out.size();
    out += json;
    std::replace_if(
        out.begin() + start, out.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

void summary(QByteArray& out, const std::optional<MetricSummary>& metric)
{
    if (!metric) {
        out += "null";
        return;
    }
    out += "{\"sequence\":";
    whole(out, metric->sequence);
    out += ",\"step\":";
    wholeOrNull(out, metric->step);
    out += ",\"value\":";
    switch (metric->value.kind) {
    case MetricValue::Kind::none:
        out += "null";
        break;
    case MetricValue::Kind::number:
        number(out, metric->value.number);
        break;
    case MetricValue::Kind::object:
        oneLine(out, metric->value.object);
        break;
    }
    out += ",\"time\":";
    whole(out, metric->time);
    out += '}';
}

void parameters(QByteArray& out, const QByteArray& given)
{
    const QByteArray strict = strictJson(given);
    oneLine(out, strict.isEmpty() ? QByteArray("null") : strict);
}

bool isEarlyStopped(const Trial& trial)
{
    return trial.cancelIntent ? *trial.cancelIntent == CancelIntent::early : trial.status == TrialStatus::early_stopped;
}

SortKey textKey(const QString& value)
{
    return value.isEmpty() ? SortKey() : SortKey(value);
}

template <typename T>
SortKey numberKey(const std::optional<T>& value)
{
    return value ? SortKey(double(*value)) : SortKey();
}

SortKey summaryKey(const std::optional<MetricSummary>& metric)
{
    return metric ? metricKey(metric->value, "default") : SortKey();
}

using T = const Trial&;
using Out = QByteArray&;

constexpr TrialField fields[] = {
    {"id", [](Out o, T t) { text(o, t.id.value); }, [](T t) { return textKey(t.id.value); }},
    {"clientId", [](Out o, T t) { textOrNull(o, t.clientId); }, [](T t) { return textKey(t.clientId); }},
    {"experimentId", [](Out o, T t) { text(o, t.experimentId.value); },
        [](T t) { return textKey(t.experimentId.value); }},
    {"platformId", [](Out o, T t) { text(o, t.platformId.value); }, [](T t) { return textKey(t.platformId.value); }},
    {"sequenceId", [](Out o, T t) { whole(o, t.sequenceId); }, [](T t) { return SortKey(double(t.sequenceId)); }},
    {"status", [](Out o, T t) { text(o, statusName(t.status)); }, [](T t) { return SortKey(statusName(t.status)); }},
    {"submitTime", [](Out o, T t) { whole(o, t.submitTime); }, [](T t) { return SortKey(double(t.submitTime)); }},
    {"startTime", [](Out o, T t) { wholeOrNull(o, t.startTime); }, [](T t) { return numberKey(t.startTime); }},
    {"endTime", [](Out o, T t) { wholeOrNull(o, t.endTime); }, [](T t) { return numberKey(t.endTime); }},
    {"lastContact", [](Out o, T t) { wholeOrNull(o, t.lastContact ? std::optional(t.lastContact) : std::nullopt); },
        [](T t) { return t.lastContact ? SortKey(double(t.lastContact)) : SortKey(); }},
    {"tags",
        [](Out o, T t) {
            o += '[';
            for (qsizetype i = 0; i < t.tags.size(); ++i) {
                if (i)
                    o += ',';
                text(o, t.tags[i]);
            }
            o += ']';
        },
        [](T t) { return textKey(t.tags.join(u',')); }},
    {"note", [](Out o, T t) { text(o, t.note); }, [](T t) { return textKey(t.note); }},
    {"url", [](Out o, T t) { textOrNull(o, t.url); }, [](T t) { return textKey(t.url); }},
    {"workingDirectory", [](Out o, T t) { text(o, t.workingDirectory); },
        [](T t) { return textKey(t.workingDirectory); }},
    {"form",
        [](Out o, T t) {
            o += "{\"sequenceId\":";
            whole(o, t.formSequenceId);
            o += ",\"hyperParameters\":{\"value\":";
            appendJsonString(o, t.parameterCfg);
            o += ",\"index\":";
            whole(o, t.parameterIndex);
            o += "}}";
        },
        [](T t) { return SortKey(double(t.formSequenceId)); }},
    {"isEarlyStopped", [](Out o, T t) { boolean(o, isEarlyStopped(t)); },
        [](T t) { return SortKey(double(isEarlyStopped(t))); }},
    {"machineId", [](Out o, T t) { textOrNull(o, t.machineId.value); }, [](T t) { return textKey(t.machineId.value); }},
    {"gpuIndices",
        [](Out o, T t) {
            o += '[';
            for (qsizetype i = 0; i < t.gpuIndices.size(); ++i) {
                if (i)
                    o += ',';
                whole(o, t.gpuIndices[i]);
            }
            o += ']';
        },
        [](T t) { return t.gpuIndices.isEmpty() ? SortKey() : SortKey(double(t.gpuIndices.front())); }},
    {"pid", [](Out o, T t) { wholeOrNull(o, t.pid > 0 ? std::optional(t.pid) : std::nullopt); },
        [](T t) { return t.pid > 0 ? SortKey(double(t.pid)) : SortKey(); }},
    {"exitCode", [](Out o, T t) { wholeOrNull(o, t.exitCode); }, [](T t) { return numberKey(t.exitCode); }},
    {"signal", [](Out o, T t) { wholeOrNull(o, t.signal); }, [](T t) { return numberKey(t.signal); }},
    {"reason", [](Out o, T t) { text(o, t.reason.text()); }, [](T t) { return textKey(t.reason.text()); }},
    {"reasonKey", [](Out o, T t) { core::appendMessageKey(o, t.reason); }, [](T t) { return textKey(t.reason.key()); }},
    {"reasonArguments", [](Out o, T t) { core::appendMessageArguments(o, t.reason); },
        [](T t) { return SortKey(double(t.reason.arguments().size())); }},
    {"failureClass", [](Out o, T t) { textOrNull(o, t.failureClass.word()); },
        [](T t) { return textKey(t.failureClass.word()); }},
    {"attempt", [](Out o, T t) { whole(o, t.attempt); }, [](T t) { return SortKey(double(t.attempt)); }},
    {"retryOf", [](Out o, T t) { textOrNull(o, t.retryOf.value); }, [](T t) { return textKey(t.retryOf.value); }},
    {"priority", [](Out o, T t) { whole(o, t.priority); }, [](T t) { return SortKey(double(t.priority)); }},
    {"queueOrder", [](Out o, T t) { whole(o, t.queueOrder); }, [](T t) { return SortKey(double(t.queueOrder)); }},
    {"hold", [](Out o, T t) { boolean(o, t.hold); }, [](T t) { return SortKey(double(t.hold)); }},
    {"gpuNumber", [](Out o, T t) { wholeOrNull(o, t.gpuNumber); }, [](T t) { return numberKey(t.gpuNumber); }},
    {"parameters", [](Out o, T t) { parameters(o, t.parameters); },
        [](T t) { return textKey(QString::fromUtf8(t.parameters)); }},
    {"latestMetric", [](Out o, T t) { summary(o, t.latestMetric); }, [](T t) { return summaryKey(t.latestMetric); }},
    {"finalMetric", [](Out o, T t) { summary(o, t.finalMetric); }, [](T t) { return summaryKey(t.finalMetric); }},
    {"bestMetric",
        [](Out o, T t) {
            if (t.bestMetric)
                number(o, *t.bestMetric);
            else
                o += "null";
        },
        [](T t) { return numberKey(t.bestMetric); }},
    {"metricCount", [](Out o, T t) { whole(o, t.metricCount); }, [](T t) { return SortKey(double(t.metricCount)); }},
    {"peakMemory", [](Out o, T t) { whole(o, t.usage.peakMemoryBytes); },
        [](T t) { return SortKey(double(t.usage.peakMemoryBytes)); }},
    {"userTimeMs", [](Out o, T t) { whole(o, t.usage.userMs); }, [](T t) { return SortKey(double(t.usage.userMs)); }},
    {"systemTimeMs", [](Out o, T t) { whole(o, t.usage.systemMs); },
        [](T t) { return SortKey(double(t.usage.systemMs)); }},
    {"cancelRequested", [](Out o, T t) { boolean(o, t.cancelIntent.has_value()); },
        [](T t) { return SortKey(double(t.cancelIntent.has_value())); }},
};
static_assert(std::size(fields) < 64);

} // namespace

std::span<const TrialField> trialFields()
{
    return fields;
}

void appendTrialJson(QByteArray& out, const Trial& trial, TrialFieldMask mask)
{
    char separator = '{';
    for (size_t i = 0; i < std::size(fields); ++i) {
        if (!(mask >> i & 1))
            continue;
        out += separator;
        separator = ',';
        out += '"';
        out += fields[i].name;
        out += "\":";
        fields[i].write(out, trial);
    }
    if (separator == '{')
        out += separator;
    out += '}';
}

SortKey metricKey(const MetricValue& value, QByteArrayView name)
{
    if (value.kind == MetricValue::Kind::none)
        return {};
    if (name == "default")
        return std::isnan(value.number) ? SortKey() : SortKey(value.number);
    if (value.kind != MetricValue::Kind::object)
        return {};
    const std::optional<JsonSlice> member = JsonSlice(value.object).member(name);
    if (!member)
        return {};
    if (const std::optional<double> plain = member->number())
        return *plain;
    const MetricValue inner = parseMetricValue(member->string());
    if (inner.kind != MetricValue::Kind::number || std::isnan(inner.number))
        return {};
    return inner.number;
}

} // namespace api
