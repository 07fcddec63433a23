// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of JSON where it lies have in common.
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
