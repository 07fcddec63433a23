// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/actions.h"

#include <QHash>
#include <QStringList>

namespace fakes {

using namespace Qt::StringLiterals;

/// What a page asked of its window. Toasts wait until the test lets them go.
class FakeActions : public ui::Actions
{
public:
    void toastWithUndo(
        ui::UndoText text, int seconds, std::function<void()> doIt, std::function<void()> undone) override
    {
        toasts.append(text(QString::number(seconds)));
        pending = std::move(doIt);
        undo = std::move(undone);
    }
    void note(const QString& text) override { notes.append(text); }
    void error(const core::Error& error) override { notes.append(error.message); }
    void showTrial(const core::TrialId& trial) override { shown.append(trial.value); }
    void showMachine(const core::MachineId&) override { }
    void showPage(const QString& name, const QString& filter) override { shown.append(name + u' ' + filter); }
    void compareTrials(const QSet<core::TrialId>& ids) override { shown.append(u"compare %1"_s.arg(ids.size())); }
    void showExperiment(const core::ExperimentId& id) override { shown.append(id.value); }
    void showWhyWaiting(const core::TrialId&) override { }
    void openNewExperiment(const core::ExperimentSpec&, const core::TrialId& copy) override
    {
        shown.append(u"new "_s + copy.value);
    }
    void pullPlug() override { }
    void openExperimentFile() override { shown.append(u"file"_s); }
    void installService() override { shown.append(u"install"_s); }
    void runDemo() override { }
    [[nodiscard]] QString guideTitle(const QString& page) override { return guide.value(page); }
    void openGuide(const QString& page) override { shown.append(u"guide "_s + page); }
    void saveFilter(const QString& name, const QString& filter) override { shown.append(name + u'=' + filter); }

    QHash<QString, QString> guide; ///< its pages and their titles
    QStringList toasts;
    QStringList notes;
    QStringList shown;
    std::function<void()> pending;
    std::function<void()> undo;
};

} // namespace fakes
