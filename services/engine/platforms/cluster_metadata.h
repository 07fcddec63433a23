// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"

#include <optional>

namespace engine {

using namespace core;

/// What setting a key of NNI's cluster metadata (nni.md 4.1) means for a platform of that kind: its settings as they are to be, or
/// nothing where the value is only kept. Kind::invalid for a key that the kind does not know, or a value of the wrong form.
[[nodiscard]] Result<std::optional<Json>> settingsOfMetadata(
    const QString& kind, const QString& key, const Json& value, const Json& settings);

} // namespace engine
