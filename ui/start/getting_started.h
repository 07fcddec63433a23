// SPDX-License-Identifier: GPL-3.0-or-later
// What a person did of getting started and no record of the service tells, in the settings. GUI thread.
#pragma once

namespace ui {

/// The person has seen that trials go on without the window.
void markLeftRunning();
[[nodiscard]] bool wasLeftRunning();

} // namespace ui
