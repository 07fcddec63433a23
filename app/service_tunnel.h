// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "console.h"
#include "paths.h"
#include "service_client.h"

namespace app {

/// The service on another computer (`ssh://user@host`), through a login there; what it asks is asked on the terminal. The tunnel
/// lives as long as the client.
[[nodiscard]] Result<std::unique_ptr<ServiceClient>> locateBySsh(
    const QString& url, const Paths& paths, Console& console, bool mayStart);

} // namespace app
