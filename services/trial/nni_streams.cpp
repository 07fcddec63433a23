// SPDX-License-Identifier: GPL-3.0-or-later
#include "nni_streams.h"

#include "raw_json.h"
#include "services/core/json_text.h"
#include "services/core/record_json.h"

#include <cstring>
#include <limits>
#include <string_view>

using namespace Qt::StringLiterals;

namespace trial {

using core::isDigit;

namespace {

constexpr qsizetype headerSize = 8; // ME and six digits
constexpr QByteArrayView sdkMark = "NNISDK_MEb'";

/// The payload's size if a header stands at `at`, which leaves room for one; else -1.
int payloadSize(QByteArrayView bytes, qsizetype at)
{
    const char* p = bytes.data() + at;
    if (p[0] != 'M' || p[1] != 'E')
        return -1;
    int size = 0;
    for (int i = 2; i < headerSize; ++i) {
        if (!isDigit(p[i]))
            return -1;
        size = size * 10 + (p[i] - '0');
    }
    return size;
}

/// Where from `from` on a header with an object behind it begins, or could begin where the bytes end.
qsizetype nextHeader(QByteArrayView bytes, qsizetype from)
{
    const qsizetype size = bytes.size();
    for (qsizetype at = from; at < size; ++at) {
        const void* found = std::memchr(bytes.data() + at, 'M', size_t(size - at));
        if (!found)
            return size;
        at = static_cast<const char*>(found) - bytes.data();
        const qsizetype there = std::min(size - at, headerSize + 1);
        bool fits = true;
        for (qsizetype i = 1; fits && i < there; ++i) {
            const char c = bytes[at + i];
            fits = i == 1 ? c == 'E' : i < headerSize ? isDigit(c) : c == '{';
        }
        if (fits)
            return at;
    }
    return size;
}

std::string_view viewOf(QByteArrayView bytes)
{
    return {bytes.data(), size_t(bytes.size())};
}

} // namespace

std::optional<Message> readSdkMetric(QByteArrayView payload, ParsedMetric& metric)
{
    RawMembers members(payload);
    std::optional<MetricType> type;
    bool hasValue = false;
    while (members.next()) {
        const RawValue& value = members.value();
        if (members.keyIs("parameter_id")) {
            metric.parameterId = rawInteger(value);
        } else if (members.keyIs("type")) {
            const QByteArrayView text = value.text;
            if (text == "\"PERIODICAL\"")
                type = MetricType::periodical;
            else if (text == "\"FINAL\"")
                type = MetricType::final;
            else if (text == "\"REQUEST_PARAMETER\"")
                type = MetricType::request_parameter;
        } else if (members.keyIs("sequence")) {
            metric.step = rawInteger(value);
        } else if (members.keyIs("value")) {
            hasValue = true;
            metric.data = value.kind == JsonKind::string ? rawStringContent(value) : value.text.toByteArray();
        } else if (members.keyIs("parameter_index")) {
            const auto index = rawInteger(value);
            metric.parameterIndex = index && *index >= 0 && *index <= std::numeric_limits<int>::max() ? int(*index) : 0;
        }
    }
    if (!members.ok())
        return u"it is no JSON object"_m;
    if (!type)
        return u"it has no type that NNI knows"_m;
    metric.type = *type;
    if (metric.type == MetricType::request_parameter)
        return std::nullopt;
    if (!hasValue)
        return u"it has no value"_m;
    metric.value = parseMetricValue(metric.data);
    return std::nullopt;
}

qsizetype NniMetricStream::take(
    QByteArrayView bytes, qint64 offset, qsizetype searched, bool last, std::vector<ParsedMetric>& out)
{
    const qsizetype size = bytes.size();
    qsizetype at = 0;
    const auto passOver = [&](qsizetype to) {
        if (!std::exchange(m_inGarbage, true))
            addFinding(
                offset + at, u"The metrics file holds bytes that are no record; reading goes on at the next record."_m);
        at = to;
    };
    while (at < size) {
        if (size - at < headerSize) {
            if (last) {
                passOver(size);
                break;
            }
            const qsizetype next = nextHeader(bytes, at);
            if (next == at)
                break; // may become a header
            passOver(next);
            continue;
        }
        const int length = payloadSize(bytes, at);
        if (length < 0) {
            passOver(nextHeader(bytes, at + 1));
            continue;
        }
        const qsizetype begin = at + headerSize;
        if (size - begin < length) {
            // A payload ends with its only line break. If there is one already, the record was torn, and a whole one
            // that begins inside proves it.
            qsizetype inner = size;
            const qsizetype from = std::max(begin, searched);
            if (last || (from < size && std::memchr(bytes.data() + from, '\n', size_t(size - from)))) {
                inner = begin;
                while ((inner = nextHeader(bytes, inner)) < size) {
                    const qsizetype left = size - inner - headerSize;
                    const int innerLength = left > 0 ? payloadSize(bytes, inner) : -1;
                    ParsedMetric ignored;
                    if (innerLength > 0 && innerLength <= left
                        && !readSdkMetric(bytes.sliced(inner + headerSize, innerLength), ignored))
                        break;
                    ++inner;
                }
            }
            if (inner < size || last) {
                passOver(inner);
                continue;
            }
            break;
        }
        const QByteArrayView payload = bytes.sliced(begin, length);
        ParsedMetric metric;
        const std::optional<Message> problem = readSdkMetric(payload, metric);
        if (!problem) {
            accept(std::move(metric), offset + at, out);
            m_inGarbage = false;
            at = begin + length;
        } else if (wholeRawValue(payload)) {
            addFinding(offset + at, u"A record of the metrics file is left out: %1."_m.arg(*problem));
            m_inGarbage = false;
            at = begin + length;
        } else {
            passOver(nextHeader(bytes, begin));
        }
    }
    return at;
}

void SdkLineStream::line(QByteArrayView line, qint64 offset, std::vector<ParsedMetric>& out)
{
    const std::string_view text = viewOf(line);
    const std::string_view mark = viewOf(sdkMark);
    for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at)) {
        at += mark.size();
        qsizetype end = qsizetype(at);
        const auto payload = readRawValue(line, end);
        if (!payload || payload->kind != JsonKind::object) {
            addFinding(offset + qint64(at),
                u"A line of NNI's SDK on standard output holds no whole record; it is left out."_m);
            continue;
        }
        ParsedMetric metric;
        if (const auto problem = readSdkMetric(payload->text, metric))
            addFinding(
                offset + qint64(at), u"A record of NNI's SDK on standard output is left out: %1."_m.arg(*problem));
        else
            accept(std::move(metric), offset + qint64(at), out);
        at = size_t(end);
    }
}

void SdkLineStream::longLine(QByteArrayView head, qint64 offset, std::vector<ParsedMetric>&)
{
    // A long line of the program's own is its own affair.
    if (viewOf(head).find(viewOf(sdkMark)) != std::string_view::npos)
        addFinding(offset, u"A metric of over 1 MiB on standard output is left out."_m);
}

} // namespace trial
