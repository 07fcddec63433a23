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

/// One trial of an experiment that is still being written, with its log in view. It is not kept: stop() takes all of it back.
class TestRun : public QFrame
{
    Q_OBJECT
public:
    explicit TestRun(const PageContext& context, QWidget* parent = nullptr);

    /// The one before it goes. `draft` has no problems.
    void start(models::ExperimentDraft draft);
    void stop();
    [[nodiscard]] QPushButton* button() const { return m_button; }

signals:
    /// Somebody wants to see one; whether it can be is for the fields to say.
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
    int m_round = 0; ///< an answer to an earlier start is for nobody
    bool m_isRunning = false;
    StateLabel* m_state;
    QLabel* m_hint;
    QPushButton* m_button;
    LogView* m_log;
};

} // namespace ui
