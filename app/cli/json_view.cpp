// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_view.h"

#include "services/core/message/localized.h"
#include "services/core/message/message_json.h"

namespace app {

const Json& member(const Json& object, const char* name)
{
    static const Json nothing;
    if (!object.is_object())
        return nothing;
    const auto it = object.find(name);
    return it == object.end() ? nothing : *it;
}

QString textOf(const Json& object, const char* name)
{
    const Json& value = member(object, name);
    return value.is_string() ? QString::fromStdString(value.get_ref<const std::string&>()) : QString();
}

QString sentenceOf(const Json& object, const char* name)
{
    return core::localized(core::readMessage(object, name));
}

std::optional<qint64> numberOf(const Json& object, const char* name)
{
    const Json& value = member(object, name);
    return value.is_number_integer() ? std::optional(value.get<qint64>()) : std::nullopt;
}

std::optional<double> realOf(const Json& object, const char* name)
{
    const Json& value = member(object, name);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

bool flagOf(const Json& object, const char* name)
{
    const Json& value = member(object, name);
    return value.is_boolean() && value.get<bool>();
}

QStringList wordsOf(const Json& object, const char* name)
{
    QStringList words;
    for (const Json& entry : listOf(object, name))
        if (entry.is_string())
            words += QString::fromStdString(entry.get_ref<const std::string&>());
    return words;
}

const Json& listOf(const Json& object, const char* name)
{
    static const Json empty = Json::array();
    const Json& value = member(object, name);
    return value.is_array() ? value : empty;
}

} // namespace app
