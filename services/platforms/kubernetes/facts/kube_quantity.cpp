// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_quantity.h"

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr qsizetype maxDigits = 18; ///< below 2^60, so that 2^60 times as much is a Wide
constexpr qsizetype maxQuantityChars = 64;
constexpr int maxExponent = 100;

/// digits * 10^ten * 2^two
struct Parts
{
    quint64 digits = 0;
    int ten = 0;
    int two = 0;
};

bool isDecimalDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

bool readSuffix(QStringView suffix, Parts& parts)
{
    struct Row
    {
        QLatin1StringView word;
        int ten;
        int two;
    };
    static constexpr Row rows[] = {{""_L1, 0, 0}, {"n"_L1, -9, 0}, {"u"_L1, -6, 0}, {"m"_L1, -3, 0}, {"k"_L1, 3, 0},
        {"M"_L1, 6, 0}, {"G"_L1, 9, 0}, {"T"_L1, 12, 0}, {"P"_L1, 15, 0}, {"E"_L1, 18, 0}, {"Ki"_L1, 0, 10},
        {"Mi"_L1, 0, 20}, {"Gi"_L1, 0, 30}, {"Ti"_L1, 0, 40}, {"Pi"_L1, 0, 50}, {"Ei"_L1, 0, 60}};
    const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& one) { return suffix == one.word; });
    if (row != std::end(rows)) {
        parts.ten += row->ten;
        parts.two = row->two;
        return true;
    }
    if (suffix.front() != u'e' && suffix.front() != u'E')
        return false;
    QStringView number = suffix.sliced(1);
    const bool isNegative = number.startsWith(u'-');
    if (isNegative || number.startsWith(u'+'))
        number = number.sliced(1);
    if (number.isEmpty() || number.size() > 3 || !std::all_of(number.begin(), number.end(), isDecimalDigit))
        return false;
    const int exponent = number.toInt();
    parts.ten += isNegative ? -exponent : exponent;
    return exponent <= maxExponent;
}

std::optional<Parts> readParts(QStringView text)
{
    if (text.startsWith(u'+'))
        text = text.sliced(1);
    if (text.size() > maxQuantityChars)
        return {};
    Parts parts;
    qsizetype at = 0;
    bool isFraction = false;
    bool hasDigit = false;
    qsizetype kept = 0; ///< digits without leading zeros
    int zeros = 0;      ///< of the fraction, which count only if another digit follows
    const auto keep = [&](uint digit) {
        if (kept > 0 || digit > 0)
            ++kept;
        parts.digits = kept > maxDigits ? parts.digits : parts.digits * 10 + digit;
    };
    for (; at < text.size(); ++at) {
        const QChar c = text.at(at);
        if (c == u'.' && !isFraction) {
            isFraction = true;
            continue;
        }
        if (!isDecimalDigit(c))
            break;
        hasDigit = true;
        const uint digit = uint(c.unicode() - u'0');
        if (isFraction && digit == 0) {
            ++zeros;
            continue;
        }
        for (; zeros > 0; --zeros, --parts.ten)
            keep(0);
        keep(digit);
        if (isFraction)
            --parts.ten;
    }
    if (!hasDigit || kept > maxDigits || !readSuffix(text.sliced(at), parts))
        return {};
    return parts;
}

/// In units of 10^-places.
std::optional<qint64> scaled(QStringView text, int places)
{
    const std::optional<Parts> parts = readParts(text);
    if (!parts)
        return {};
    constexpr Wide most = Wide(std::numeric_limits<qint64>::max());
    Wide value = Wide(parts->digits) << parts->two;
    int ten = parts->ten + places;
    if (value == 0)
        return 0;
    for (; ten > 0; --ten) {
        if (value > most)
            return {};
        value *= 10;
    }
    bool isCut = false;
    for (; ten < 0 && value > 0; ++ten) {
        isCut = isCut || value % 10 != 0;
        value /= 10;
    }
    if (isCut)
        ++value;
    if (value > most)
        return {};
    return qint64(value);
}

} // namespace

std::optional<qint64> quantityMilli(QStringView text)
{
    return scaled(text, 3);
}

std::optional<qint64> quantityValue(QStringView text)
{
    return scaled(text, 0);
}

} // namespace platforms::kubernetes
