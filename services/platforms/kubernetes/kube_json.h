// SPDX-License-Identifier: GPL-3.0-or-later
// Members of objects of the API server, whatever may stand there. Pure.
#pragma once

#include "services/core/json.h"

namespace platforms::kubernetes {

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

/// `metadata.NAME`, if it is text.
[[nodiscard]] inline QString metadataOf(const Json& object, const char* name)
{
    const Json* metadata = memberOf(object, "metadata");
    return metadata ? textOf(*metadata, name) : QString();
}

} // namespace platforms::kubernetes
