// SPDX-License-Identifier: GPL-3.0-or-later
// Converts trials to lines of parallel coordinates: selects the columns and maps values to places. Pure functions.
#pragma once

#include "services/core/records.h"
#include "ui/charts/parallel_coordinates.h"

namespace models {
class TrialModel;
}

namespace ui {

/// Parameters with more than one value, in the order of their columns.
[[nodiscard]] QList<int> tellingColumns(const models::TrialModel& model);
/// Whether the axis is logarithmic: as in the search space; without one (`experiment` may be null) if the numbers span several
/// decades.
[[nodiscard]] bool isLogColumn(const models::TrialModel& model, int column, const core::ExperimentPtr& experiment);
/// The name of the column's axis: a parameter, the objective's metric, or a column title of the table.
[[nodiscard]] QString axisName(const models::TrialModel& model, int column);

struct ParallelData
{
    std::vector<charts::ParallelAxis> axes;
    std::shared_ptr<const std::vector<charts::ParallelLine>> lines;
};
[[nodiscard]] ParallelData parallelData(
    const models::TrialModel& model, const QList<int>& columns, const core::ExperimentPtr& experiment);

/// Brushes as a filter text, and as a sentence for the user.
struct BrushWords
{
    QString filter;
    QString sentence;
};
[[nodiscard]] BrushWords brushWords(
    const std::vector<charts::ParallelAxis>& axes, const std::vector<charts::Brush>& brushes);

} // namespace ui
