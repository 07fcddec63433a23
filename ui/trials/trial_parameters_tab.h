// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/fact_list.h"

namespace ui {

/// A trial's parameters, then the facts of its record. Filled when it is looked at: a trial may have hundreds.
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
        bool isFact = false; ///< of the record, and no parameter
    };

    [[nodiscard]] QList<Row> rowsNow() const;
    void fill();
    void showRow(const Row& row, QTreeWidgetItem& item) const;

    core::TrialPtr m_trial;
    core::ExperimentPtr m_experiment;
    bool m_isStale = false;
};

} // namespace ui
