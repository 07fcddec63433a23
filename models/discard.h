// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_mirror.h"

namespace models {

/// Stops an experiment, waits until the last of its trials has ended, and removes it with its folders. Goes on behind the window
/// that asked, as long as `mirror` lives; what is left undone then is a stopped experiment.
void discardExperiment(EngineMirror& mirror, const core::ExperimentId& experiment);

} // namespace models
