// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/change.h"
#include "ui/kit/page.h"

#include <QTimer>

class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;
class QTreeWidget;

namespace models {
class FailureModel;
struct FailureGroup;
} // namespace models

namespace ui {

class EmptyState;
class TrialDetailPanel;

/// The page of failed trials, grouped by cause, largest group first; for the selected group its log line, machines, trials and
/// actions.
class FailuresPage : public Page
{
    Q_OBJECT
public:
    explicit FailuresPage(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Failures"); }
    [[nodiscard]] QWidget* inspector() override;
    void setExperiment(const core::ExperimentId& experiment) override;
    void shown() override;
    [[nodiscard]] QList<std::pair<QString, QString>> keys() const override;
    [[nodiscard]] static QList<KeyCommand> keyCommands();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void take(const api::Change& change);
    void showState();
    void showGroup();
    void showFacts();
    void retryGroup();
    [[nodiscard]] const models::FailureGroup* group() const;

    models::FailureModel* m_model;
    core::ExperimentId m_experiment;
    TrialDetailPanel* m_panel;
    QLabel* m_summary;
    QTableView* m_table;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QWidget* m_detail;
    QLabel* m_cause;
    QLabel* m_facts;
    QLabel* m_sample;
    QPushButton* m_retry;
    QPushButton* m_show;
    QTreeWidget* m_trials;
    qint64 m_firstEnd = 0; ///< of the group's trials, in ms since the epoch; 0: none has ended
    QTimer m_clock;
};

} // namespace ui
