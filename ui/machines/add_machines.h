// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/machines/add_machines_model.h"
#include "ui/kit/page.h"

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

/// Hosts to tick at the left, what the doctor finds on each in the middle, and at the right the chosen finding with its remedy and
/// the questions that are open. What is ready goes to a platform. Decides nothing: models::AddMachinesModel does.
class AddMachines : public QWidget
{
    Q_OBJECT
public:
    explicit AddMachines(const PageContext& context, QWidget* parent = nullptr);

    /// Begins anew with the hosts of the SSH settings.
    void begin();
    [[nodiscard]] models::AddMachinesModel& intake() { return *m_intake; }
    void focusFilter();

signals:
    void done(); ///< added, or left

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildHosts();
    QWidget* buildChecks();
    QWidget* buildFindings();
    void refresh();
    void shareWidth();
    void showQuestions();
    void showFinding();
    void showLog();
    void chooseCell();
    void addTyped();
    void add();
    void leave();
    [[nodiscard]] int chosenRow() const; ///< of the intake, -1: none

    PageContext m_context;
    models::AddMachinesModel* m_intake;
    QSortFilterProxyModel* m_shown;
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
    QMap<QString, QWidget*> m_questions; ///< by prompt
    QLabel* m_moreQuestions;
    QString m_findingShown; ///< what the card was made for, so that it stays while it says the same
    bool m_chosen = false;  ///< the person, not we, chose the cell
    bool m_choosing = false;
    bool m_isAdding = false; ///< the service was told, and has not answered
};

} // namespace ui
