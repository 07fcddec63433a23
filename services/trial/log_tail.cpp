// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_tail.h"

using namespace Qt::StringLiterals;

namespace trial {

namespace {

/// A line as a terminal would have left it.
QString shownText(QByteArrayView line)
{
    while (line.endsWith('\r'))
        line.chop(1);
    if (const qsizetype overwritten = line.lastIndexOf('\r'); overwritten >= 0)
        line = line.sliced(overwritten + 1);
    QByteArray plain;
    plain.reserve(line.size());
    for (qsizetype i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b') {
            if (uchar(line[i]) >= 0x20 || line[i] == '\t')
                plain += line[i];
            continue;
        }
        // ESC [ parameters letter; any other escape is one character more.
        if (i + 1 < line.size() && line[i + 1] == '[') {
            i += 2;
            while (i < line.size() && (uchar(line[i]) < 0x40 || uchar(line[i]) > 0x7e))
                ++i;
        } else {
            ++i;
        }
    }
    return QString::fromUtf8(plain);
}

} // namespace

QStringList lastTextLines(QByteArrayView tail, int lines)
{
    QStringList found;
    qsizetype end = tail.size();
    while (end > 0 && found.size() < lines) {
        const qsizetype newline = end >= 2 ? tail.first(end - 1).lastIndexOf('\n') : -1;
        QByteArrayView line = tail.sliced(newline + 1, end - newline - 1);
        if (line.endsWith('\n'))
            line.chop(1);
        const QString text = shownText(line);
        if (!text.trimmed().isEmpty())
            found.prepend(text);
        end = newline + 1;
    }
    return found;
}

} // namespace trial
