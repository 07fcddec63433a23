// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

#include <QSplitter>

class QLabel;

namespace ui {

class LogView;
class MarkupLabel;
class NoteView;
namespace charts {
class MetricChart;
}

/// Summary of a trial: its note, its curve, its first parameters, its log.
class TrialSummaryTab : public QSplitter
{
    Q_OBJECT
public:
    explicit TrialSummaryTab(const PageContext& context, QWidget* parent = nullptr);

    /// Both may be null.
    void setTrial(const core::TrialPtr& trial, const core::ExperimentPtr& experiment);
    [[nodiscard]] charts::MetricChart* curve() const { return m_curve; }
    [[nodiscard]] LogView* log() const { return m_log; }

private:
    void showTitle();
    void showParameters();

    PageContext m_context;
    QString m_metric;
    QByteArray m_parameters;
    NoteView* m_note;
    MarkupLabel* m_title;
    charts::MetricChart* m_curve;
    QWidget* m_values;
    LogView* m_log;
};

} // namespace ui
