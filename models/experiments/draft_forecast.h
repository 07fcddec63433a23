// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment_draft.h"

namespace api {
class Mirror;
}

namespace models {

/// Describes what would happen if the experiment was created now: how many of its trials start at once, or why none would. Pure.
[[nodiscard]] QString draftForecast(const ExperimentDraft& draft, const api::Mirror& state);

} // namespace models
