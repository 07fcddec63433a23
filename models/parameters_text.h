// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace models {

/// Parameters in a line: `lr 0.055, batch 32, optimizer adam`. Pure.
[[nodiscard]] QString parametersText(const QByteArray& json, qsizetype longest = 300);

} // namespace models
