// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "service_client.h"

#include "app/base/paths.h"
#include "app/cli/console.h"
#include "services/transport/ssh/ssh_tunnel.h"

namespace app {

/// Where a service elsewhere is reached from here, while `way` lives.
struct ServiceElsewhere
{
    transport::TunnelEnd end;
    std::shared_ptr<void> way;
};

/// The service on another computer (`ssh://user@host[:port][/DATA/DIR]`), through a login there. Waits, in an event loop.
[[nodiscard]] Result<ServiceElsewhere> openBySsh(
    const QString& url, const Paths& paths, transport::SshAsk ask, bool mayStart);

/// The same for the command line: what the login asks is asked on the terminal. The tunnel lives as long as the client.
[[nodiscard]] Result<std::unique_ptr<ServiceClient>> locateBySsh(
    const QString& url, const Paths& paths, Console& console, bool mayStart);

} // namespace app
