// SPDX-License-Identifier: GPL-3.0-or-later
// Notes of several trials in one field. Pure functions.
#pragma once

#include "services/api/command.h"
#include "services/core/records.h"

namespace models {

/// The note that all of these trials have; absent where they differ.
[[nodiscard]] std::optional<QString> commonNote(const QList<core::TrialPtr>& trials);
/// What gives these trials the note; empty when all have it. Blanks around it are dropped.
[[nodiscard]] QList<api::PatchTrials> noteChanges(const QList<core::TrialPtr>& trials, const QString& note);
/// What gives each of these trials the note that it has in this list. Those with the same note share a command.
[[nodiscard]] QList<api::PatchTrials> notesAsTheyAre(const QList<core::TrialPtr>& trials);

} // namespace models
