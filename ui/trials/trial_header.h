// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

#include <QTimer>

class QLabel;
class QPushButton;

namespace ui {

class IconLabel;
class MarkupLabel;
class StateLabel;

/// Describes a trial in two sentences, with buttons for its actions. Durations are updated while it runs. GUI thread.
class TrialHeader : public QWidget
{
    Q_OBJECT
public:
    explicit TrialHeader(const PageContext& context, QWidget* parent = nullptr);

    /// Null: shows no trial.
    void setTrial(const core::TrialPtr& trial);
    /// Whether the name of the trial's experiment is shown: where it is not the only one whose trials can be chosen.
    void setExperimentNamed(bool isNamed);

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
    std::pair<QString, core::TrialStatus> m_folder; ///< the folder looked for last, and the trial's status then
    QTimer m_clock;
    IconLabel* m_star;
    QLabel* m_title;
    QLabel* m_experiment;
    bool m_isExperimentNamed = false;
    StateLabel* m_state;
    MarkupLabel* m_result;
    QLabel* m_detail;
    QPushButton* m_act;
    QPushButton* m_open;
};

} // namespace ui
