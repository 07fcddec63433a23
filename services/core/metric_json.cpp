// SPDX-License-Identifier: GPL-3.0-or-later
// The hot path of metrics: text to value and record to text, without a document a metric.
#include "json_scanner.h"
#include "record_json.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

using namespace Qt::StringLiterals;

namespace core {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A whole number text, as Python's float() reads it: also nan, inf, infinity in any case, and a leading plus.
std::optional<double> parseNumber(const char* begin, const char* end)
{
    if (begin != end && *begin == '+') {
        ++begin;
        if (begin != end && (*begin == '-' || *begin == '+'))
            return std::nullopt;
    }
    if (begin == end || end[-1] == ')') // from_chars would take nan(text)
        return std::nullopt;
    double number = 0;
    const auto [rest, problem] = std::from_chars(begin, end, number);
    if (rest != end)
        return std::nullopt;
    if (problem == std::errc::result_out_of_range) {
        // Too large is infinite and too small is zero, as in Python; strtod tells which.
        const std::string copy(begin, end);
        return std::strtod(copy.c_str(), nullptr);
    }
    if (problem != std::errc())
        return std::nullopt;
    return number;
}

/// Visitor of JsonScanner<PythonJson>: makes the strict text, in which the words that JSON does not know and numbers
/// beyond a double's range stand as strings, and finds the number of the member "default". The text is copied only
/// where something is replaced.
class StrictText
{
public:
    explicit StrictText(QByteArrayView text)
        : m_text(text)
        , m_copied(text.data())
    {
    }

    void name(std::string_view quoted, int depth)
    {
        if (depth != 1)
            return;
        m_inDefault = quoted == "\"default\"";
        if (m_inDefault)
            m_default = nan;
    }
    void number(const char* begin, const char* end, int depth)
    {
        const double number = parseNumber(begin, end).value_or(nan);
        if (std::isinf(number))
            replace(begin, end, number > 0 ? "Infinity" : "-Infinity");
        if (depth == 1 && m_inDefault)
            m_default = number;
    }
    void bareWord(std::string_view word, int depth)
    {
        replace(word.data(), word.data() + word.size(), word);
        if (depth == 1 && m_inDefault)
            m_default = word == "NaN" ? nan : word == "Infinity" ? infinity : -infinity;
    }

    /// Of the outermost object's member "default"; NaN when that is no number.
    [[nodiscard]] double defaultNumber() const { return m_default; }
    /// After the whole text was scanned.
    [[nodiscard]] QByteArray strictText()
    {
        if (m_strict.isEmpty())
            return m_text.toByteArray();
        const char* end = m_text.data() + m_text.size();
        m_strict.append(m_copied, end - m_copied);
        m_copied = end;
        return m_strict;
    }

private:
    void replace(const char* begin, const char* end, std::string_view word)
    {
        m_strict.append(m_copied, begin - m_copied);
        m_strict += '"';
        m_strict.append(word.data(), qsizetype(word.size()));
        m_strict += '"';
        m_copied = end;
    }

    QByteArrayView m_text;
    const char* m_copied; ///< up to here the text is in m_strict
    QByteArray m_strict;
    bool m_inDefault = false;
    double m_default = nan;
};

void appendNumber(char*& out, qint64 number)
{
    out = std::to_chars(out, out + 24, number).ptr;
}

void appendText(char*& out, std::string_view text)
{
    std::memcpy(out, text.data(), text.size());
    out += text.size();
}

std::string_view nonFiniteWord(double number)
{
    return std::isnan(number) ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
}

/// Trial ids are [a-z0-9] when we made them; a client may hold any text, so it is escaped as everything else.
void appendIdString(QByteArray& out, const QString& id)
{
    char buffer[64];
    if (id.size() <= 60) {
        qsizetype i = 0;
        for (; i < id.size(); ++i) {
            const char16_t c = id[i].unicode();
            if (c < 0x20 || c >= 0x7f || c == u'"' || c == u'\\')
                break;
            buffer[i] = char(c);
        }
        if (i == id.size()) {
            out += '"';
            out.append(buffer, i);
            out += '"';
            return;
        }
    }
    appendJsonString(out, id.toUtf8());
}

} // namespace

MetricValue parseMetricValue(QByteArrayView text)
{
    text = trimmedJson(text);
    MetricValue value;
    if (text.isEmpty())
        return value;
    if (text.front() == '{') {
        StrictText strict(text);
        if (JsonScanner<PythonJson>(text, 0, maxAcceptedDepth).wholeText(strict)) {
            value.kind = MetricValue::Kind::object;
            value.number = strict.defaultNumber();
            value.object = strict.strictText();
        }
        return value;
    }
    if (const std::optional<double> number = parseNumber(text.data(), text.data() + text.size())) {
        value.kind = MetricValue::Kind::number;
        value.number = *number;
    }
    return value;
}

