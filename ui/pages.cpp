// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages.h"

#include "charts_page.h"
#include "events_page.h"
#include "experiments_page.h"
#include "failures_page.h"
#include "machines_page.h"
#include "new_experiment_dialog.h"
#include "overview_page.h"
#include "platforms_page.h"
#include "queue_page.h"
#include "trials_page.h"

namespace ui {

namespace {

template <typename Class>
Page* make(const PageContext& context, QWidget* parent)
{
    return new Class(context, parent);
}

} // namespace

const std::vector<PageEntry>& pageTable()
{
    static const std::vector<PageEntry> table = {
        {"overview", make<OverviewPage>},
        {"experiments", make<ExperimentsPage>},
        {"trials", make<TrialsPage>},
        {"queue", make<QueuePage>},
        {"machines", make<MachinesPage>},
        {"charts", make<ChartsPage>},
        {"failures", make<FailuresPage>},
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
