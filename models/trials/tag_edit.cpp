// SPDX-License-Identifier: GPL-3.0-or-later
#include "tag_edit.h"

#include <algorithm>

namespace models {

QStringList tagsOfText(const QString& text)
{
    QStringList tags;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts))
        if (const QString tag = part.trimmed(); !tag.isEmpty() && !tags.contains(tag))
            tags += tag;
    return tags;
}

QStringList commonTags(const QList<core::TrialPtr>& trials)
{
    QStringList common = trials.isEmpty() ? QStringList() : trials.first()->tags;
    common.removeIf([&](const QString& tag) {
        return !std::all_of(
            trials.begin(), trials.end(), [&](const core::TrialPtr& trial) { return trial->tags.contains(tag); });
    });
    return common;
}

QList<api::PatchTrials> tagChanges(
    const QList<core::TrialPtr>& trials, const QStringList& before, const QStringList& after)
{
    QList<api::PatchTrials> changes;
    for (const core::TrialPtr& trial : trials) {
        QStringList tags = trial->tags;
        tags.removeIf([&](const QString& tag) { return before.contains(tag) && !after.contains(tag); });
        for (const QString& tag : after)
            if (!tags.contains(tag))
                tags += tag;
        if (tags == trial->tags)
            continue;
        const auto same = std::find_if(
            changes.begin(), changes.end(), [&](const api::PatchTrials& one) { return one.set.tags == tags; });
        if (same != changes.end()) {
            same->selection.ids += trial->id.value;
            continue;
        }
        api::PatchTrials change;
        change.selection.ids = {trial->id.value};
        change.set.tags = tags;
        changes += change;
    }
    return changes;
}

} // namespace models
