// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parallel_data.h"

#include "ui/kit/page.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace ui {

/// A bar above the charts that describes the selected trials: their number, the brushed ranges, a summary of results, and buttons
/// for actions.
class SelectionBar : public QFrame
{
    Q_OBJECT
public:
    explicit SelectionBar(const PageContext& context, QWidget* parent = nullptr);

    /// `chosen`: the selected trials of `model`, may be empty.
    void showSelection(const models::TrialModel& model, const QSet<core::TrialId>& chosen, const BrushWords& brushed);

signals:
    void clearWanted();
    void exportWanted();

private:
    void saveFilter();
    void showColor();

    PageContext m_context;
    bool m_hasChosen = false;
    QString m_filter;
    core::ExperimentId m_experiment;
    QLabel* m_count;
    QLabel* m_range;
    QPushButton* m_clear;
    QLabel* m_summary;
};

} // namespace ui
