// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"
#include "services/api/command.h"

#include <QObject>

#include <functional>

namespace ui {

struct Demo
{
    core::ExperimentSpec experiment;
    QList<api::TrialSubmission> trials; ///< submitted in addition to the search; one of them fails on purpose
};

/// What a caller wants to know of the demo that it began; on the GUI thread, and not after the owner is destroyed.
struct DemoSteps
{
    std::function<void(const core::ExperimentId&)> created;
    std::function<void(const core::ExperimentId&)> submitted; ///< with the trials that come besides the search
};

/// Creates the demo's experiment and its further trials. Failures are shown as those of any command.
void runDemo(models::EngineMirror& mirror, const Demo& demo, QObject* owner, DemoSteps steps);

} // namespace ui
