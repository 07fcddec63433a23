// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

namespace ui {

/// Asks for the note of these trials and keeps it; what was there before comes back with Undo.
void editNote(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent);

} // namespace ui
