// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experiments/experiment_plan.h"
#include "ui/kit/page.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;

namespace ui {

class ProblemLabel;

/// Shows the contents of an experiment's file before it is created: the experiment, fields without effect, the files that are
/// copied, and the choice of the platform.
class OpenExperimentDialog : public QDialog
{
    Q_OBJECT
public:
    OpenExperimentDialog(const PageContext& context, models::ExperimentPlan plan, QWidget* parent = nullptr);

private:
    QWidget* buildPlan();
    QWidget* buildSide();
    QWidget* buildLeftOut(QWidget* parent);
    void create();
    void edit();
    [[nodiscard]] models::PlanPlace place() const;

    PageContext m_context;
    models::ExperimentPlan m_plan;
    QList<models::PlanPlace> m_places;
    QComboBox* m_place;
    ProblemLabel* m_problem;
    QLabel* m_progress;
    QPushButton* m_create;
};

} // namespace ui
