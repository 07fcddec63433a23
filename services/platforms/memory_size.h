// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of memory as people write them. Pure.
#pragma once

#include "services/core/result.h"

namespace platforms {

using namespace core;

/// "8 GB", "8gb", "8G", "512MB", "2 TiB"; a bare number is MB. Units are powers of 1024, as Slurm's and NNI's. Rounded up to MB.
/// Kind::invalid for what is none, or is 0.
[[nodiscard]] Result<qint64> memorySizeMb(const QString& text);

} // namespace platforms
