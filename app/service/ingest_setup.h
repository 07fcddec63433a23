// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/paths.h"
#include "app/cli/options.h"
#include "services/engine/platforms/platform_manager.h"
#include "services/http/ingest/ingest_server.h"

#include <optional>

namespace app {

/// What --ingest asks for: the address, taken already, and what trials and the engine need to know of it.
struct IngestSetup
{
    http::IngestSocket socket;
    engine::IngestAccess access;
};

/// Nothing without --ingest. Takes the address, and makes the data directory's key of trials where there is none. Kind::invalid: an address beyond
/// loopback with neither TLS nor --insecure.
[[nodiscard]] Result<std::optional<IngestSetup>> setUpIngest(const CommandLine& line, const Paths& paths);

} // namespace app
