// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QRandomGenerator>

namespace core {

/// Characters of the alphabet (a string literal), each drawn from the system's generator.
template <size_t size>
[[nodiscard]] QByteArray randomText(int characters, const char (&alphabet)[size])
{
    QByteArray text;
    text.reserve(characters);
    for (int i = 0; i < characters; ++i)
        text += alphabet[QRandomGenerator::system()->bounded(quint32(size - 1))];
    return text;
}

/// A secret of 256 bits that can stand in a header, a url and a file: 43 characters of A-Z a-z 0-9 - _.
[[nodiscard]] inline QByteArray randomToken()
{
    return randomText(43, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

} // namespace core
