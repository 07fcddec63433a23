// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a chart, wherever it is shown.
#pragma once

#include "ui/keys/key_command.h"

namespace ui::charts {

[[nodiscard]] QList<KeyCommand> chartKeyCommands();

[[nodiscard]] bool isAxisKey(const QKeyEvent& event);
[[nodiscard]] bool isLogarithmicKey(const QKeyEvent& event);
[[nodiscard]] bool isSmoothingKey(const QKeyEvent& event);
[[nodiscard]] bool isZoomInKey(const QKeyEvent& event);
[[nodiscard]] bool isZoomOutKey(const QKeyEvent& event);
[[nodiscard]] bool isShowAllKey(const QKeyEvent& event);

} // namespace ui::charts
