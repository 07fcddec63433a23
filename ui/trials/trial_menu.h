// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of actions for selected trials.
#pragma once

#include "ui/kit/page.h"

#include <QSet>

class QMenu;

namespace ui {

/// Adds the actions for `ids` to the menu; actions on a single trial use `current`. `parent` is the parent of dialogs.
void addTrialActions(QMenu& menu, const PageContext& context, const QSet<core::TrialId>& ids,
    const core::TrialId& current, QWidget* parent);

/// Asks for the tags that all of these trials have; other tags of each stay as they are.
void editTags(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent);

} // namespace ui
