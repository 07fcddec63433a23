// SPDX-License-Identifier: GPL-3.0-or-later
// What a page asks of the window around it.
#pragma once

#include "services/core/records.h"

#include <QSet>

#include <functional>

class QString;

namespace ui {

class Actions
{
public:
    virtual ~Actions() = default;

    /// A toast that says what will happen. `doIt` runs when `seconds` have passed without Undo; nothing is sent before. Else
    /// `undone`. `text` may hold `%1`, the seconds that are left.
    virtual void toastWithUndo(
        const QString& text, int seconds, std::function<void()> doIt, std::function<void()> undone = {}) = 0;
    /// A toast that tells what was done; goes by itself.
    virtual void note(const QString& text) = 0;
    virtual void error(const core::Error& error) = 0;

    /// Selects the trial on the trials page, with its inspector.
    virtual void showTrial(const core::TrialId& trial) = 0;
    /// Empty: adds machines.
    virtual void showMachine(const core::MachineId& machine) = 0;
    /// `overview experiments trials queue machines charts failures events platforms`.
    virtual void showPage(const QString& name, const QString& filter = {}) = 0;
    /// Parameters, results and curves of a few trials beside each other.
    virtual void compareTrials(const QSet<core::TrialId>& trials) = 0;
    /// Chooses the experiment of the tool bar; an empty id: all.
    virtual void showExperiment(const core::ExperimentId& experiment) = 0;
    /// The queue page with the card of this trial.
    virtual void showWhyWaiting(const core::TrialId& trial) = 0;
    /// `prefill`: an experiment to begin from; `copyOf`: a trial whose parameters it begins with.
    virtual void openNewExperiment(const core::ExperimentSpec& prefill = {}, const core::TrialId& copyOf = {}) = 0;
    /// Kills a service of its own and shows that nothing is lost.
    virtual void pullPlug() = 0;
    /// Runs the demo experiment on this computer.
    virtual void runDemo() = 0;
    /// A filter of the trials page, under a name, into the sidebar.
    virtual void saveFilter(const QString& name, const QString& filter) = 0;
};

} // namespace ui
