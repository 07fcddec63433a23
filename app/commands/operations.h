// SPDX-License-Identifier: GPL-3.0-or-later
// Long work of the service (checks, the doctor, cleaning up), followed to its end.
#pragma once

#include "context.h"

#include <optional>

namespace commands {

/// The body that answers a question of the service, read from the person; none at the end of input. Without fields it is to be
/// accepted, and anything but a yes cancels it.
[[nodiscard]] std::optional<core::Json> readAnswer(app::Console& console, const core::Json& prompt, bool remember);

/// Prints the steps as they end. On a terminal the questions of what it concerns are asked and answered here; others, and those that
/// get no answer, are shown with how to answer them. Exit code: 0 it succeeded, 1 it failed.
[[nodiscard]] int followOperation(Context& context, ServiceClient& client, const QString& requestId);

} // namespace commands
