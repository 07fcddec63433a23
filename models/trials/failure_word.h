// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace models {

/// The class of a failure in a few words, translated: `Out of memory`, `CUDA out of memory`, `Disk full`, `NaN`, `Exit code`. The service names
/// how the process ended; what the failure's cause or its line of output says more exactly comes first. A class that is not known here is shown
/// as it came. Pure.
[[nodiscard]] QString failureWord(const QString& failureClass, const QString& cause, const QString& sample);

} // namespace models
