// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a Slurm platform and of an experiment on it, described. Pure.
#pragma once

#include "services/platforms/platform.h"

namespace platforms::slurm {

/// Of the kind `slurm`: where its commands are called, where files lie, what every job gets.
[[nodiscard]] KindDescription slurmKind();

/// Of one experiment (platformOptions): what its trials ask for. What is empty here is taken from the platform, where that has it.
[[nodiscard]] QList<Field> slurmExperimentFields();

} // namespace platforms::slurm
