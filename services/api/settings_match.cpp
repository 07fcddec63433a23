// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings_match.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace api {

bool settingsSay(const Json& shown, const Json& wanted)
{
    const bool isSecret = shown.is_object() && shown.size() == 1 && shown.contains("set");
    if (wanted.is_object())
        return !isSecret && shown.is_object()
            && std::all_of(wanted.items().begin(), wanted.items().end(), [&](const auto& item) {
                   return shown.contains(item.key()) && settingsSay(shown[item.key()], item.value());
               });
    if (wanted.is_array())
        return shown.is_array() && shown.size() == wanted.size()
            && std::equal(shown.begin(), shown.end(), wanted.begin(), settingsSay);
    return isSecret ? wanted.is_string() && shown["set"] == true : shown == wanted;
}

QString freePlatformName(const QString& kind, const std::function<bool(const QString&)>& isTaken)
{
    QString name = kind;
    for (int number = 2; isTaken(name); ++number)
        name = u"%1-%2"_s.arg(kind).arg(number);
    return name;
}

} // namespace api
