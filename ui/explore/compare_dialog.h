// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

#include <QSet>

namespace ui {

/// What differs between a few trials, and their curves over each other: parameters, results, machines; what is equal is left out.
void compareTrials(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent);

} // namespace ui
