// SPDX-License-Identifier: GPL-3.0-or-later
// The hot path of metrics: text to value and record to text, without a document a metric.
#include "json_text.h"
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

/// Length of the valid UTF-8 sequence at `p`, 0 when there is none (overlong forms and surrogates are none).
int utf8Length(const uchar* p, const uchar* end)
{
    const auto tail = [&](int i) { return p + i < end && (p[i] & 0xc0) == 0x80; };
    const uchar c = *p;
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c <= 0xdf)
        return tail(1) ? 2 : 0;
    if (c >= 0xe0 && c <= 0xef) {
        if (!tail(1) || !tail(2) || (c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f))
            return 0;
        return 3;
    }
    if (c >= 0xf0 && c <= 0xf4) {
        if (!tail(1) || !tail(2) || !tail(3) || (c == 0xf0 && p[1] < 0x90) || (c == 0xf4 && p[1] > 0x8f))
            return 0;
        return 4;
    }
    return 0;
}

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

/// Reads an object as Python's json module writes one: JSON and bare NaN, Infinity, -Infinity. Where such a word stands the
/// strict text gets it as a string; the copy is made only then.
class ObjectScanner
{
public:
    explicit ObjectScanner(QByteArrayView text)
        : m_begin(text.data())
        , m_at(text.data())
        , m_end(text.data() + text.size())
        , m_copied(text.data())
    {
    }

    bool scan()
    {
        if (!value(0) || m_at != m_end)
            return false;
        if (!m_strict.isEmpty())
            m_strict.append(m_copied, m_end - m_copied);
        return true;
    }
    [[nodiscard]] double defaultNumber() const { return m_default; }
    [[nodiscard]] QByteArray strictText() const
    {
        return m_strict.isEmpty() ? QByteArray(m_begin, m_end - m_begin) : m_strict;
    }

private:
    void skip()
    {
        while (m_at != m_end && isJsonSpace(*m_at))
            ++m_at;
    }

    bool take(char c)
    {
        if (m_at == m_end || *m_at != c)
            return false;
        ++m_at;
        return true;
    }

    bool word(std::string_view text)
    {
        if (size_t(m_end - m_at) < text.size() || std::memcmp(m_at, text.data(), text.size()) != 0)
            return false;
        m_at += text.size();
        return true;
    }

    /// A bare word that JSON does not know: goes into the strict text with quotes.
    bool nonFinite(std::string_view text, double number)
    {
        const char* start = m_at;
        if (!word(text))
            return false;
        m_strict.append(m_copied, start - m_copied);
        m_strict += '"';
        m_strict.append(text.data(), qsizetype(text.size()));
        m_strict += '"';
        m_copied = m_at;
        m_number = number;
        return true;
    }

    bool string()
    {
        if (!take('"'))
            return false;
        while (m_at != m_end) {
            const uchar c = uchar(*m_at);
            if (c == '"') {
                ++m_at;
                return true;
            }
            if (c < 0x20)
                return false;
            if (c == '\\') {
                if (!escape())
                    return false;
            } else {
                const int length =
                    utf8Length(reinterpret_cast<const uchar*>(m_at), reinterpret_cast<const uchar*>(m_end));
                if (length == 0)
                    return false;
                m_at += length;
            }
        }
        return false;
    }

    bool hex4(uint& unit)
    {
        if (m_end - m_at < 4)
            return false;
        const auto [rest, problem] = std::from_chars(m_at, m_at + 4, unit, 16);
        if (problem != std::errc() || rest != m_at + 4)
            return false;
        m_at += 4;
        return true;
    }

    bool escape()
    {
        ++m_at;
        if (m_at == m_end)
            return false;
        const char c = *m_at++;
        if (c != 'u')
            return std::strchr("\"\\/bfnrt", c) != nullptr && c != '\0';
        uint unit = 0;
        if (!hex4(unit) || (unit >= 0xdc00 && unit <= 0xdfff))
            return false;
        if (unit < 0xd800 || unit > 0xdbff)
            return true;
        // The first half of a pair must be followed by the second: strict parsers refuse it otherwise.
        return word("\\u") && hex4(unit) && unit >= 0xdc00 && unit <= 0xdfff;
    }

