// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory_size.h"

#include <QRegularExpression>

#include <cmath>

using namespace Qt::StringLiterals;

namespace platforms {

Result<qint64> memorySizeMb(const QString& text)
{
    static const QRegularExpression form(u"\\A\\s*([0-9]{1,15}(?:\\.[0-9]{1,6})?)\\s*([kmgt]?)(?:i?b)?\\s*\\z"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(text);
    const QString unit = match.captured(2).toLower();
    const double factor = unit == u"k" ? 1.0 / 1'024 : unit == u"g" ? 1'024 : unit == u"t" ? 1'024 * 1'024 : 1;
    constexpr qint64 mostMemoryMb = 1'000'000'000;
    const double mb = std::ceil(match.captured(1).toDouble() * factor);
    if (!match.hasMatch() || mb < 1 || mb > double(mostMemoryMb))
        return fail(Kind::invalid, u"\"%1\" is no size of memory. Write it as 8 GB or 512 MB."_m.arg(text));
    return qint64(mb);
}

} // namespace platforms
