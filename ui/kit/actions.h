// SPDX-License-Identifier: GPL-3.0-or-later
// The interface through which a page calls its window. GUI thread.
#pragma once

#include "services/core/records.h"

#include <QSet>

#include <functional>

class QString;

namespace ui {

/// The announcement of an action, for the seconds that are left.
using UndoText = std::function<QString(const QString& seconds)>;

class Actions
{
public:
    virtual ~Actions() = default;

    /// Shows a toast that announces an action. `doIt` is called after `seconds` unless the user pressed Undo; then `undone` is
    /// called instead.
    virtual void toastWithUndo(
        UndoText text, int seconds, std::function<void()> doIt, std::function<void()> undone = {}) = 0;
    /// Shows a toast that disappears by itself.
    virtual void note(const QString& text) = 0;
    virtual void error(const core::Error& error) = 0;

    /// Selects the trial on the trials page, with its inspector.
    virtual void showTrial(const core::TrialId& trial) = 0;
    /// Shows the machine on the machines page; an empty id: shows the view for adding machines.
    virtual void showMachine(const core::MachineId& machine) = 0;
    /// `overview experiments trials queue machines charts failures events platforms`.
    virtual void showPage(const QString& name, const QString& filter = {}) = 0;
    /// Shows parameters, results and curves of a few trials side by side.
    virtual void compareTrials(const QSet<core::TrialId>& trials) = 0;
    /// Selects the experiment in the tool bar; an empty id: all.
    virtual void showExperiment(const core::ExperimentId& experiment) = 0;
    /// Shows the queue page with the trial's card.
    virtual void showWhyWaiting(const core::TrialId& trial) = 0;
    /// `prefill`: initial values; `copyOf`: if set, opens the dialog for a copy of this trial instead.
    virtual void openNewExperiment(const core::ExperimentSpec& prefill = {}, const core::TrialId& copyOf = {}) = 0;
    /// Opens the demonstration that kills a separate service and shows that no data is lost.
    virtual void pullPlug() = 0;
    /// Runs the demo experiment on this computer.
    virtual void runDemo() = 0;
    /// Asks for an experiment's file (NNI's YAML, or JSON) and shows what it would run.
    virtual void openExperimentFile() = 0;
    /// Lets systemd run the service of this computer whenever the person is logged in, and says what came of it.
    virtual void installService() = 0;
    /// The title of a page of the guide (`slurm.md`) in the language of the window; empty: there is no such page.
    [[nodiscard]] virtual QString guideTitle(const QString& page) = 0;
    /// Opens the guide's window at that page; empty: where it was, or at its beginning.
    virtual void openGuide(const QString& page = {}) = 0;
    /// Saves a filter of the trials page under a name in the sidebar.
    virtual void saveFilter(const QString& name, const QString& filter) = 0;
};

} // namespace ui
