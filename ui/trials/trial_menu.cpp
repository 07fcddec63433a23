// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_menu.h"

#include "note_edit.h"

#include "models/engine_mirror.h"
#include "models/trials/tag_edit.h"
#include "ui/kit/actions.h"
#include "ui/kit/ask.h"
#include "ui/kit/icons.h"
#include "ui/kit/trial_actions.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

using Trials = QSet<core::TrialId>;

struct MenuWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::TrialMenu)
};

QList<core::TrialPtr> trialsOf(const PageContext& context, const Trials& ids)
{
    QList<core::TrialPtr> trials;
    for (const core::TrialId& id : ids)
        if (const core::TrialPtr trial = context.mirror.state().trial(id))
            trials += trial;
    return trials;
}

void copyIds(const Trials& ids)
{
    QStringList lines;
    for (const core::TrialId& id : ids)
        lines.append(id.value);
    lines.sort();
    QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

} // namespace

void editTags(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent)
{
    const QList<core::TrialPtr> trials = trialsOf(context, ids);
    if (trials.isEmpty())
        return;
    const QStringList before = models::commonTags(trials);
    const QString question = trials.size() == 1
        ? MenuWords::tr("Tags of trial %1, with commas between them").arg(trials.first()->sequenceId)
        : MenuWords::tr(
            "Tags that all %n trials have, with commas between them; others stay", nullptr, int(trials.size()));
    askForText(
        parent, MenuWords::tr("Tags"), question, before.join(u", "_s), [context, ids, before](const QString& text) {
            // Read again: another client may have changed tags meanwhile.
            for (const api::PatchTrials& change :
                models::tagChanges(trialsOf(context, ids), before, models::tagsOfText(text)))
                context.mirror.execute(change);
        });
}

void addTrialActions(
    QMenu& menu, const PageContext& context, const Trials& ids, const core::TrialId& current, QWidget* parent)
{
    const core::TrialPtr trial = context.mirror.state().trial(current);
    if (!trial)
        return;
    const auto add = [&](const char* icon, const QString& text, auto run, bool isEnabled = true) {
        QAction* action =
            menu.addAction(icons::icon(themeOf(*parent), QString::fromLatin1(icon)), text, parent, std::move(run));
        action->setEnabled(isEnabled);
    };
    const int running = int(cancellable(context, ids).trials.size());
    const int ended = int(retryable(context, ids).trials.size());
    add(
        "stop", MenuWords::tr("Cancel %n trial(s)", nullptr, running), [=] { cancelTrials(context, ids, parent); },
        running > 0);
    add(
        "early-stopped", MenuWords::tr("Stop %n trial(s) early", nullptr, running),
        [=] { cancelTrials(context, ids, parent, true); }, running > 0);
    add(
        "retry", MenuWords::tr("Retry %n trial(s)", nullptr, ended), [=] { retryTrials(context, ids, parent); },
        ended > 0);
    add("copy", MenuWords::tr("Copy with edits…"), [=] {
        if (const auto from = context.mirror.state().experiments().find(trial->experimentId))
            context.actions.openNewExperiment(from->spec, trial->id);
    });
    menu.addSeparator();
    add(
        "compare", MenuWords::tr("Compare"), [=] { context.actions.compareTrials(ids); }, ids.size() > 1);
    add("charts", MenuWords::tr("Show in charts"), [=] { context.actions.showPage(u"charts"_s); });
    if (trial->status == core::TrialStatus::waiting)
        add("waiting", MenuWords::tr("Why is it waiting?"), [=] { context.actions.showWhyWaiting(trial->id); });
    if (!trial->machineId.isEmpty())
        add("machines", MenuWords::tr("Show its machine"), [=] { context.actions.showMachine(trial->machineId); });
    menu.addSeparator();
    add("tag", MenuWords::tr("Tags…"), [=] { editTags(context, ids, parent); });
    add("note", MenuWords::tr("Note…"), [=] { editNote(context, ids, parent); });
    add("copy", MenuWords::tr("Copy ids"), [=] { copyIds(ids); });
}

} // namespace ui
