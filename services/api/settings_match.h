// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"

#include <functional>

namespace api {

using namespace core;

/// Whether a platform's settings, as they are shown, say what is wanted of one. Members that are not wanted may be anything.
/// Secrets cannot be compared: one that is set is taken for the same.
[[nodiscard]] bool settingsSay(const Json& shown, const Json& wanted);

/// The name for a new platform of a kind: `remote`, or the first of `remote-2`, `remote-3`, … that is not taken.
[[nodiscard]] QString freePlatformName(const QString& kind, const std::function<bool(const QString&)>& isTaken);

} // namespace api
