// SPDX-License-Identifier: GPL-3.0-or-later
// Members of an agent's message. The agent is not trusted to send what the protocol says: a member that is missing or of another
// type reads as nothing.
#pragma once

#include "services/core/json.h"

namespace transport {

[[nodiscard]] inline const core::Json& memberOf(const core::Json& object, const char* name)
{
    static const core::Json null;
    if (!object.is_object())
        return null;
    const auto found = object.find(name);
    return found == object.end() ? null : *found;
}

[[nodiscard]] inline QString textOf(const core::Json& object, const char* name)
{
    const core::Json& member = memberOf(object, name);
    return member.is_string() ? QString::fromStdString(member.get_ref<const std::string&>()) : QString();
}

/// Without characters that cannot be printed (a terminal, a log and a page show it), and cut to `most` UTF-16 units. With `lines` line
/// breaks and tabs stay.
[[nodiscard]] QString withoutControls(const QString& text, qsizetype most, bool lines);

/// A name or a word of the machine's.
[[nodiscard]] inline QString lineOf(const core::Json& object, const char* name, qsizetype most)
{
    return withoutControls(textOf(object, name), most, false);
}

/// Some lines for a person.
[[nodiscard]] inline QString linesOf(const core::Json& object, const char* name, qsizetype most)
{
    return withoutControls(textOf(object, name), most, true);
}

[[nodiscard]] inline qint64 numberOf(const core::Json& object, const char* name)
{
    const core::Json& member = memberOf(object, name);
    if (member.is_number_integer())
        return member.get<qint64>();
    if (!member.is_number_float())
        return 0;
    const double value = member.get<double>();
    return value > -9e15 && value < 9e15 ? qint64(value) : 0;
}

[[nodiscard]] inline double realOf(const core::Json& object, const char* name)
{
    const core::Json& member = memberOf(object, name);
    return member.is_number() ? member.get<double>() : 0;
}

[[nodiscard]] inline bool flagOf(const core::Json& object, const char* name)
{
    const core::Json& member = memberOf(object, name);
    return member.is_boolean() && member.get<bool>();
}

} // namespace transport
