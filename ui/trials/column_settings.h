// SPDX-License-Identifier: GPL-3.0-or-later
// What a person chose of the columns of trials, in the settings, by experiment. Functions of the GUI thread.
#pragma once

#include "models/trials/column_layout.h"

namespace ui {

/// Of an experiment that nothing was chosen for: the fixed columns as they were chosen last for any other. An empty id: the table of all
/// experiments' trials.
[[nodiscard]] models::ColumnLayout savedColumns(const core::ExperimentId& experiment);
/// Keeps the layouts of the last 100 experiments that one was chosen for. An empty layout forgets the experiment's and the fixed columns that
/// others begin with.
void saveColumns(const core::ExperimentId& experiment, const models::ColumnLayout& layout);

} // namespace ui
