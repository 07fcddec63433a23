// SPDX-License-Identifier: GPL-3.0-or-later
// What a window keeps in the settings from one start to the next. Functions of the GUI thread.
#pragma once

#include "models/sidebar_model.h"
#include "services/core/ids.h"

#include <QByteArray>
#include <QSet>

namespace ui {

/// Where a window is: restored in the next one, after a restart or a change of the language.
struct WindowPlace
{
    QByteArray geometry;
    QString page;
    QString filter;
    core::ExperimentId experiment;
    bool isChosen = false; ///< the experiment was chosen by the user, not by the program
    QSet<core::TrialId> trials;
    core::TrialId current;
};

/// Page, experiment and selection, of which at most 1,000 trials. Geometry and filter are not kept: the window saves the first by itself,
/// and a filter of yesterday would hide trials of today.
void savePlace(const WindowPlace& place);
/// Empty where nothing was saved. The records may be gone by now.
[[nodiscard]] WindowPlace savedPlace();

void saveFilters(const QList<models::SidebarModel::SavedFilter>& filters);
[[nodiscard]] QList<models::SidebarModel::SavedFilter> savedFilters();

/// The width of a page's inspector in pixels, as dragged by the person; 0: never.
void saveInspectorWidth(const QString& page, int width);
[[nodiscard]] int savedInspectorWidth(const QString& page);

} // namespace ui
