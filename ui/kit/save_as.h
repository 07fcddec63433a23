// SPDX-License-Identifier: GPL-3.0-or-later
// What a person takes out of the window into a file.
#pragma once

#include "services/core/result.h"

#include <functional>

class QByteArray;
class QString;
class QWidget;

namespace ui {

class Actions;

/// The whole file or nothing.
[[nodiscard]] core::Result<> writeFile(const QString& file, const QByteArray& bytes);

/// Asks for a place, with `name` proposed and `kinds` as a file dialog has them; writes there, and tells how that went.
void saveAs(QWidget* parent, Actions& actions, const QString& title, const QString& name, const QString& kinds,
    const std::function<core::Result<>(const QString& file)>& write);

} // namespace ui
