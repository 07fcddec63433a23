// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

#include <QSet>

namespace ui {

/// Opens a dialog with the differences between a few trials (parameters, results, machines) and their curves. Equal rows are left
/// out. `parent` is the dialog's parent.
void compareTrials(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent);

} // namespace ui
