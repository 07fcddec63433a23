// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_metric_stream.h"

#include "services/core/json_text.h"
#include "services/core/record_json.h"

#include <charconv>
#include <cstring>

using namespace Qt::StringLiterals;

namespace trial {

using core::isDigit;

namespace {

/// {"metric": 0.93} as json.dumps() writes it, and nothing else: by far the most of all lines.
bool readPlainLine(QByteArrayView line, std::vector<ParsedMetric>& out)
{
    static constexpr char head[] = "{\"metric\":";
    static constexpr qsizetype headSize = sizeof head - 1;
    if (line.size() < headSize + 2 || line.back() != '}' || std::memcmp(line.data(), head, headSize) != 0)
        return false;
    const char* begin = line.data() + headSize;
    const char* end = line.data() + line.size() - 1;
    if (*begin == ' ')
        ++begin;
    // What from_chars takes and JSON does not: words, a point without digits around it, a leading zero.
    const char* digits = begin != end && *begin == '-' ? begin + 1 : begin;
    if (end - digits < 1 || !isDigit(*digits) || !isDigit(end[-1])
        || (*digits == '0' && end - digits > 1 && isDigit(digits[1])))
        return false;
    double number = 0;
    const auto [rest, problem] = std::from_chars(begin, end, number);
    if (rest != end || problem != std::errc())
        return false;
    if (const auto* point = static_cast<const char*>(std::memchr(begin, '.', size_t(end - begin)));
        point && !isDigit(point[1]))
        return false;
    ParsedMetric& metric = out.emplace_back();
    metric.data = QByteArray(begin, end - begin);
    metric.value.kind = MetricValue::Kind::number;
    metric.value.number = number;
    return true;
}

} // namespace

std::optional<Message> readMetricLine(QByteArrayView line, ParsedMetric& metric, std::optional<RawValue>* offset)
{
    bool hasMetric = false;
    std::optional<Message> problem;
    RawMembers members(line);
    while (members.next()) {
        const RawValue& value = members.value();
        if (members.keyIs("metric")) {
            hasMetric = true;
            metric.data = value.text.toByteArray();
        } else if (members.keyIs("step")) {
            metric.step = rawInteger(value);
            if (!metric.step && value.kind != JsonKind::null && !problem)
                problem = u"step is no whole number"_m;
        } else if (members.keyIs("type")) {
            const auto type = metricTypeFromName(QString::fromUtf8(rawStringContent(value)));
            if (type && *type != MetricType::request_parameter)
                metric.type = *type;
            else if (!problem)
                problem = u"type is neither PERIODICAL nor FINAL"_m;
        } else if (offset && members.keyIs("offset")) {
            *offset = value;
        }
    }
    if (problem)
        return problem;
    if (!members.ok())
        return u"it is no JSON object"_m;
    if (!hasMetric)
        return u"it has no member \"metric\""_m;
    metric.value = parseMetricValue(metric.data);
    return std::nullopt;
}

void FileMetricStream::line(QByteArrayView line, qint64 offset, std::vector<ParsedMetric>& out)
{
    if (readPlainLine(line, out))
        return;
    if (offset == 0 && line.startsWith("\xef\xbb\xbf"))
        line = line.sliced(3); // a byte order mark
    if (line.trimmed().isEmpty())
        return;
    ParsedMetric metric;
    if (const std::optional<Message> problem = readMetricLine(line, metric))
        addFinding(offset, u"A line of the metrics file is left out: %1."_m.arg(*problem));
    else
        accept(std::move(metric), offset, out);
}

} // namespace trial
