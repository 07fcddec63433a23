// SPDX-License-Identifier: GPL-3.0-or-later
// The one scanner of JSON text: finds where a value ends and whether it is well-formed, without a document and without
// recursion. What it takes besides RFC 8259 is a policy, chosen at compile time; a visitor sees names and numbers.
#pragma once

#include "json_text.h"
#include "message/message.h"

#include <QString>

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace core {

/// How deep that may be nested which comes from people, trials and clients. A reply puts a few levels around it, and is then still
/// within maxJsonDepth, which is what its readers take.
inline constexpr int maxAcceptedDepth = 64;
/// Upper limit of a scanner's own depth limit.
inline constexpr int deepestScan = 1024;

[[nodiscard]] inline Message tooDeepWords()
{
    return u"nested more than %1 levels deep"_m.arg(maxAcceptedDepth);
}

/// Whether more than `levels` objects and arrays lie in one another. Well-formed or not: brackets outside of strings count.
[[nodiscard]] inline bool isNestedDeeper(QByteArrayView text, int levels)
{
    int depth = 0;
    bool inString = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            if (++depth > levels)
                return true;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return false;
}

/// RFC 8259: valid UTF-8, no half of a surrogate pair.
struct StrictJson
{
    static constexpr bool checksCharacters = true;
    static constexpr bool takesBareWords = false;
};

/// What Python's json module writes: StrictJson, and bare NaN, Infinity and -Infinity as numbers.
struct PythonJson
{
    static constexpr bool checksCharacters = true;
    static constexpr bool takesBareWords = true;
};

/// For text that is passed on as it is: PythonJson whose strings may hold bytes that are not UTF-8 and half surrogates.
struct LenientJson
{
    static constexpr bool checksCharacters = false;
    static constexpr bool takesBareWords = true;
};

/// Sees nothing. Depth counts the objects and arrays around the token, 0 for a value at the top.
struct NoJsonVisitor
{
    void name(std::string_view /*quoted*/, int /*depth*/) { }
    void number(const char* /*begin*/, const char* /*end*/, int /*depth*/) { }
    /// NaN, Infinity or -Infinity without quotes.
    void bareWord(std::string_view /*word*/, int /*depth*/) { }
};

/// Walks over tokens and values. After a function returned false, at() is where the problem is and problem() says what
/// it is; scanning does not go on from there. Never reads beyond the text, whatever the bytes.
template <typename Policy>
class JsonScanner
{
public:
    /// Values are at most `deepest` levels deep, itself at most deepestScan.
    explicit JsonScanner(QByteArrayView text, qsizetype at = 0, int deepest = maxJsonDepth)
        : m_at(text.data() + at)
        , m_end(text.data() + text.size())
        , m_deepest(deepest)
    {
    }

    [[nodiscard]] const char* at() const { return m_at; }
    [[nodiscard]] bool atEnd() const { return m_at == m_end; }
    [[nodiscard]] const char* problem() const { return m_problem; }

    void skipSpace()
    {
        const char* at = m_at;
        while (at != m_end && isJsonSpace(*at))
            ++at;
        m_at = at;
    }

    /// Steps over `c` if it is next.
    bool take(char c)
    {
        if (m_at == m_end || *m_at != c)
            return false;
        ++m_at;
        return true;
    }

    /// A name and its colon.
    [[nodiscard]] bool name(std::string_view& quoted)
    {
        skipSpace();
        if (m_at == m_end || *m_at != '"')
            return bad("a name in quotes is expected");
        const char* begin = m_at;
        if (!string())
            return false;
        quoted = std::string_view(begin, size_t(m_at - begin));
        skipSpace();
        return take(':') || bad("a colon is expected");
    }

    /// A value with all that is in it, at most so deep; white space before it is passed over.
    template <typename Visitor>
    [[nodiscard]] bool value(Visitor&& visitor)
    {
        std::array<bool, deepestScan> isObject; // of what is open: the first `depth` of them
        int depth = 0;
        for (;;) {
            bool opened = false;
            if (!scalarOrOpening(visitor, isObject, depth, opened))
                return false;
            if (opened)
                continue;
            // A value is complete: what follows closes what is around it, or separates it from the next.
            for (;;) {
                if (depth == 0)
                    return true;
                const bool object = isObject[size_t(depth - 1)];
                skipSpace();
                if (m_at == m_end)
                    return bad("the text ends too early");
                if (take(',')) {
                    if (object && !memberName(visitor, depth))
                        return false;
                    break;
                }
                if (!take(object ? '}' : ']'))
                    return bad(
                        object ? "a comma or a closing brace is expected" : "a comma or a closing bracket is expected");
                --depth;
            }
        }
    }
    [[nodiscard]] bool value() { return value(NoJsonVisitor{}); }

    /// value() and nothing but white space behind it.
    template <typename Visitor>
    [[nodiscard]] bool wholeText(Visitor&& visitor)
    {
        if (!value(visitor))
            return false;
        skipSpace();
        return m_at == m_end || bad("something follows the value");
    }
    [[nodiscard]] bool wholeText() { return wholeText(NoJsonVisitor{}); }

private:
    bool bad(const char* what)
    {
        m_problem = what;
        return false;
    }

    template <typename Visitor>
    bool memberName(Visitor& visitor, int depth)
    {
        std::string_view quoted;
        if (!name(quoted))
            return false;
        visitor.name(quoted, depth);
        return true;
    }

    /// A scalar, an empty object or array, or the opening of a filled one with its first name.
    template <typename Visitor>
    bool scalarOrOpening(Visitor& visitor, std::array<bool, deepestScan>& isObject, int& depth, bool& opened)
    {
        skipSpace();
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
            if (depth == m_deepest)
                return bad(
                    m_deepest == maxJsonDepth ? "it is nested more than 128 levels deep" : "it is nested too deeply");
            ++m_at;
            skipSpace();
            if (take(object ? '}' : ']'))
                return true;
            isObject[size_t(depth++)] = object;
            opened = true;
            return !object || memberName(visitor, depth);
        }
        default:
            break;
        }
        const char* begin = m_at;
        if constexpr (Policy::takesBareWords) {
            const bool negative = *m_at == '-' && m_end - m_at > 1 && m_at[1] == 'I';
            if (negative || *m_at == 'N' || *m_at == 'I') {
                if (!word(negative ? "-Infinity" : *m_at == 'N' ? "NaN" : "Infinity"))
                    return false;
                visitor.bareWord(std::string_view(begin, size_t(m_at - begin)), depth);
                return true;
            }
        }
        if (!number())
            return false;
        visitor.number(begin, m_at, depth);
        return true;
    }

    bool word(std::string_view text)
    {
        if (size_t(m_end - m_at) < text.size() || std::memcmp(m_at, text.data(), text.size()) != 0)
            return bad("a value is expected");
        m_at += text.size();
        return true;
    }

    bool number()
    {
        take('-');
        if (m_at == m_end || !isDigit(*m_at))
            return bad("a value is expected");
        if (!take('0'))
            digits();
        if (take('.') && !digits())
            return bad("a digit is expected after the point");
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
        const char* at = m_at;
        while (at != m_end && isDigit(*at))
            ++at;
        return std::exchange(m_at, at) != at;
    }

    /// A string whose opening quote is next.
    bool string()
    {
        static constexpr auto isPlain = [] {
            std::array<bool, 256> plain{};
            for (size_t c = 0x20; c < (Policy::checksCharacters ? 0x80 : 0x100); ++c)
                plain[c] = c != '"' && c != '\\';
            return plain;
        }();
        ++m_at;
        for (;;) {
            const char* at = m_at; // a local one stays in a register
            while (at != m_end && isPlain[uchar(*at)])
                ++at;
            m_at = at;
            if (m_at == m_end)
                return bad("the text ends inside a string");
            if (take('"'))
                return true;
            if (take('\\')) {
                if (!escape())
                    return false;
                continue;
            }
            if (!Policy::checksCharacters || uchar(*m_at) < 0x20)
                return bad("a control character in a string must be escaped");
            const int length = utf8Length(m_at, m_end);
            if (length == 0)
                return bad("invalid UTF-8 in a string");
            m_at += length;
        }
    }

    bool escape()
    {
        if (m_at == m_end)
            return bad("the text ends inside a string");
        const char c = *m_at++;
        if (c != 'u')
            return (c != '\0' && std::strchr("\"\\/bfnrt", c)) || bad("unknown escape in a string");
        const int unit = hexUnit();
        if (unit < 0)
            return bad("four hexadecimal digits are expected after \\u");
        if constexpr (Policy::checksCharacters) {
            const bool isLow = unit >= 0xdc00 && unit <= 0xdfff;
            const bool isHigh = unit >= 0xd800 && unit <= 0xdbff;
            if (isLow || (isHigh && !lowSurrogate()))
                return bad("half of a surrogate pair in a string");
        }
        return true;
    }

    bool lowSurrogate()
    {
        if (m_end - m_at < 6 || m_at[0] != '\\' || m_at[1] != 'u')
            return false;
        m_at += 2;
        const int unit = hexUnit();
        return unit >= 0xdc00 && unit <= 0xdfff;
    }

    /// Four hexadecimal digits, or -1.
    int hexUnit()
    {
        if (m_end - m_at < 4)
            return -1;
        int unit = 0;
        for (int i = 0; i < 4; ++i) {
            const int digit = hexDigit(m_at[i]);
            if (digit < 0)
                return -1;
            unit = unit * 16 + digit;
        }
        m_at += 4;
        return unit;
    }

    const char* m_at;
    const char* m_end;
    int m_deepest;
    const char* m_problem = "";
};

} // namespace core
