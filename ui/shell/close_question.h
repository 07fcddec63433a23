// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

class QWidget;

namespace ui {

enum class CloseAnswer { keepRunning, stopPlacing, stay };

/// Asks what becomes of trials that wait, when the window that places them is closed. `waiting`: how many there are; 0: a search would have made
/// more. Waits for the answer in an event loop of its own.
[[nodiscard]] CloseAnswer askHowToClose(QWidget* window, qint64 waiting);

} // namespace ui
