// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "context.h"

namespace commands {

/// For the end of a search whose trials reported nothing: the options of `run` that would have read a number of their output. Empty if
/// there is nothing to say, or the output cannot be had. `experiment`: as the service gives it.
[[nodiscard]] QString metricHint(ServiceClient& client, const Json& experiment);

} // namespace commands
