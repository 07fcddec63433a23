// SPDX-License-Identifier: GPL-3.0-or-later
#include "raw_json.h"

#include "services/core/json_text.h"

#include <array>
#include <charconv>
#include <cstring>

namespace trial {

namespace {

/// Walks over one value. `m_at` never leaves the text.
class Walker
{
public:
    Walker(QByteArrayView text, qsizetype at)
        : m_begin(text.data())
        , m_at(text.data() + at)
        , m_end(text.data() + text.size())
    {
    }

    [[nodiscard]] qsizetype position() const { return m_at - m_begin; }
    [[nodiscard]] bool atEnd() const { return m_at == m_end; }
    void skipSpace()
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

    /// Leaves `m_at` behind the closing quote.
    bool string()
    {
        if (!take('"'))
            return false;
        while (m_at != m_end) {
            const char c = *m_at;
            if (c == '"') {
                ++m_at;
                return true;
            }
            if (uchar(c) < 0x20)
                return false;
            if (c == '\\') {
                if (m_end - m_at < 2)
                    return false;
                if (m_at[1] == 'u') {
                    if (m_end - m_at < 6)
                        return false;
                    for (int i = 2; i < 6; ++i) {
                        if (hexDigit(m_at[i]) < 0)
                            return false;
                    }
                    m_at += 6;
                    continue;
                }
                if (m_at[1] == '\0' || !std::strchr("\"\\/bfnrt", m_at[1]))
                    return false;
                m_at += 2;
                continue;
            }
            ++m_at;
        }
        return false;
    }

    bool value(RawKind& kind)
    {
        std::array<char, maxJsonDepth> open; // brackets that are open inside this value
        int depth = 0;
        bool outermost = true;
        for (;;) {
            skipSpace();
            if (m_at == m_end)
                return false;
            RawKind here = RawKind::null;
            bool opened = false;
            switch (*m_at) {
            case '{':
            case '[':
                if (depth == maxJsonDepth)
                    return false;
                here = *m_at == '{' ? RawKind::object : RawKind::array;
                open[size_t(depth++)] = *m_at++;
                opened = true;
                break;
            case '"':
                here = RawKind::string;
                if (!string())
                    return false;
                break;
            case 't':
            case 'f':
                here = RawKind::boolean;
                if (!word("true") && !word("false"))
                    return false;
                break;
            case 'n':
                if (!word("null"))
                    return false;
                break;
            default:
                here = RawKind::number;
                if (!number())
                    return false;
            }
            if (std::exchange(outermost, false))
                kind = here;
            // What follows: members of what was just opened, or closing brackets, or a comma and the next value.
            if (opened) {
                skipSpace();
                if (!take(closing(open[size_t(depth - 1)]))) {
                    if (open[size_t(depth - 1)] == '{' && !memberName())
                        return false;
                    continue;
                }
                --depth;
            }
            for (;;) {
                if (depth == 0)
                    return true;
                const char bracket = open[size_t(depth - 1)];
                skipSpace();
                if (take(',')) {
                    if (bracket == '{' && !memberName())
                        return false;
                    break;
                }
                if (!take(closing(bracket)))
                    return false;
                --depth;
            }
        }
    }

private:
    static constexpr char closing(char bracket) { return bracket == '{' ? '}' : ']'; }

    bool memberName()
    {
        skipSpace();
        if (!string())
            return false;
        skipSpace();
        return take(':');
    }

    bool word(std::string_view text)
    {
        if (size_t(m_end - m_at) < text.size() || std::memcmp(m_at, text.data(), text.size()) != 0)
            return false;
        m_at += text.size();
        return true;
    }

    bool digits()
    {
        const char* start = m_at;
        while (m_at != m_end && isDigit(*m_at))
            ++m_at;
        return m_at != start;
    }

    bool number()
    {
        if (*m_at == 'N')
            return word("NaN");
        take('-');
        if (m_at != m_end && *m_at == 'I')
            return word("Infinity");
        if (!take('0') && !digits())
            return false;
        if (take('.') && !digits())
            return false;
        if (m_at != m_end && (*m_at == 'e' || *m_at == 'E')) {
            ++m_at;
            if (m_at != m_end && (*m_at == '+' || *m_at == '-'))
                ++m_at;
            return digits();
        }
        return true;
    }

    const char* m_begin;
    const char* m_at;
    const char* m_end;
};

} // namespace

std::optional<RawValue> readRawValue(QByteArrayView text, qsizetype& at)
{
    Walker walker(text, std::clamp<qsizetype>(at, 0, text.size()));
    walker.skipSpace();
    const qsizetype begin = walker.position();
    RawValue found;
    if (!walker.value(found.kind))
        return std::nullopt;
    at = walker.position();
    found.text = text.sliced(begin, at - begin);
    return found;
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
    Walker walker(m_text, 0);
    walker.skipSpace();
    if (!walker.take('{'))
        m_state = State::bad;
    m_at = walker.position();
}

bool RawMembers::next()
{
    if (m_state == State::done || m_state == State::bad)
        return false;
    Walker walker(m_text, m_at);
    walker.skipSpace();
    if (walker.take('}')) {
        walker.skipSpace();
        m_state = walker.atEnd() ? State::done : State::bad;
        return false;
    }
    const bool separated = m_state == State::first || walker.take(',');
    m_state = State::bad;
    if (!separated)
        return false;
    walker.skipSpace();
    const qsizetype keyBegin = walker.position();
    if (!walker.string())
        return false;
    m_key = m_text.sliced(keyBegin + 1, walker.position() - keyBegin - 2);
    walker.skipSpace();
    if (!walker.take(':'))
        return false;
    m_at = walker.position();
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
    if (value.kind != RawKind::string || value.text.size() < 2)
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
    if (value.kind != RawKind::number)
        return std::nullopt;
    qint64 number = 0;
    const char* end = value.text.data() + value.text.size();
    const auto [rest, problem] = std::from_chars(value.text.data(), end, number);
    return problem == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

} // namespace trial
