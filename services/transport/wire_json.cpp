// SPDX-License-Identifier: GPL-3.0-or-later
#include "wire_json.h"

namespace transport {

QString withoutControls(const QString& text, qsizetype most, bool lines)
{
    QString out;
    for (const char32_t c : text.toStdU32String()) {
        if (!QChar::isPrint(c) && !(lines && (c == U'\n' || c == U'\t')))
            continue;
        const QString letter = QString::fromUcs4(&c, 1);
        if (out.size() + letter.size() > most)
            break;
        out += letter;
    }
    return out;
}

} // namespace transport
