// SPDX-License-Identifier: GPL-3.0-or-later
// Members of JSON objects that others wrote, whatever may stand there. Pure; no value makes them fail.
#pragma once

#include "services/core/json.h"

#include <limits>
#include <optional>

namespace platforms {

using namespace core;

/// The member; null where `json` is no object, or has none of this name.
[[nodiscard]] inline const Json* memberOf(const Json& json, const char* name)
{
    if (!json.is_object())
        return nullptr;
    const auto found = json.find(name);
    return found == json.end() ? nullptr : &*found;
}

/// The text of a member; empty where it is anything else.
[[nodiscard]] inline QString textOf(const Json& json, const char* name)
{
    const Json* found = memberOf(json, name);
    return found && found->is_string() ? found->get<QString>() : QString();
}

/// A whole number that fits; nothing where it is null or anything else.
[[nodiscard]] inline std::optional<qint64> wholeIn(const Json* value)
{
    if (!value || !value->is_number_integer())
        return {};
    if (value->is_number_unsigned() && value->get<quint64>() > quint64(std::numeric_limits<qint64>::max()))
        return {};
    return value->get<qint64>();
}

[[nodiscard]] inline std::optional<qint64> wholeOf(const Json& json, const char* name)
{
    return wholeIn(memberOf(json, name));
}

/// Whether it is `true`.
[[nodiscard]] inline bool isOn(const Json& json, const char* name)
{
    const Json* found = memberOf(json, name);
    return found && found->is_boolean() && found->get<bool>();
}

} // namespace platforms
