// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages.h"

#include "ui/charts/chart_keys.h"
#include "ui/experiments/events_page.h"
#include "ui/experiments/experiments_page.h"
#include "ui/experiments/new_experiment_dialog.h"
#include "ui/experiments/overview_page.h"
#include "ui/explore/charts_page.h"
#include "ui/machines/machines_page.h"
#include "ui/machines/platforms_page.h"
#include "ui/queue/queue_page.h"
#include "ui/queue/queue_panel.h"
#include "ui/start/first_run.h"
#include "ui/trials/failures_page.h"
#include "ui/trials/trials_page.h"

namespace ui {

namespace {

template <typename Class>
Page* make(const PageContext& context, QWidget* parent)
{
    return new Class(context, parent);
}

// Page libraries do not depend on each other; pages that contain widgets of another library are assembled here.

Page* makeOverview(const PageContext& context, QWidget* parent)
{
    return new OverviewPage(context, new FirstRun(context), parent);
}

Page* makeMachines(const PageContext& context, QWidget* parent)
{
    return new MachinesPage(context, new QueuePanel(context), parent);
}

QList<KeyCommand> chartsKeys()
{
    return ChartsPage::keyCommands() + charts::chartKeyCommands();
}

} // namespace

const std::vector<PageEntry>& pageTable()
{
    static const std::vector<PageEntry> table = {
        {"overview", makeOverview},
        {"experiments", make<ExperimentsPage>},
        {"trials", make<TrialsPage>, TrialsPage::keyCommands},
        {"queue", make<QueuePage>, QueuePage::keyCommands},
        {"machines", makeMachines, MachinesPage::keyCommands},
        {"charts", make<ChartsPage>, chartsKeys},
        {"failures", make<FailuresPage>, FailuresPage::keyCommands},
        {"events", make<EventsPage>},
        {"platforms", make<PlatformsPage>},
    };
    return table;
}

void askForNewExperiment(
    const PageContext& context, const core::ExperimentSpec& prefill, const core::TrialId& copyOf, QWidget* parent)
{
    openNewExperiment(context, prefill, copyOf, parent);
}

} // namespace ui
