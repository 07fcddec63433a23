// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_text.h"

namespace core {

namespace {

void appendCodePoint(QByteArray& out, uint c)
{
    if (c < 0x80) {
        out += char(c);
    } else if (c < 0x800) {
        out += char(0xc0 | (c >> 6));
        out += char(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        out += char(0xe0 | (c >> 12));
        out += char(0x80 | ((c >> 6) & 0x3f));
        out += char(0x80 | (c & 0x3f));
    } else {
        out += char(0xf0 | (c >> 18));
        out += char(0x80 | ((c >> 12) & 0x3f));
        out += char(0x80 | ((c >> 6) & 0x3f));
        out += char(0x80 | (c & 0x3f));
    }
}

/// The four digits at `at`, or -1.
int hexUnit(QByteArrayView text, qsizetype at)
{
    if (at + 4 > text.size())
        return -1;
    int unit = 0;
    for (qsizetype i = at; i < at + 4; ++i) {
        const int digit = hexDigit(text[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

} // namespace

QByteArray unescapedJson(QByteArrayView inner)
{
    if (!inner.contains('\\'))
        return inner.toByteArray();
    QByteArray out;
    out.reserve(inner.size());
    for (qsizetype i = 0; i < inner.size();) {
        const char c = inner[i];
        if (c != '\\' || i + 1 >= inner.size()) {
            out += c;
            ++i;
            continue;
        }
        const char escape = inner[i + 1];
        i += 2;
        switch (escape) {
        case 'b':
            out += '\b';
            break;
        case 'f':
            out += '\f';
            break;
        case 'n':
            out += '\n';
            break;
        case 'r':
            out += '\r';
            break;
        case 't':
            out += '\t';
            break;
        case 'u': {
            const int unit = hexUnit(inner, i);
            if (unit < 0) {
                out += "\\u";
                break;
            }
            i += 4;
            if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < inner.size() && inner[i] == '\\' && inner[i + 1] == 'u') {
                const int low = hexUnit(inner, i + 2);
                if (low >= 0xdc00 && low < 0xe000) {
                    appendCodePoint(out, 0x10000u + (uint(unit - 0xd800) << 10) + uint(low - 0xdc00));
                    i += 6;
                    break;
                }
            }
            appendCodePoint(out, unit >= 0xd800 && unit < 0xe000 ? 0xfffdu : uint(unit));
            break;
        }
        default:
            out += escape;
        }
    }
    return out;
}

} // namespace core
