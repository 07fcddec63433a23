// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "page.h"

#include "models/experiment_draft.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace ui {

class SearchEditor;
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
    [[nodiscard]] QWidget* makeLeft();
    [[nodiscard]] QWidget* makeRight();
    [[nodiscard]] QWidget* makeFooter();
    void setFocusOrder();
    /// A field with the place for what is wrong with it below.
    [[nodiscard]] QWidget* withProblem(QWidget* field, models::DraftField which);
    void edited();
    void check();
    void showProblem(models::DraftField which, QWidget* field);
    void create();
    void saveAsFile();
    void startTest();
    void chooseScript();
    void fillPlatforms();

    PageContext m_context;
    core::ExperimentSpec m_base;
    QString m_script;
    QString m_key; ///< of this dialog: pressing twice makes one experiment
    QTimer m_soon;
    QList<models::DraftProblem> m_problems;
    bool m_isPressed = false; ///< problems of empty fields are shown once somebody pressed the button
    QHash<int, QLabel*> m_problemLabels;

    QLineEdit* m_name;
    QLineEdit* m_scriptField;
    QPushButton* m_choose;
    QComboBox* m_interpreter;
    QPlainTextEdit* m_command;
    QLabel* m_commandHint;
    QLabel* m_searchTitle;
    QComboBox* m_explorer;
    SearchEditor* m_search;
    QComboBox* m_direction;
    QLineEdit* m_metric;
    QLineEdit* m_pattern;
    QComboBox* m_platform;
    QSpinBox* m_gpus;
    QSpinBox* m_atOnce;
    QSpinBox* m_trials;
    QSpinBox* m_minutes;
    QLineEdit* m_codeDir;
    QLineEdit* m_setup;
    QLineEdit* m_tags;
    QLabel* m_forecast;

    TestRun* m_test;
    QLabel* m_footerProblem;
    QPushButton* m_save;
    QPushButton* m_cancel;
    QPushButton* m_run;
};

/// The dialog for an experiment; with `copyOf` the one that runs that trial again with other parameters. Returns at once.
void openNewExperiment(
    const PageContext& context, const core::ExperimentSpec& prefill, const core::TrialId& copyOf, QWidget* parent);

} // namespace ui
