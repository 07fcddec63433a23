// SPDX-License-Identifier: GPL-3.0-or-later
// Where a downloaded file may be written: always inside one folder, also with `..` or `/` in its name.
#pragma once

#include "services/core/result.h"

#include <QString>

namespace commands {

using core::Result;

/// Pure. The parts of a relative path made of plain names; Kind::invalid for an absolute one, for `..`, and for control characters.
[[nodiscard]] Result<QStringList> safeParts(const QString& path);

/// Makes the folders of `path` below `root` and gives the absolute file name. No folder on the way, nor the file, may be a link:
/// a link could lead outside.
[[nodiscard]] Result<QString> prepareTarget(const QString& root, const QString& path);

} // namespace commands
