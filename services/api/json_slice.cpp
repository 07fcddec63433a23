// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_slice.h"

#include "services/core/json_text.h"

#include <bitset>
#include <charconv>
#include <cmath>
#include <cstring>

using namespace Qt::StringLiterals;

namespace api {

namespace {

const char* skipSpace(const char* at, const char* end)
{
    while (at != end && isJsonSpace(*at))
        ++at;
    return at;
}

/// A pass over the text without recursion: what is open is kept as one bit a level.
class Checker
{
public:
    explicit Checker(QByteArrayView text)
        : m_at(text.data())
        , m_end(text.data() + text.size())
    {
    }

    /// The place of the first problem, or null.
    const char* problem(const char*& what)
    {
        bool good = value();
        while (good && m_depth > 0) {
            m_at = skipSpace(m_at, m_end);
            if (m_at == m_end) {
                good = bad("the text ends too early");
                break;
            }
            const bool object = m_isObject[size_t(m_depth)];
            if (*m_at == (object ? '}' : ']')) {
                ++m_at;
                --m_depth;
            } else if (*m_at == ',') {
                ++m_at;
                good = (!object || key()) && value();
            } else {
                good =
                    bad(object ? "a comma or a closing brace is expected" : "a comma or a closing bracket is expected");
            }
        }
        if (good) {
            m_at = skipSpace(m_at, m_end);
            if (m_at != m_end)
                good = bad("something follows the value");
        }
        what = m_what;
        return good ? nullptr : m_at;
    }

private:
    bool bad(const char* what)
    {
        m_what = what;
        return false;
    }

    bool key()
    {
        m_at = skipSpace(m_at, m_end);
        if (m_at == m_end || *m_at != '"')
            return bad("a name in quotes is expected");
        if (!string())
            return false;
        m_at = skipSpace(m_at, m_end);
        if (m_at == m_end || *m_at != ':')
            return bad("a colon is expected");
        ++m_at;
        return true;
    }

    /// A scalar, or the opening of something with its first key; empty ones are closed at once.
    bool value()
    {
        for (;;) {
            m_at = skipSpace(m_at, m_end);
            if (m_at == m_end)
                return bad("a value is expected");
            switch (*m_at) {
            case '"':
                return string();
            case 't':
                return word("true");
            case 'f':
                return word("false");
            case 'n':
                return word("null");
            case '{':
            case '[': {
                const bool object = *m_at == '{';
                if (++m_depth > maxJsonDepth)
                    return bad("it is nested more than 128 levels deep");
                m_isObject[size_t(m_depth)] = object;
                m_at = skipSpace(m_at + 1, m_end);
                if (m_at != m_end && *m_at == (object ? '}' : ']')) {
                    ++m_at;
                    --m_depth;
                    return true;
                }
                if (object && !key())
                    return false;
                continue;
            }
            default:
                return number();
            }
        }
    }

    bool word(const char* text)
    {
        const size_t size = std::strlen(text);
        if (size_t(m_end - m_at) < size || std::memcmp(m_at, text, size) != 0)
            return bad("a value is expected");
        m_at += size;
        return true;
    }

