// SPDX-License-Identifier: GPL-3.0-or-later
// A person's pod template under ours. Pure.
#pragma once

#include "services/core/json.h"

namespace platforms::kubernetes {

using namespace core;

/// The template of a person: YAML or JSON of a pod (`metadata`, `spec`), as a PodTemplate has it; null where there is none. Kind::invalid
/// with line or field where it is something else, or sets what the service must set itself (restartPolicy).
[[nodiscard]] Result<Json> readTemplate(const QString& text);

/// `ours` over `theirs`: objects member by member; lists of objects with names (containers, volumes, mounts, variables) by `name`, theirs
/// that we do not name after ours; any other list and any value are ours. Annotations and labels of both are kept.
[[nodiscard]] Json mergedUnder(const Json& theirs, Json ours);

} // namespace platforms::kubernetes
