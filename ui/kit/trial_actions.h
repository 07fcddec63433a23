// SPDX-License-Identifier: GPL-3.0-or-later
// Cancel and retry of one trial or of thousands: what it would do is shown first, and for a few seconds it can be undone before
// anything is sent.
#pragma once

#include "page.h"

#include "services/core/records.h"

#include <QSet>

namespace ui {

/// Of the trials given, those that the action does something to.
struct TrialsInQuestion
{
    QList<core::TrialPtr> trials; ///< in order of their numbers
    qsizetype left = 0;           ///< others, which it does not concern
};

[[nodiscard]] TrialsInQuestion cancellable(const PageContext& context, const QSet<core::TrialId>& ids);
[[nodiscard]] TrialsInQuestion retryable(const PageContext& context, const QSet<core::TrialId>& ids);

/// More than one are shown in a list before; then a toast with Undo; then the command. `parent` is where the list stands.
void cancelTrials(
    const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent, bool isEarlyStop = false);
void retryTrials(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent);

} // namespace ui