    bool number()
    {
        const char* start = m_at;
        if (*m_at == '-')
            ++m_at;
        if (m_at == m_end || !isDigit(*m_at))
            return false;
        if (*m_at == '0')
            ++m_at;
        else
            digits();
        if (m_at != m_end && *m_at == '.') {
            ++m_at;
            if (!digits())
                return false;
        }
        if (m_at != m_end && (*m_at == 'e' || *m_at == 'E')) {
            ++m_at;
            if (m_at != m_end && (*m_at == '+' || *m_at == '-'))
                ++m_at;
            if (!digits())
                return false;
        }
        m_number = parseNumber(start, m_at);
        if (m_number && std::isinf(*m_number)) {
            // A finite text beyond a double's range: strict parsers refuse it, so it becomes the word.
            const char* end = std::exchange(m_at, start);
            m_strict.append(m_copied, start - m_copied);
            m_strict.append(*m_number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
            m_at = m_copied = end;
        }
        return true;
    }

    bool digits()
    {
        const char* start = m_at;
        while (m_at != m_end && isDigit(*m_at))
            ++m_at;
        return m_at != start;
    }

    bool value(int depth)
    {
        m_number.reset();
        skip();
        if (m_at == m_end || depth > maxJsonDepth)
            return false;
        bool good = false;
        switch (*m_at) {
        case '{':
            good = object(depth);
            break;
        case '[':
            good = list(depth);
            break;
        case '"':
            good = string();
            break;
        case 't':
            good = word("true");
            break;
        case 'f':
            good = word("false");
            break;
        case 'n':
            good = word("null");
            break;
        case 'N':
            good = nonFinite("NaN", nan);
            break;
        case 'I':
            good = nonFinite("Infinity", infinity);
            break;
        case '-':
            good = m_at + 1 != m_end && m_at[1] == 'I' ? nonFinite("-Infinity", -infinity) : number();
            break;
        default:
            good = number();
            break;
        }
        skip();
        return good;
    }

    bool object(int depth)
    {
        ++m_at;
        skip();
        if (take('}')) {
            m_number.reset();
            return true;
        }
        do {
            skip();
            const char* name = m_at;
            if (!string())
                return false;
            const bool isDefault = depth == 0 && std::string_view(name, size_t(m_at - name)) == "\"default\"";
            skip();
            if (!take(':') || !value(depth + 1))
                return false;
            if (isDefault)
                m_default = m_number.value_or(nan);
        } while (take(','));
        m_number.reset();
        return take('}');
    }

    bool list(int depth)
    {
        ++m_at;
        skip();
        if (take(']'))
            return true;
        do {
            if (!value(depth + 1))
                return false;
        } while (take(','));
        m_number.reset();
        return take(']');
    }

    const char* m_begin;
    const char* m_at;
    const char* m_end;
    const char* m_copied; ///< up to here the text is in m_strict
    QByteArray m_strict;
    std::optional<double> m_number; ///< of the value read last, when it was a number
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
    const char* begin = text.data();
    const char* end = begin + text.size();
    while (begin != end && isJsonSpace(*begin))
        ++begin;
    while (begin != end && isJsonSpace(end[-1]))
        --end;
    MetricValue value;
    if (begin == end)
        return value;
    if (*begin == '{') {
        ObjectScanner scanner(QByteArrayView(begin, end - begin));
        if (scanner.scan()) {
            value.kind = MetricValue::Kind::object;
            value.number = scanner.defaultNumber();
            value.object = scanner.strictText();
        }
        return value;
    }
    if (const std::optional<double> number = parseNumber(begin, end)) {
        value.kind = MetricValue::Kind::number;
        value.number = *number;
    }
    return value;
}

QByteArray strictJson(QByteArrayView text)
{
    const char* begin = text.data();
    const char* end = begin + text.size();
    while (begin != end && isJsonSpace(*begin))
        ++begin;
    while (begin != end && isJsonSpace(end[-1]))
        --end;
    ObjectScanner scanner(QByteArrayView(begin, end - begin));
    return scanner.scan() ? scanner.strictText() : QByteArray();
}

void appendJsonString(QByteArray& out, QByteArrayView text)
{
    static constexpr char hex[] = "0123456789abcdef";
    const auto* at = reinterpret_cast<const uchar*>(text.data());
    const auto* end = at + text.size();
    out += '"';
    while (at != end) {
        const uchar* run = at;
        while (at != end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\')
            ++at;
        if (at != run)
            out.append(reinterpret_cast<const char*>(run), at - run);
        if (at == end)
            break;
        const uchar c = *at;
        if (c >= 0x80) {
            const int length = utf8Length(at, end);
            if (length == 0) {
                out.append("\xef\xbf\xbd", 3);
                ++at;
            } else {
                out.append(reinterpret_cast<const char*>(at), length);
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

void appendMetricJson(QByteArray& out, const TrialId& trialId, const Metric& metric)
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
