// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experiments/experiment_draft.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace ui {

class ElidedLabel;
class ProblemLabel;

/// The search space as rows: name, kind, bounds or choices, examples. The problem of a row is shown below it.
class SearchEditor : public QWidget
{
    Q_OBJECT
public:
    explicit SearchEditor(QWidget* parent = nullptr);

    void setRows(const QList<models::SearchRow>& rows);
    [[nodiscard]] QList<models::SearchRow> rows() const;
    /// Shows the problems of rows by DraftProblem::row and clears those of all other rows.
    void setProblems(const QList<models::DraftProblem>& problems, const QStringList& unused);
    void focusRow(int row);
    /// The last widget in the tab order, after all rows.
    [[nodiscard]] QPushButton* lastControl() const { return m_add; }

signals:
    void edited();

private:
    struct Row
    {
        QLineEdit* name;
        QComboBox* kind;
        QLineEdit* from;
        QLineEdit* to;
        QLineEdit* choices;
        ElidedLabel* examples;
        QToolButton* remove;
        QWidget* problem;
        ProblemLabel* problemText;
        QToolButton* swap;
    };

    void addRow(const models::SearchRow& row);
    void removeRow(int at);
    void showKind(const Row& row);
    void showTitles();
    [[nodiscard]] models::SearchRow valueOf(const Row& row) const;

    QGridLayout* m_grid;
    QPushButton* m_add;
    QList<Row> m_rows;
};

} // namespace ui
