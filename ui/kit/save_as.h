// SPDX-License-Identifier: GPL-3.0-or-later
// Saves data to files that the user chooses.
#pragma once

#include "services/core/result.h"

#include <functional>

class QByteArray;
class QString;
class QWidget;

namespace ui {

class Actions;

/// Writes the file atomically: on failure an existing file is unchanged.
[[nodiscard]] core::Result<> writeFile(const QString& file, const QByteArray& bytes);

/// Opens a file dialog with `name` proposed and the name filters `kinds`, calls `write` with the chosen file, and reports the
/// result through `actions`.
void saveAs(QWidget* parent, Actions& actions, const QString& title, const QString& name, const QString& kinds,
    const std::function<core::Result<>(const QString& file)>& write);

} // namespace ui
