// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experiments/option_table.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace ui {

class IconLabel;
class ProblemLabel;

/// A field of type `table` as rows of cells, an object each, with a mark at the row that leads. Columns, their words and which row leads are
/// as the service describes them. The problem of a row is shown below it.
class TableEditor : public QWidget
{
    Q_OBJECT
public:
    /// `field` as the service returns it, and the value that it has.
    TableEditor(const core::Json& field, const core::Json& value, QWidget* parent = nullptr);

    /// The values of the fields beside it, by which the words of cells may differ.
    void setBeside(const core::Json& beside);
    /// As it was given until something is changed, also where it was given as a text; null: it has no rows.
    [[nodiscard]] core::Json value() const;
    [[nodiscard]] const QList<models::TableRow>& rows() const { return m_values; }
    [[nodiscard]] QString name() const;

    [[nodiscard]] const QList<models::TableProblem>& problems() const { return m_problems; }
    /// Shows what an error says of this table and moves the focus there; returns false if it says nothing of it.
    bool showError(const QString& message);
    void clearErrors();
    /// Moves the focus to the first problem; returns false if there is none.
    bool focusProblem();
    /// The widgets of the tab order, in visual order.
    [[nodiscard]] QList<QWidget*> controls() const;

signals:
    void edited();
    /// Its widgets are others now.
    void rebuilt();

private:
    struct Cell
    {
        core::Json item;
        QLineEdit* line = nullptr; ///< null: it has a list of words
        QComboBox* list = nullptr;

        [[nodiscard]] QWidget* widget() const;
    };
    struct Row
    {
        QList<Cell> cells;
        IconLabel* mark = nullptr; ///< null: no row leads
        QToolButton* remove = nullptr;
        QWidget* rare = nullptr; ///< the line with cells of rare use; null: there are none
        QWidget* problem = nullptr;
        ProblemLabel* problemText = nullptr;
    };

    [[nodiscard]] QWidget* makeFoot();
    void fill();
    void addRow();
    void removeRow(qsizetype at);
    void showRow(qsizetype at);
    [[nodiscard]] Cell makeCell(const core::Json& item, qsizetype row, QWidget* parent);
    [[nodiscard]] QLineEdit* makeLine(const core::Json& item, QWidget* parent);
    [[nodiscard]] QComboBox* makeList(const QStringList& words, const QString& text, QWidget* parent);
    void takeText(qsizetype row, const core::Json& item, const QString& text);
    void showMore(bool isShown);
    void check();
    void showProblems(const QList<models::TableProblem>& problems);

    core::Json m_field;
    core::Json m_given;
    core::Json m_beside = core::Json::object();
    QList<models::TableRow> m_values;
    QList<models::TableProblem> m_problems; ///< of check()
    bool m_isRead = true;                   ///< the given value is rows; else it is kept until one is added
    bool m_isEdited = false;
    QGridLayout* m_grid;
    QWidget* m_card;
    QList<Row> m_rows;
    QPushButton* m_add = nullptr;
    QToolButton* m_more = nullptr;
    ProblemLabel* m_problem;
};

} // namespace ui
