// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experiments/experiment_draft.h"
#include "services/trial/log_scan.h"
#include "models/platform_kinds.h"
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

/// The dialog for a new experiment: script, command, search, objective and place. Problems are shown at their fields. A test
/// trial can be run first; it is not kept.
class NewExperimentDialog : public QDialog
{
    Q_OBJECT
public:
    NewExperimentDialog(const PageContext& context, const core::ExperimentSpec& prefill, QWidget* parent = nullptr);

    /// The current contents of the fields.
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
    /// What a field of the platform's options may be, asked of the service.
    void askChoices(const QString& field, const core::Json& options,
        const std::function<void(const QStringList&, const QString&)>& done);
    void check();
    /// Shows the draft's problems and moves the focus to the first one; returns whether there are none.
    [[nodiscard]] bool isGood(const models::ExperimentDraft& draft);
    void create();
    void saveAsFile();
    void startTest();
    /// A number of the test run's output becomes the objective.
    void takeMetric(const trial::PatternCandidate& candidate);
    /// False once for trials that would report nothing, as the test run did; it says so, and the next press goes on.
    [[nodiscard]] bool isResultExpected(const models::ExperimentDraft& draft);

    PageContext m_context;
    models::PlatformKinds m_kinds;
    core::ExperimentSpec m_base;
    QString m_key; ///< idempotency key: pressing twice creates one experiment
    QTimer m_soon;
    bool m_isWarned = false;  ///< that trials would report nothing
    bool m_isPressed = false; ///< problems of empty fields are only shown after the button was pressed

    QList<DraftFields*> m_parts; ///< the groups below, in visual order
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

/// Opens the dialog for a new experiment, or if `copyOf` is set the dialog that copies that trial. Does not block; the dialog
/// deletes itself.
void openNewExperiment(
    const PageContext& context, const core::ExperimentSpec& prefill, const core::TrialId& copyOf, QWidget* parent);

} // namespace ui
