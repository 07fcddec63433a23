// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with chosen trials, as a menu.
#pragma once

#include "ui/kit/page.h"

#include <QSet>

class QMenu;

namespace ui {

/// Adds the actions for `ids` to the menu; those about one trial are about `current`. `parent` is where lists and questions stand.
void addTrialActions(QMenu& menu, const PageContext& context, const QSet<core::TrialId>& ids,
    const core::TrialId& current, QWidget* parent);

} // namespace ui
