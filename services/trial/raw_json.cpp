// SPDX-License-Identifier: GPL-3.0-or-later
#include "raw_json.h"

#include "services/core/json_scanner.h"

#include <charconv>

namespace trial {

using Scanner = JsonScanner<LenientJson>;

static qsizetype position(const Scanner& scanner, QByteArrayView text)
{
    return scanner.at() - text.data();
}

std::optional<RawValue> readRawValue(QByteArrayView text, qsizetype& at)
{
    Scanner scanner(text, std::clamp<qsizetype>(at, 0, text.size()));
    scanner.skipSpace();
    const qsizetype begin = position(scanner, text);
    if (!scanner.value())
        return std::nullopt;
    at = position(scanner, text);
    return RawValue{jsonKind(text[begin]), text.sliced(begin, at - begin)};
}

std::optional<RawValue> wholeRawValue(QByteArrayView text)
{
    qsizetype at = 0;
    const auto found = readRawValue(text, at);
    while (at < text.size() && isJsonSpace(text[at]))
        ++at;
    return at == text.size() ? found : std::nullopt;
}

RawMembers::RawMembers(QByteArrayView object)
    : m_text(object)
{
    Scanner scanner(m_text);
    scanner.skipSpace();
    if (!scanner.take('{'))
        m_state = State::bad;
    m_at = position(scanner, m_text);
}

bool RawMembers::next()
{
    if (m_state == State::done || m_state == State::bad)
        return false;
    Scanner scanner(m_text, m_at);
    scanner.skipSpace();
    if (scanner.take('}')) {
        scanner.skipSpace();
        m_state = scanner.atEnd() ? State::done : State::bad;
        return false;
    }
    const bool separated = m_state == State::first || scanner.take(',');
    m_state = State::bad;
    std::string_view quoted;
    if (!separated || !scanner.name(quoted))
        return false;
    m_key = QByteArrayView(quoted.data() + 1, qsizetype(quoted.size()) - 2);
    m_at = position(scanner, m_text);
    const auto value = readRawValue(m_text, m_at);
    if (!value)
        return false;
    m_value = *value;
    m_state = State::later;
    return true;
}

bool RawMembers::keyIs(QByteArrayView name) const
{
    if (m_key == name)
        return true;
    return m_key.contains('\\') && unescapedJson(m_key) == name;
}

std::optional<RawValue> rawMember(QByteArrayView object, QByteArrayView name)
{
    std::optional<RawValue> found;
    RawMembers members(object);
    while (members.next()) {
        if (members.keyIs(name))
            found = members.value();
    }
    return members.ok() ? found : std::nullopt;
}

QByteArray rawStringContent(const RawValue& value)
{
    if (value.kind != JsonKind::string || value.text.size() < 2)
        return {};
    return unescapedJson(value.text.sliced(1, value.text.size() - 2));
}

QByteArray compactJson(QByteArrayView value)
{
    QByteArray out;
    out.reserve(value.size());
    bool inString = false;
    for (qsizetype i = 0; i < value.size(); ++i) {
        const char c = value[i];
        if (inString) {
            out += c;
            if (c == '\\' && i + 1 < value.size())
                out += value[++i];
            else if (c == '"')
                inString = false;
        } else if (!isJsonSpace(c)) {
            out += c;
            inString = c == '"';
        }
    }
    return out;
}

std::optional<qint64> rawInteger(const RawValue& value)
{
    if (value.kind != JsonKind::number)
        return std::nullopt;
    qint64 number = 0;
    const char* end = value.text.data() + value.text.size();
    const auto [rest, problem] = std::from_chars(value.text.data(), end, number);
    return problem == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

} // namespace trial
