// SPDX-License-Identifier: GPL-3.0-or-later
// Cancels and retries one or many trials. The effect is shown first, and the action can be undone for a few seconds before the
// command is sent.
#pragma once

#include "page.h"

#include "services/core/records.h"

#include <QSet>

namespace ui {

/// The trials to which an action applies.
struct TrialsInQuestion
{
    QList<core::TrialPtr> trials; ///< in order of their numbers
    qsizetype left = 0;           ///< number of the given trials to which it does not apply
};

[[nodiscard]] TrialsInQuestion cancellable(const PageContext& context, const QSet<core::TrialId>& ids);
[[nodiscard]] TrialsInQuestion retryable(const PageContext& context, const QSet<core::TrialId>& ids);

/// More than one trial is first shown in a list for confirmation; then a toast with Undo appears; then the command is sent.
/// `parent` is the parent widget of the list.
void cancelTrials(
    const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent, bool isEarlyStop = false);
void retryTrials(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent);

} // namespace ui