QByteArray strictJson(QByteArrayView text)
{
    text = trimmedJson(text);
    StrictText strict(text);
    return JsonScanner<PythonJson>(text).wholeText(strict) ? strict.strictText() : QByteArray();
}

void appendJsonString(QByteArray& out, QByteArrayView text)
{
    static constexpr char hex[] = "0123456789abcdef";
    const char* at = text.data();
    const char* end = at + text.size();
    out += '"';
    while (at != end) {
        const char* run = at;
        while (at != end && uchar(*at) >= 0x20 && uchar(*at) < 0x80 && *at != '"' && *at != '\\')
            ++at;
        if (at != run)
            out.append(run, at - run);
        if (at == end)
            break;
        const uchar c = uchar(*at);
        if (c >= 0x80) {
            const int length = utf8Length(at, end);
            if (length == 0) {
                out.append("\xef\xbf\xbd", 3);
                ++at;
            } else {
                out.append(at, length);
                at += length;
            }
            continue;
        }
        ++at;
        switch (c) {
        case '"':
            out.append("\\\"", 2);
            break;
        case '\\':
            out.append("\\\\", 2);
            break;
        case '\n':
            out.append("\\n", 2);
            break;
        case '\r':
            out.append("\\r", 2);
            break;
        case '\t':
            out.append("\\t", 2);
            break;
        case '\b':
            out.append("\\b", 2);
            break;
        case '\f':
            out.append("\\f", 2);
            break;
        default: {
            const char escaped[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
            out.append(escaped, sizeof escaped);
        }
        }
    }
    out += '"';
}

void appendMetricJson(QByteArray& out, const TrialId& trialId, const Metric& metric, const QByteArray& parameterIdText)
{
    out.append("{\"trialId\":", 11);
    appendIdString(out, trialId.value);

    char buffer[256];
    char* at = buffer;
    appendText(at, ",\"sequence\":");
    appendNumber(at, metric.sequence);
    switch (metric.type) {
    case MetricType::periodical:
        appendText(at, ",\"type\":\"PERIODICAL\"");
        break;
    case MetricType::final:
        appendText(at, ",\"type\":\"FINAL\"");
        break;
    case MetricType::request_parameter:
        appendText(at, ",\"type\":\"REQUEST_PARAMETER\"");
        break;
    }
    if (metric.parameterId) {
        appendText(at, ",\"parameterId\":");
        appendNumber(at, *metric.parameterId);
    } else if (!parameterIdText.isEmpty() && metric.type != MetricType::request_parameter) {
        appendText(at, ",\"parameterId\":");
        out.append(buffer, at - buffer);
        appendJsonString(out, parameterIdText);
        at = buffer;
    } else {
        appendText(at, ",\"parameterId\":null");
    }
    appendText(at, ",\"parameterIndex\":");
    appendNumber(at, metric.parameterIndex);
    if (metric.step) {
        appendText(at, ",\"step\":");
        appendNumber(at, *metric.step);
    } else {
        appendText(at, ",\"step\":null");
    }
    appendText(at, ",\"data\":");
    out.append(buffer, at - buffer);
    appendJsonString(out, metric.data);

    at = buffer;
    appendText(at, ",\"value\":");
    switch (metric.value.kind) {
    case MetricValue::Kind::none:
        appendText(at, "null");
        break;
    case MetricValue::Kind::number:
        if (std::isfinite(metric.value.number))
            at = std::to_chars(at, at + 40, metric.value.number).ptr;
        else
            appendText(at, nonFiniteWord(metric.value.number));
        break;
    case MetricValue::Kind::object:
        out.append(buffer, at - buffer);
        at = buffer;
        if (metric.value.object.contains('\n') || metric.value.object.contains('\r')) {
            // Lines separate records on the wire; between the tokens of JSON a line break is a space.
            QByteArray line = metric.value.object;
            line.replace('\n', ' ').replace('\r', ' ');
            out += line;
        } else {
            out += metric.value.object;
        }
        break;
    }
    appendText(at, ",\"time\":");
    appendNumber(at, metric.time);
    *at++ = '}';
    out.append(buffer, at - buffer);
}

Json MetricValue::toJson() const
{
    switch (kind) {
    case Kind::none:
        return nullptr;
    case Kind::number:
        if (std::isfinite(number))
            return number;
        return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
    case Kind::object:
        if (auto json = parseJson(object))
            return *std::move(json);
        return nullptr;
    }
    return nullptr;
}

} // namespace core
