// SPDX-License-Identifier: GPL-3.0-or-later
#include "note_edit.h"

#include "models/engine_mirror.h"
#include "models/trials/note_changes.h"
#include "ui/kit/actions.h"
#include "ui/kit/ask.h"

#include <QCoreApplication>

namespace ui {

namespace {

constexpr int undoSeconds = 6;

/// Gives lupdate the context of the free functions here.
struct NoteWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::NoteEdit)
};

QList<core::TrialPtr> knownTrials(const PageContext& context, const QSet<core::TrialId>& ids)
{
    QList<core::TrialPtr> trials;
    for (const core::TrialId& id : ids)
        if (const core::TrialPtr trial = context.mirror.state().trial(id))
            trials += trial;
    return trials;
}

void keepNote(const PageContext& context, const QSet<core::TrialId>& ids, const QString& text)
{
    // Read again: another client may have written meanwhile.
    const QList<core::TrialPtr> trials = knownTrials(context, ids);
    const QList<api::PatchTrials> changes = models::noteChanges(trials, text);
    if (changes.isEmpty())
        return;
    for (const api::PatchTrials& change : changes)
        context.mirror.execute(change);
    const bool isGone = text.trimmed().isEmpty();
    QString what = trials.size() > 1
        ? (isGone ? NoteWords::tr("The notes of %n trials are gone", nullptr, int(trials.size()))
                  : NoteWords::tr("Noted on %n trials", nullptr, int(trials.size())))
        : (isGone ? NoteWords::tr("The note of trial %1 is gone") : NoteWords::tr("Noted on trial %1"))
              .arg(trials.first()->sequenceId);
    context.actions.toastWithUndo([what](const QString&) { return what; }, undoSeconds, {},
        [context, trials] {
            for (const api::PatchTrials& change : models::notesAsTheyAre(trials))
                context.mirror.execute(change);
        });
}

} // namespace

void editNote(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent)
{
    const QList<core::TrialPtr> trials = knownTrials(context, ids);
    if (trials.isEmpty()) {
        context.actions.note(NoteWords::tr("No trial is selected."));
        return;
    }
    const std::optional<QString> before = models::commonNote(trials);
    const int count = int(trials.size());
    const QString question = count == 1 ? NoteWords::tr("Note on trial %1").arg(trials.first()->sequenceId)
        : before                        ? NoteWords::tr("Note on %n trials", nullptr, count)
                 : NoteWords::tr("Note on %n trials. Their notes differ: this one replaces them all.", nullptr, count);
    TextDialog* dialog = askForText(
        parent, NoteWords::tr("Note"), question, before.value_or(QString()),
        [context, ids](const QString& text) { keepNote(context, ids, text); }, TextDialog::Lines::several);
    dialog->setLongest(core::maxNoteLength);
}

} // namespace ui