    bool number()
    {
        if (*m_at == '-')
            ++m_at;
        if (m_at == m_end || !isDigit(*m_at))
            return bad("a value is expected");
        if (*m_at == '0')
            ++m_at;
        else
            digits();
        if (m_at != m_end && *m_at == '.') {
            ++m_at;
            if (!digits())
                return bad("a digit is expected after the point");
        }
        if (m_at != m_end && (*m_at == 'e' || *m_at == 'E')) {
            ++m_at;
            if (m_at != m_end && (*m_at == '+' || *m_at == '-'))
                ++m_at;
            if (!digits())
                return bad("a digit is expected in the exponent");
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

    int hex4()
    {
        if (m_end - m_at < 4)
            return -1;
        int code = 0;
        for (int i = 0; i < 4; ++i) {
            const int digit = hexDigit(m_at[i]);
            if (digit < 0)
                return -1;
            code = code * 16 + digit;
        }
        m_at += 4;
        return code;
    }

    bool escape()
    {
        if (m_at == m_end)
            return bad("the text ends inside a string");
        const char c = *m_at++;
        if (c != 'u') {
            if (!std::strchr("\"\\/bfnrt", c) || c == 0)
                return bad("unknown escape in a string");
            return true;
        }
        const int code = hex4();
        if (code < 0)
            return bad("four hexadecimal digits are expected after \\u");
        if (code >= 0xdc00 && code <= 0xdfff)
            return bad("half of a surrogate pair in a string");
        if (code >= 0xd800 && code <= 0xdbff) {
            if (m_end - m_at < 6 || m_at[0] != '\\' || m_at[1] != 'u')
                return bad("half of a surrogate pair in a string");
            m_at += 2;
            const int low = hex4();
            if (low < 0xdc00 || low > 0xdfff)
                return bad("half of a surrogate pair in a string");
        }
        return true;
    }

    bool string()
    {
        ++m_at;
        for (;;) {
            if (m_at == m_end)
                return bad("the text ends inside a string");
            const uchar c = uchar(*m_at);
            if (c == '"') {
                ++m_at;
                return true;
            }
            if (c < 0x20)
                return bad("a control character in a string must be escaped");
            if (c == '\\') {
                ++m_at;
                if (!escape())
                    return false;
            } else if (c < 0x80) {
                ++m_at;
            } else if (!utf8()) {
                return bad("invalid UTF-8 in a string");
            }
        }
    }

    bool utf8()
    {
        const uchar* p = reinterpret_cast<const uchar*>(m_at);
        const auto left = m_end - m_at;
        const auto tail = [&](int i) { return left > i && (p[i] & 0xc0) == 0x80; };
        int length = 0;
        if (p[0] >= 0xc2 && p[0] <= 0xdf && tail(1))
            length = 2;
        else if (p[0] >= 0xe0 && p[0] <= 0xef && tail(1) && tail(2) && !(p[0] == 0xe0 && p[1] < 0xa0)
            && !(p[0] == 0xed && p[1] > 0x9f))
            length = 3;
        else if (p[0] >= 0xf0 && p[0] <= 0xf4 && tail(1) && tail(2) && tail(3) && !(p[0] == 0xf0 && p[1] < 0x90)
            && !(p[0] == 0xf4 && p[1] > 0x8f))
            length = 4;
        m_at += length;
        return length > 0;
    }

    const char* m_at;
    const char* m_end;
    const char* m_what = "";
    int m_depth = 0;
    std::bitset<maxJsonDepth + 1> m_isObject;
};

/// The end of the string that begins at `at` (checked text).
const char* skipString(const char* at)
{
    for (++at; *at != '"'; ++at) {
        if (*at == '\\')
            ++at;
    }
    return at + 1;
}

/// The end of the value that begins at `at` (checked text).
const char* skipValue(const char* at, const char* end)
{
    if (*at == '"')
        return skipString(at);
    if (*at != '{' && *at != '[') {
        while (at != end && *at != ',' && *at != '}' && *at != ']' && !isJsonSpace(*at))
            ++at;
        return at;
    }
    int depth = 0;
    for (;;) {
        switch (*at) {
        case '"':
            at = skipString(at);
            continue;
        case '{':
        case '[':
            ++depth;
            break;
        case '}':
        case ']':
            if (--depth == 0)
                return at + 1;
            break;
        default:
            break;
        }
        ++at;
    }
}

/// Of a string in its quotes.
QByteArray characters(QByteArrayView quoted)
{
    return unescapedJson(quoted.sliced(1, quoted.size() - 2));
}

} // namespace

Result<> checkJson(QByteArrayView text)
{
    const char* what = nullptr;
    const char* at = Checker(text).problem(what);
    if (!at)
        return {};
    qsizetype line = 1;
    const char* lineStart = text.data();
    for (const char* p = text.data(); p < at; ++p) {
        if (*p == '\n') {
            ++line;
            lineStart = p + 1;
        }
    }
    return fail(Kind::invalid,
        u"This is not valid JSON: line %1, column %2: %3."_s.arg(line)
            .arg(at - lineStart + 1)
            .arg(QLatin1StringView(what)));
}

JsonSlice::JsonSlice(QByteArrayView text)
{
    const char* begin = skipSpace(text.data(), text.data() + text.size());
    const char* end = text.data() + text.size();
    while (end > begin && isJsonSpace(end[-1]))
        --end;
    m_text = QByteArrayView(begin, end - begin);
}

JsonSlice::Type JsonSlice::type() const
{
    if (m_text.isEmpty())
        return Type::null;
    switch (m_text.front()) {
    case '{':
        return Type::object;
    case '[':
        return Type::array;
    case '"':
        return Type::string;
    case 't':
    case 'f':
        return Type::boolean;
    case 'n':
        return Type::null;
    default:
        return Type::number;
    }
}

QByteArray JsonSlice::string() const
{
    return type() == Type::string ? characters(m_text) : QByteArray();
}

std::optional<bool> JsonSlice::boolean() const
{
    if (type() != Type::boolean)
        return std::nullopt;
    return m_text.front() == 't';
}

std::optional<double> JsonSlice::number() const
{
    if (type() != Type::number)
        return std::nullopt;
    double number = 0;
    const auto [rest, problem] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), number);
    if (problem == std::errc::result_out_of_range)
        return std::strtod(m_text.toByteArray().constData(), nullptr);
    return number;
}

std::optional<qint64> JsonSlice::whole() const
{
    if (type() != Type::number)
        return std::nullopt;
    qint64 whole = 0;
    const char* end = m_text.data() + m_text.size();
    const auto [rest, problem] = std::from_chars(m_text.data(), end, whole);
    if (problem == std::errc() && rest == end)
        return whole;
    const double number = *this->number();
    if (std::floor(number) != number || std::abs(number) > 9e15)
        return std::nullopt;
    return qint64(number);
}

std::optional<JsonSlice> JsonSlice::member(QByteArrayView name) const
{
    std::optional<JsonSlice> found;
    if (type() != Type::object)
        return found;
    for (MemberWalker walker(*this); walker.next();) {
        if (walker.key() == name)
            found = walker.value();
    }
    return found;
}

MemberWalker::MemberWalker(const JsonSlice& object)
{
    if (object.type() != JsonSlice::Type::object)
        return;
    m_at = object.text().data() + 1;
    m_end = object.text().data() + object.text().size();
}

bool MemberWalker::next()
{
    if (!m_at)
        return false;
    m_at = skipSpace(m_at, m_end);
    if (*m_at == '}')
        return false;
    if (*m_at == ',')
        m_at = skipSpace(m_at + 1, m_end);
    const char* keyEnd = skipString(m_at);
    m_key = characters(QByteArrayView(m_at, keyEnd - m_at));
    m_at = skipSpace(keyEnd, m_end);
    m_at = skipSpace(m_at + 1, m_end);
    const char* valueEnd = skipValue(m_at, m_end);
    m_value = JsonSlice(QByteArrayView(m_at, valueEnd - m_at));
    m_at = valueEnd;
    return true;
}

ElementWalker::ElementWalker(const JsonSlice& array)
{
    if (array.type() != JsonSlice::Type::array)
        return;
    m_at = array.text().data() + 1;
    m_end = array.text().data() + array.text().size();
}

bool ElementWalker::next()
{
    if (!m_at)
        return false;
    m_at = skipSpace(m_at, m_end);
    if (*m_at == ']')
        return false;
    if (*m_at == ',')
        m_at = skipSpace(m_at + 1, m_end);
    const char* valueEnd = skipValue(m_at, m_end);
    m_value = JsonSlice(QByteArrayView(m_at, valueEnd - m_at));
    m_at = valueEnd;
    return true;
}

} // namespace api
