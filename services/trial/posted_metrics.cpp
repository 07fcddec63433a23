// SPDX-License-Identifier: GPL-3.0-or-later
#include "posted_metrics.h"

#include "file_metric_stream.h"
#include "nni_streams.h"
#include "raw_json.h"
#include "services/core/json_scanner.h"

#include <cstring>

using namespace Qt::StringLiterals;

namespace trial {

namespace {

tl::unexpected<PostProblem> refused(const Message& sentence, bool isTooLarge = false)
{
    return tl::unexpected(PostProblem{sentence, isTooLarge});
}

tl::unexpected<PostProblem> unreadable(qsizetype line, const Message& why)
{
    return refused(u"Line %1 cannot be read, and nothing was taken: %2."_m.arg(line).arg(why));
}

tl::unexpected<PostProblem> tooManyRecords()
{
    return refused(u"A post holds at most %1 records; send the rest in another one."_m.arg(maxPostedLines), true);
}

/// `line`: its number, from 1.
std::optional<PostProblem> problemOf(const ParsedMetric& metric, qsizetype line)
{
    switch (faultOf(metric)) {
    case MetricFault::none:
        break;
    case MetricFault::tooLong:
        return PostProblem{u"The metric in line %1 has more than 1 MiB; nothing was taken."_m.arg(line), true};
    case MetricFault::notUtf8:
        return unreadable(line, u"it is not UTF-8"_m).value();
    case MetricFault::tooDeep:
        return unreadable(line, u"it is %1"_m.arg(core::tooDeepWords())).value();
    }
    return std::nullopt;
}

} // namespace

Posted<std::vector<PostedMetric>> readPostedLines(QByteArrayView body)
{
    std::vector<PostedMetric> out;
    qsizetype number = 0;
    for (qsizetype begin = 0; begin < body.size();) {
        ++number;
        const void* found = std::memchr(body.data() + begin, '\n', size_t(body.size() - begin));
        const qsizetype end = found ? static_cast<const char*>(found) - body.data() : body.size();
        const QByteArrayView line = body.sliced(begin, end - begin);
        begin = end + 1;
        if (line.size() > maxPostedLineBytes)
            return refused(u"Line %1 has more than 1 MiB; nothing was taken."_m.arg(number), true);
        if (line.trimmed().isEmpty())
            continue;
        if (qsizetype(out.size()) == maxPostedLines)
            return tooManyRecords();
        PostedMetric& posted = out.emplace_back();
        std::optional<RawValue> offset;
        if (const std::optional<Message> problem = readMetricLine(line, posted.metric, &offset))
            return unreadable(number, *problem);
        const std::optional<qint64> place = offset ? rawInteger(*offset) : std::nullopt;
        if (!place || *place < 0)
            return unreadable(number, u"offset is no whole number from 0"_m);
        posted.offset = *place;
        if (auto problem = problemOf(posted.metric, number))
            return tl::unexpected(*std::move(problem));
    }
    return out;
}

Posted<KeeperOutput> readKeeperOutput(QByteArrayView body)
{
    const std::optional<RawValue> message = rawMember(body, "msg");
    const std::optional<RawValue> tag = rawMember(body, "tag");
    if (!message || message->kind != JsonKind::string || !tag || tag->kind != JsonKind::string)
        return refused(u"The body is no object with the texts \"tag\" and \"msg\"."_m);
    KeeperOutput out;
    if (rawStringContent(*tag) != "trial") {
        out.otherLines = 1;
        return out;
    }
    SdkLineStream stream;
    std::vector<ParsedMetric> parsed;
    stream.feed(0, rawStringContent(*message), parsed);
    stream.finish(parsed);
    if (const QList<MetricFinding> findings = stream.takeFindings(); !findings.isEmpty())
        return refused(findings.first().text, message->text.size() > maxMetricBytes);
    if (qsizetype(parsed.size()) > maxPostedLines)
        return tooManyRecords();
    out.metrics.reserve(parsed.size());
    for (ParsedMetric& metric : parsed)
        out.metrics.push_back({0, std::move(metric)});
    out.otherLines = parsed.empty() ? 1 : 0;
    return out;
}

Posted<std::vector<PostedMetric>> readKeeperMetrics(QByteArrayView body)
{
    const std::optional<RawValue> list = rawMember(body, "metrics");
    if (!list || list->kind != JsonKind::array)
        return refused(u"The body is no object with a list \"metrics\"."_m);
    std::vector<PostedMetric> out;
    // Of a well-formed array: values with commas between them.
    const QByteArrayView text = list->text;
    for (qsizetype at = 1; at < text.size();) {
        const std::optional<RawValue> value = readRawValue(text, at);
        if (!value)
            break; // the bracket of an empty list
        if (qsizetype(out.size()) == maxPostedLines)
            return tooManyRecords();
        const qsizetype number = qsizetype(out.size()) + 1;
        if (value->kind != JsonKind::string)
            return unreadable(number, u"it is no text"_m);
        PostedMetric& posted = out.emplace_back();
        if (const std::optional<Message> problem = readSdkMetric(rawStringContent(*value), posted.metric))
            return unreadable(number, *problem);
        if (auto problem = problemOf(posted.metric, number))
            return tl::unexpected(*std::move(problem));
        while (at < text.size() && text[at] != ',' && text[at] != ']')
            ++at;
        ++at;
    }
    return out;
}

} // namespace trial
