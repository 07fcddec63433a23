// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/fields/kind_form.h"

#include <QHash>

class QLabel;
class QToolButton;

namespace ui {

class TableEditor;

/// What an experiment sets besides on platforms of a kind: the fields that the kind describes (experimentFields of GET /platform-kinds). Those
/// of rare use (`advanced`) are below a button. Hidden where the kind has none. Tables are in a widget of their own, for a place that is wide
/// enough.
class OptionFields : public QWidget
{
    Q_OBJECT
public:
    explicit OptionFields(QWidget* parent = nullptr);

    /// See KindForm.
    void setChoices(KindForm::Choices choices);
    void setColumns(int titles, int distance);
    /// Where the tables are; hidden where the kind has none. It is owned by whoever puts it into a layout.
    [[nodiscard]] QWidget* tables() const { return m_tableBox; }
    /// The kind's settings of the platform, which count where the experiment sets nothing.
    void setInherited(const core::Json& settings);
    /// Shows the fields of a kind; `title` is its name for a person. What was entered for another kind is kept until it is shown again.
    void setKind(const QString& kind, const QString& title, const core::Json& fields);
    /// The options of an experiment on a platform of this kind.
    void setOptions(const QString& kind, const core::Json& options);
    /// Of the kind that is shown, an object; given options stay as they are while the kind has no fields here.
    [[nodiscard]] core::Json options() const;

    /// Marks the field that an error names; returns false if it names none.
    bool showError(const QString& message);
    void clearErrors();
    /// Marks the required fields that are empty and moves the focus to the first one, or to what is wrong in a table; returns false if there
    /// is neither.
    bool showMissing();
    /// What is wrong in tables, cell by cell.
    [[nodiscard]] qsizetype tableProblems() const;
    /// Whether the rows of a table say all that runs.
    [[nodiscard]] bool haveCommands() const;
    /// The widgets of the tab order, in visual order; without those of the tables.
    [[nodiscard]] QList<QWidget*> controls() const;
    [[nodiscard]] QList<QWidget*> tableControls() const;

signals:
    void edited();
    /// Its widgets are others now.
    void rebuilt();

private:
    void fill();
    void fillTables(const core::Json& given);
    /// Tells the tables what stands beside them.
    void showBeside();
    void showMore(bool isShown);

    QString m_kind;
    core::Json m_usual = core::Json::array();
    core::Json m_rare = core::Json::array();
    core::Json m_tableFields = core::Json::array();
    core::Json m_inherited = core::Json::object();
    QHash<QString, core::Json> m_entered; ///< by kind
    QLabel* m_title;
    KindForm* m_form;
    QToolButton* m_more;
    KindForm* m_rareForm;
    QWidget* m_tableBox;
    QList<TableEditor*> m_tables;
};

} // namespace ui
