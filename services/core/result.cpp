// SPDX-License-Identifier: GPL-3.0-or-later
#include "result.h"

#include <array>

using namespace Qt::StringLiterals;

namespace core {

static constexpr std::array kindNames = {
    "cancelled", "timeout", "network", "auth", "not_found", "conflict", "invalid", "resource", "platform", "internal"};

QString kindName(Kind kind)
{
    return QString::fromLatin1(kindNames.at(size_t(kind)));
}

Kind kindFromName(QStringView name)
{
    for (size_t i = 0; i < kindNames.size(); ++i)
        if (name == QLatin1StringView(kindNames[i]))
            return Kind(i);
    return Kind::internal;
}

} // namespace core
