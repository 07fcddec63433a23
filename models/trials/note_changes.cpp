// SPDX-License-Identifier: GPL-3.0-or-later
#include "note_changes.h"

#include <QMap>

#include <algorithm>

namespace models {

std::optional<QString> commonNote(const QList<core::TrialPtr>& trials)
{
    if (trials.isEmpty())
        return QString();
    const QString& first = trials.first()->note;
    const bool isCommon =
        std::all_of(trials.begin(), trials.end(), [&](const core::TrialPtr& trial) { return trial->note == first; });
    return isCommon ? std::optional(first) : std::nullopt;
}

QList<api::PatchTrials> noteChanges(const QList<core::TrialPtr>& trials, const QString& note)
{
    api::PatchTrials change;
    change.set.note = note.trimmed();
    for (const core::TrialPtr& trial : trials)
        if (trial->note != *change.set.note)
            change.selection.ids += trial->id.value;
    return change.selection.ids.isEmpty() ? QList<api::PatchTrials>() : QList<api::PatchTrials>{change};
}

QList<api::PatchTrials> notesAsTheyAre(const QList<core::TrialPtr>& trials)
{
    QMap<QString, api::PatchTrials> byNote;
    for (const core::TrialPtr& trial : trials) {
        api::PatchTrials& change = byNote[trial->note];
        change.set.note = trial->note;
        change.selection.ids += trial->id.value;
    }
    return byNote.values();
}

} // namespace models
