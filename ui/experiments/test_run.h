// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experiments/experiment_draft.h"
#include "services/trial/log_scan.h"
#include "ui/kit/page.h"

#include <QElapsedTimer>
#include <QFrame>
#include <QTimer>

class QLabel;
class QPushButton;

namespace ui {

class LogView;
class MetricCandidates;
class StateLabel;

/// Runs one trial of an experiment that is still being edited and shows its log. It is not kept: stop() removes the experiment. Where
/// no value comes, the numbers of its output are offered as the metric; choosing a line offers those of that line.
class TestRun : public QFrame
{
    Q_OBJECT
public:
    explicit TestRun(const PageContext& context, QWidget* parent = nullptr);

    /// Stops a previous test run first. `draft` must have no problems.
    void start(models::ExperimentDraft draft);
    void stop();
    [[nodiscard]] QPushButton* button() const { return m_button; }
    /// The last one ended and had reported nothing.
    [[nodiscard]] bool endedWithoutValue() const { return m_endedWithoutValue; }

signals:
    /// The button was pressed; the receiver checks the fields and calls start().
    void wanted();
    /// A number of the output is to be the metric.
    void metricChosen(const trial::PatternCandidate& candidate);

private:
    void follow();
    void made(const core::ExperimentId& experiment);
    void showPreparing();
    void failed(const QString& why);
    void showButton(const QString& text, const QString& icon);
    /// Looks for numbers in the output, on a pool thread: in all of it, or in the line that was chosen.
    void scan();
    void offer(const QList<trial::PatternCandidate>& found);

    PageContext m_context;
    core::ExperimentId m_experiment;
    QString m_metric;
    bool m_hasSearch = false;
    int m_round = 0; ///< answers to an earlier start are dropped
    bool m_isRunning = false;
    bool m_hasValues = false;
    bool m_endedWithoutValue = false;
    QTimer m_clock; ///< while it runs: its durations grow without any change of the records
    QElapsedTimer m_sinceStart;
    QTimer m_scanSoon;
    QByteArray m_line; ///< of the log, chosen by the person; empty: none
    bool m_isScanning = false;
    StateLabel* m_state;
    QLabel* m_hint;
    QPushButton* m_button;
    MetricCandidates* m_candidates;
    LogView* m_log;
};

} // namespace ui
