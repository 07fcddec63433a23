// SPDX-License-Identifier: GPL-3.0-or-later
// What a QProcess of the service is started with.
#pragma once

#include <QProcessEnvironment>

namespace platforms {

/// transport::childEnvironment(), with LC_ALL=C.
[[nodiscard]] QProcessEnvironment childSessionEnvironment();

/// A QProcess::setChildProcessModifier(): a session of its own, whose process group is the child's id, default signals, none of our descriptors.
void beginChildSession();

} // namespace platforms
