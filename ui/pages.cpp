// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages.h"

#include "actions.h"
#include "events_page.h"
#include "experiments_page.h"
#include "machines_page.h"
#include "overview_page.h"
#include "pending_page.h"
#include "platforms_page.h"
#include "queue_page.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ui::Pages)
};

template <typename Class>
Page* make(const PageContext& context, QWidget* parent)
{
    return new Class(context, parent);
}

Page* pendingTrials(const PageContext& context, QWidget* parent)
{
    return new PendingPage(context, Words::tr("Trials"), Words::tr("`trialdeck list` shows them."), parent);
}

Page* pendingCharts(const PageContext& context, QWidget* parent)
{
    return new PendingPage(context, Words::tr("Charts"), Words::tr("`trialdeck metrics` prints the values."), parent);
}

Page* pendingFailures(const PageContext& context, QWidget* parent)
{
    return new PendingPage(
        context, Words::tr("Failures"), Words::tr("`trialdeck why` tells why a trial failed."), parent);
}

} // namespace

const std::vector<PageEntry>& pageTable()
{
    static const std::vector<PageEntry> table = {
        {"overview", make<OverviewPage>},
        {"experiments", make<ExperimentsPage>},
        {"trials", pendingTrials},
        {"queue", make<QueuePage>},
        {"machines", make<MachinesPage>},
        {"charts", pendingCharts},
        {"failures", pendingFailures},
        {"events", make<EventsPage>},
        {"platforms", make<PlatformsPage>},
    };
    return table;
}

void askForNewExperiment(
    const PageContext& context, const core::ExperimentSpec& prefill, const core::TrialId& copyOf, QWidget* parent)
{
    Q_UNUSED(prefill)
    Q_UNUSED(copyOf)
    Q_UNUSED(parent)
    context.actions.note(Words::tr("The dialog is not in the window yet; `trialdeck run` makes experiments."));
}

} // namespace ui
