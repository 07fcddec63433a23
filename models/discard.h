// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_mirror.h"

namespace models {

/// Stops an experiment, waits until the last of its trials has ended, and removes it with its folders; those on machines that do not
/// answer go once they do. Returns at once; the rest
/// happens in the background while `mirror` lives. If `mirror` is destroyed before, a stopped experiment is left.
void discardExperiment(EngineMirror& mirror, const core::ExperimentId& experiment);

} // namespace models
