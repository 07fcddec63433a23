// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

class QLabel;

namespace models {
class TrialTable;
}

namespace ui {

class MarkupLabel;
class StateBar;

/// The progress of an experiment: started and planned trials, the forecast of its end, the best so far, the states as a bar and
/// as text.
class TrialProgress : public QWidget
{
    Q_OBJECT
public:
    explicit TrialProgress(const PageContext& context, QWidget* parent = nullptr);

    /// An empty id: all experiments. `table` holds the trials whose durations are used for the forecast; it is only read during
    /// the call.
    void showProgress(const core::ExperimentId& experiment, const models::TrialTable& table);

private:
    void showBest(const core::Experiment& experiment);
    [[nodiscard]] QString forecast(const core::Experiment& experiment, const models::TrialTable& table) const;

    PageContext m_context;
    QLabel* m_started;
    QLabel* m_forecast;
    QWidget* m_bestBox;
    MarkupLabel* m_best;
    StateBar* m_bar;
    QLabel* m_counts;
};

} // namespace ui
