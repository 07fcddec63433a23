// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experiments/experiment_draft.h"
#include "ui/kit/page.h"

#include <QDialog>
#include <QTimer>

class QPushButton;

namespace ui {

class CommandFields;
class DraftFields;
class PlaceFields;
class ProblemLabel;
class SearchFields;
class TestRun;

/// Writes an experiment: script, command, search, objective, where it runs. Problems stand at their fields; one trial can be run
/// first, with its log in view, and is not kept.
class NewExperimentDialog : public QDialog
{
    Q_OBJECT
public:
    NewExperimentDialog(const PageContext& context, const core::ExperimentSpec& prefill, QWidget* parent = nullptr);

    /// What stands in the fields.
    [[nodiscard]] models::ExperimentDraft draft() const;
    void setDraft(const models::ExperimentDraft& draft);
    void openScript(const QString& file);

    void done(int result) override;

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    [[nodiscard]] QWidget* makeFields();
    [[nodiscard]] QWidget* makeFooter();
    void setFocusOrder();
    void check();
    /// Shows what is wrong, and goes to the first of it; false when something is.
    [[nodiscard]] bool isGood(const models::ExperimentDraft& draft);
    void create();
    void saveAsFile();
    void startTest();

    PageContext m_context;
    core::ExperimentSpec m_base;
    QString m_key; ///< of this dialog: pressing twice makes one experiment
    QTimer m_soon;
    bool m_isPressed = false; ///< problems of empty fields are shown once somebody pressed the button

    QList<DraftFields*> m_parts; ///< all that follow, in the order of the eye
    DraftFields* m_name;
    CommandFields* m_command;
    SearchFields* m_search;
    PlaceFields* m_place;

    TestRun* m_test;
    ProblemLabel* m_problem;
    QPushButton* m_save;
    QPushButton* m_cancel;
    QPushButton* m_run;
};

/// The dialog for an experiment; with `copyOf` the one that runs that trial again with other parameters. Returns at once.
void openNewExperiment(
    const PageContext& context, const core::ExperimentSpec& prefill, const core::TrialId& copyOf, QWidget* parent);

} // namespace ui
