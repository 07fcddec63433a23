// SPDX-License-Identifier: GPL-3.0-or-later
// Characters of JSON text: what the scanner, the readers of JSON in place and the writers share.
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace core {

inline constexpr int maxJsonDepth = 128;

[[nodiscard]] constexpr bool isJsonSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

[[nodiscard]] constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

enum class JsonKind : quint8 { object, array, string, number, boolean, null };

/// Of the value whose text begins with `c`; NaN and Infinity are numbers.
[[nodiscard]] constexpr JsonKind jsonKind(char c)
{
    switch (c) {
    case '{':
        return JsonKind::object;
    case '[':
        return JsonKind::array;
    case '"':
        return JsonKind::string;
    case 't':
    case 'f':
        return JsonKind::boolean;
    case 'n':
        return JsonKind::null;
    default:
        return JsonKind::number;
    }
}

/// The text without JSON's white space around it.
[[nodiscard]] constexpr QByteArrayView trimmedJson(QByteArrayView text)
{
    while (!text.isEmpty() && isJsonSpace(text.front()))
        text = text.sliced(1);
    while (!text.isEmpty() && isJsonSpace(text.back()))
        text.chop(1);
    return text;
}

/// Length of the valid UTF-8 sequence at `at`, 0 where there is none (overlong forms and surrogates are none).
/// Precondition: at != end.
[[nodiscard]] inline int utf8Length(const char* at, const char* end)
{
    const auto byte = [at](int i) { return uchar(at[i]); };
    const auto tail = [&](int i) { return end - at > i && (byte(i) & 0xc0) == 0x80; };
    const uchar c = byte(0);
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c <= 0xdf)
        return tail(1) ? 2 : 0;
    if (c >= 0xe0 && c <= 0xef) {
        if (!tail(1) || !tail(2) || (c == 0xe0 && byte(1) < 0xa0) || (c == 0xed && byte(1) > 0x9f))
            return 0;
        return 3;
    }
    if (c >= 0xf0 && c <= 0xf4) {
        if (!tail(1) || !tail(2) || !tail(3) || (c == 0xf0 && byte(1) < 0x90) || (c == 0xf4 && byte(1) > 0x8f))
            return 0;
        return 4;
    }
    return 0;
}

/// 0 to 15, or -1.
[[nodiscard]] constexpr int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/// The characters of a JSON string, given without its quotes: escapes undone, half surrogates replaced. Takes any bytes; UTF-8.
[[nodiscard]] QByteArray unescapedJson(QByteArrayView inner);

} // namespace core
