// SPDX-License-Identifier: GPL-3.0-or-later
// Which service a verb talks to: the one that was named, the one of the data directory, or one started in the background.
#pragma once

#include "service_client.h"

#include "app/base/paths.h"

#include <functional>

namespace app {

struct ServiceWish
{
    QString url;       ///< --url or TRIALDECK_URL
    QString tokenFile; ///< --token-file or TRIALDECK_TOKEN_FILE
    Paths paths;
    QString dataDir; ///< what a started service gets as --data-dir; empty: none
    QString daemon;  ///< the program to start
    bool mayStart = true;
    bool insecure = false;   ///< --insecure: the token goes to whoever is at the url
    int patienceMs = 20'000; ///< for a service that starts
};

/// What the service that holds the data directory says of where it is. Kind::network when none holds it, or it has said nothing yet. Does
/// not wait.
[[nodiscard]] Result<Endpoint> endpointOf(const Paths& paths);

/// Kind::network (exit code 3) when none is reached. `note` is called with what was started.
[[nodiscard]] Result<std::unique_ptr<ServiceClient>> locateService(
    const ServiceWish& wish, const std::function<void(const QString&)>& note);

/// The program that serves: trialdeckd beside us, else ourselves.
[[nodiscard]] QString findDaemon(const QString& programFolder, const QString& ourselves);

} // namespace app
