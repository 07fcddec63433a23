// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experiments/experiment_draft.h"
#include "ui/kit/page.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace ui {

class LogView;
class StateLabel;

/// Runs one trial of an experiment that is still being edited and shows its log. It is not kept: stop() removes the experiment.
class TestRun : public QFrame
{
    Q_OBJECT
public:
    explicit TestRun(const PageContext& context, QWidget* parent = nullptr);

    /// Stops a previous test run first. `draft` must have no problems.
    void start(models::ExperimentDraft draft);
    void stop();
    [[nodiscard]] QPushButton* button() const { return m_button; }

signals:
    /// The button was pressed; the receiver checks the fields and calls start().
    void wanted();

private:
    void follow();
    void made(const core::ExperimentId& experiment);
    void failed(const QString& why);
    void showButton(const QString& text, const QString& icon);

    PageContext m_context;
    core::ExperimentId m_experiment;
    QString m_metric;
    bool m_hasSearch = false;
    int m_round = 0; ///< answers to an earlier start are dropped
    bool m_isRunning = false;
    StateLabel* m_state;
    QLabel* m_hint;
    QPushButton* m_button;
    LogView* m_log;
};

} // namespace ui
