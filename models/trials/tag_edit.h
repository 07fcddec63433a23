// SPDX-License-Identifier: GPL-3.0-or-later
// Tags of several trials in one field. Pure functions.
#pragma once

#include "services/api/command.h"
#include "services/core/records.h"

namespace models {

/// Tags as they are typed, with commas between them; blanks around them and doubles are dropped.
[[nodiscard]] QStringList tagsOfText(const QString& text);
/// The tags that all of these trials have, in the order of the first.
[[nodiscard]] QStringList commonTags(const QList<core::TrialPtr>& trials);
/// What turns the common tags `before` into `after`: each trial keeps the tags that it has beside the common ones. Trials that do not change are
/// in no command; those that get the same tags share one.
[[nodiscard]] QList<api::PatchTrials> tagChanges(
    const QList<core::TrialPtr>& trials, const QStringList& before, const QStringList& after);

} // namespace models
