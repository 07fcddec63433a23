// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/machines/add_machines_model.h"
#include "ui/kit/page.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QListView;
class QPlainTextEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;
class QVBoxLayout;

namespace ui {

class Card;
class FilterField;
class ProblemLabel;
class StateLabel;

/// The view for adding machines: hosts to choose at the left, the matrix of their checks in the middle, and at the right the
/// selected finding with its remedy and the open questions. All decisions are made by models::AddMachinesModel.
class AddMachines : public QWidget
{
    Q_OBJECT
public:
    explicit AddMachines(const PageContext& context, QWidget* parent = nullptr);

    /// Starts again with the hosts of the SSH settings.
    void begin();
    [[nodiscard]] models::AddMachinesModel& intake() { return *m_intake; }
    void focusFilter();

signals:
    void done(); ///< machines were added, or the user left

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildHosts();
    QWidget* buildChecks();
    QWidget* buildFindings();
    void refresh();
    void place();
    void shareWidth();
    void showQuestions();
    void showFinding();
    void showLog();
    void chooseCell();
    void addTyped();
    void addFile(const QString& file);
    void add();
    void leave();
    [[nodiscard]] int chosenRow() const; ///< row of m_intake, -1: none

    PageContext m_context;
    models::AddMachinesModel* m_intake;
    QSortFilterProxyModel* m_shown;
    QBoxLayout* m_sides; ///< checks and findings
    QWidget* m_findings;
    QLabel* m_count;
    QComboBox* m_platform;
    QPushButton* m_add;
    ProblemLabel* m_problem;
    FilterField* m_filter;
    QListView* m_hosts;
    QLabel* m_noHosts;
    QPlainTextEdit* m_typed;
    ProblemLabel* m_typedProblem;
    QTableView* m_checks;
    QLabel* m_noChecks;
    QPushButton* m_again;
    Card* m_logCard;
    QLabel* m_logTitle;
    StateLabel* m_logState;
    QPlainTextEdit* m_log;
    QVBoxLayout* m_right;
    QWidget* m_finding = nullptr;
    QMap<QString, QWidget*> m_questions; ///< by prompt id
    QLabel* m_moreQuestions;
    QString m_findingShown; ///< key of the card's contents; the card is only replaced if it changes
    bool m_chosen = false;  ///< the cell was chosen by the user, not by the program
    bool m_choosing = false;
    bool m_isAdding = false; ///< the request to add machines is unanswered
};

} // namespace ui
