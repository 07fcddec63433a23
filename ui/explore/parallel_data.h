// SPDX-License-Identifier: GPL-3.0-or-later
// Trials as lines through axes: which columns say something, and where each value stands. Pure.
#pragma once

#include "services/core/records.h"
#include "ui/charts/parallel_coordinates.h"

namespace models {
class TrialModel;
}

namespace ui {

/// Parameters with more than one value, in the order of their columns.
[[nodiscard]] QList<int> tellingColumns(const models::TrialModel& model);
/// As the search draws it; without a search (`experiment` may be null), numbers over several decades.
[[nodiscard]] bool isLogColumn(const models::TrialModel& model, int column, const core::ExperimentPtr& experiment);
/// What an axis of the column is called: a parameter, the objective's metric, or a title of the table.
[[nodiscard]] QString axisName(const models::TrialModel& model, int column);

struct ParallelData
{
    std::vector<charts::ParallelAxis> axes;
    std::shared_ptr<const std::vector<charts::ParallelLine>> lines;
};
[[nodiscard]] ParallelData parallelData(
    const models::TrialModel& model, const QList<int>& columns, const core::ExperimentPtr& experiment);

/// Brushes in the words of the filter, and in those of a person.
struct BrushWords
{
    QString filter;
    QString sentence;
};
[[nodiscard]] BrushWords brushWords(
    const std::vector<charts::ParallelAxis>& axes, const std::vector<charts::Brush>& brushes);

} // namespace ui
