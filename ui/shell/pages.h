// SPDX-License-Identifier: GPL-3.0-or-later
// The window's pages in the order of the sidebar. Only pages.cpp uses their classes.
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

#include <vector>

namespace ui {

struct PageEntry
{
    const char* name;
    Page* (*make)(const PageContext& context, QWidget* parent);
    QList<KeyCommand> (*keys)() = nullptr; ///< what keys do there, besides those of the window; null: nothing
};

[[nodiscard]] const std::vector<PageEntry>& pageTable();

/// Opens the dialog for a new experiment. Does not block.
void askForNewExperiment(
    const PageContext& context, const core::ExperimentSpec& prefill, const core::TrialId& copyOf, QWidget* parent);

} // namespace ui
