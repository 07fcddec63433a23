// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parallel_data.h"

#include "ui/kit/page.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace ui {

/// The chosen trials above the charts: how many, by which ranges, how good they are, and what can be done with them.
class SelectionBar : public QFrame
{
    Q_OBJECT
public:
    explicit SelectionBar(const PageContext& context, QWidget* parent = nullptr);

    /// `chosen` of all the trials of `model`; empty when none is chosen.
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
    QLabel* m_count;
    QLabel* m_range;
    QPushButton* m_clear;
    QLabel* m_summary;
};

} // namespace ui
