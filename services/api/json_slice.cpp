// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_slice.h"

#include "services/core/json_scanner.h"

#include <charconv>
#include <cmath>

using namespace Qt::StringLiterals;

namespace api {

namespace {

const char* skipSpace(const char* at, const char* end)
{
    while (at != end && isJsonSpace(*at))
        ++at;
    return at;
}

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
    JsonScanner<StrictJson> scanner(text);
    if (scanner.wholeText())
        return {};
    qsizetype line = 1;
    const char* lineStart = text.data();
    for (const char* p = text.data(); p < scanner.at(); ++p) {
        if (*p == '\n') {
            ++line;
            lineStart = p + 1;
        }
    }
    return fail(Kind::invalid,
        u"This is not valid JSON: line %1, column %2: %3."_m.arg(line)
            .arg(scanner.at() - lineStart + 1)
            .arg(QLatin1StringView(scanner.problem())));
}

JsonSlice::JsonSlice(QByteArrayView text)
    : m_text(trimmedJson(text))
{
}

JsonKind JsonSlice::kind() const
{
    return m_text.isEmpty() ? JsonKind::null : jsonKind(m_text.front());
}

QByteArray JsonSlice::string() const
{
    return kind() == JsonKind::string ? characters(m_text) : QByteArray();
}

std::optional<bool> JsonSlice::boolean() const
{
    if (kind() != JsonKind::boolean)
        return std::nullopt;
    return m_text.front() == 't';
}

std::optional<double> JsonSlice::number() const
{
    if (kind() != JsonKind::number)
        return std::nullopt;
    double number = 0;
    const auto [rest, problem] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), number);
    if (problem == std::errc::result_out_of_range)
        return std::strtod(m_text.toByteArray().constData(), nullptr);
    return number;
}

std::optional<qint64> JsonSlice::whole() const
{
    if (kind() != JsonKind::number)
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
    if (kind() != JsonKind::object)
        return found;
    for (MemberWalker walker(*this); walker.next();) {
        if (walker.key() == name)
            found = walker.value();
    }
    return found;
}

MemberWalker::MemberWalker(const JsonSlice& object)
{
    if (object.kind() != JsonKind::object)
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
    if (array.kind() != JsonKind::array)
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
