// SPDX-License-Identifier: GPL-3.0-or-later
// Long work of the service (checks, the doctor, cleaning up), followed to its end.
#pragma once

#include "context.h"

namespace commands {

/// Prints the steps as they end. Exit code: 0 it succeeded, 1 it failed.
[[nodiscard]] int followOperation(Context& context, ServiceClient& client, const QString& requestId);

} // namespace commands
