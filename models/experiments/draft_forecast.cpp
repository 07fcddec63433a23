// SPDX-License-Identifier: GPL-3.0-or-later
#include "draft_forecast.h"

#include "option_table.h"

#include "models/machine_cells.h"
#include "models/printable.h"
#include "services/api/mirror.h"

#include <QCoreApplication>

namespace models {

namespace {

struct ForecastWords
{
    Q_DECLARE_TR_FUNCTIONS(models::DraftForecast)
};

struct Gpus
{
    int all = 0;
    int free = 0;
};

Gpus gpusOf(const core::PlatformId& platform, const api::Mirror& state)
{
    Gpus gpus;
    for (const core::MachinePtr& machine : state.machines().list()) {
        if (machine->platformId != platform)
            continue;
        for (const core::Gpu& gpu : machine->gpus) {
            ++gpus.all;
            gpus.free += gpu.reservations.isEmpty() && gpu.processes.isEmpty() ? 1 : 0;
        }
    }
    return gpus;
}

/// Without roles a trial has one pod, and there is nothing to say.
PodCount sizeOf(const ExperimentDraft& draft)
{
    const int gpus = draft.gpus.value_or(0);
    for (const auto& [name, value] : draft.options.items())
        if (const auto rows = tableRows(value); rows && !rows->isEmpty())
            return podsOf(*rows, gpus);
    return {1, gpus};
}

/// What stands in front of the forecast; empty: a trial is one pod.
QString sizeSentence(const PodCount& trial)
{
    if (trial.pods <= 1)
        return {};
    return trial.gpus > 0 ? ForecastWords::tr("Each trial: %1 pods, GPUs: %2.").arg(trial.pods).arg(trial.gpus) + u' '
                          : ForecastWords::tr("Each trial: %1 pods.").arg(trial.pods) + u' ';
}

} // namespace

QString draftForecast(const ExperimentDraft& draft, const api::Mirror& state)
{
    const core::PlatformPtr platform = state.platforms().find(draft.platform);
    if (!platform)
        return ForecastWords::tr("Choose a platform first.");
    if (platform->state != core::PlatformState::ready)
        return platform->message.isEmpty()
            ? ForecastWords::tr("%1 is not ready yet.").arg(platformName(platform->id))
            : ForecastWords::tr("%1 is not ready: %2").arg(platformName(platform->id), printable(platform->message));
    const PodCount trial = sizeOf(draft);
    const QString size = sizeSentence(trial);
    if (trial.gpus == 0)
        return size
            + ForecastWords::tr("The first %1 start at once on %2.")
                  .arg(std::min<qint64>(draft.atOnce, draft.trials.value_or(draft.atOnce)))
                  .arg(platformName(platform->id));
    const Gpus gpus = gpusOf(draft.platform, state);
    if (gpus.all == 0)
        return size
            + ForecastWords::tr("No GPU is known on %1; trials that want one would wait.")
                  .arg(platformName(platform->id));
    return size
        + ForecastWords::tr("%1 of %2 GPUs are free: the first %3 start at once.")
              .arg(gpus.free)
              .arg(gpus.all)
              .arg(std::min<qint64>(draft.atOnce, gpus.free / trial.gpus));
}

} // namespace models
