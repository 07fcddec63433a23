// SPDX-License-Identifier: GPL-3.0-or-later
// Members of objects of the API server, whatever may stand there. Pure.
#pragma once

#include "services/platforms/json_members.h"

namespace platforms::kubernetes {

using namespace core;

/// `metadata.NAME`, if it is text.
[[nodiscard]] inline QString metadataOf(const Json& object, const char* name)
{
    const Json* metadata = memberOf(object, "metadata");
    return metadata ? textOf(*metadata, name) : QString();
}

} // namespace platforms::kubernetes
