// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

#include "services/core/records.h"

#include <QDialog>
#include <QSet>

class QComboBox;
class QLabel;
class QTreeWidget;

namespace ui {

namespace charts {
class MetricChart;
}

/// What differs between a few trials: parameters, then results, then what is equal, folded; below their curves in the colours of the
/// columns. Of the selected trials or of the best ones of the experiment, at most eight, the best first. One of them is the baseline, the best
/// one at first: it stands first, and the numbers of the others say how they differ from it.
class CompareDialog : public QDialog
{
    Q_OBJECT
public:
    /// `ids` may be empty if there is an experiment. The trials are compared as they are now.
    CompareDialog(const PageContext& context, const QSet<core::TrialId>& ids, const core::ExperimentId& experiment,
        QWidget* parent);

private:
    void choose(qsizetype best);
    void setBaseline(int shown);
    void showTrials(const QList<core::TrialPtr>& trials, const QString& title);
    void fillTable(const QList<core::TrialPtr>& trials);

    PageContext m_context;
    QList<core::TrialPtr> m_selected;
    core::ExperimentPtr m_experiment;
    QList<core::TrialPtr> m_shown;
    QHash<core::TrialId, int> m_colors;
    core::TrialId m_baseline; ///< one that was chosen; empty: the first
    QLabel* m_title;
    QComboBox* m_baselines;
    QTreeWidget* m_table;
    charts::MetricChart* m_curves;
};

/// Opens the dialog. With fewer than two trials the best ones of `experiment`, or of the trial's, are compared; without those a note
/// says what to do. `parent` is the dialog's parent.
void compareTrials(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent,
    const core::ExperimentId& experiment = {});

} // namespace ui
