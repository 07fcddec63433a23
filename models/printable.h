// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/printable.h"

namespace models {

using core::printable;
using core::printableLines;

} // namespace models
