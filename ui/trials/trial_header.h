// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

#include <QTimer>

class QLabel;
class QPushButton;

namespace ui {

class IconLabel;
class StateLabel;

/// A trial in two sentences, and what can be done with it. Its durations run. GUI thread.
class TrialHeader : public QWidget
{
    Q_OBJECT
public:
    explicit TrialHeader(const PageContext& context, QWidget* parent = nullptr);

    /// Null: nothing is shown, as before.
    void setTrial(const core::TrialPtr& trial);

signals:
    void closeWanted();

private:
    [[nodiscard]] QLayout* makeButtons();
    void refresh();
    void lookForFolder();
    void openMenu();
    [[nodiscard]] core::ExperimentPtr experiment() const;

    PageContext m_context;
    core::TrialPtr m_trial;
    std::pair<QString, core::TrialStatus> m_folder; ///< that was looked for last, and what the trial was then
    QTimer m_clock;
    IconLabel* m_star;
    QLabel* m_title;
    StateLabel* m_state;
    QLabel* m_result;
    QLabel* m_detail;
    QPushButton* m_act;
    QPushButton* m_open;
};

} // namespace ui
