// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of getting started that the service keeps no record of, saved in the settings. GUI thread.
#pragma once

namespace ui {

/// The person has seen that trials go on without the window.
void markLeftRunning();
[[nodiscard]] bool wasLeftRunning();

} // namespace ui
