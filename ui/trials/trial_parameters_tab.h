// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/fact_list.h"

namespace ui {

/// A trial's parameters, then the facts of its record. Filled only when it is shown, because a trial may have hundreds of
/// parameters.
class TrialParametersTab : public FactList
{
    Q_OBJECT
public:
    explicit TrialParametersTab(QWidget* parent = nullptr);

    /// Both may be null.
    void setTrial(const core::TrialPtr& trial, const core::ExperimentPtr& experiment);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Row
    {
        QString name;
        QString value;
        bool isFact = false; ///< a fact of the record, not a parameter
    };

    [[nodiscard]] QList<Row> rowsNow() const;
    void fill();
    void showRow(const Row& row, QTreeWidgetItem& item) const;

    core::TrialPtr m_trial;
    core::ExperimentPtr m_experiment;
    bool m_isStale = false;
};

} // namespace ui
