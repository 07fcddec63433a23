// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"

#include <QWidget>

#include <functional>

class QFormLayout;
class QLineEdit;
class QToolButton;

namespace ui {

class ProblemLabel;

/// A form built from the fields that a platform kind describes (GET /platform-kinds); there are no widgets for particular
/// platforms. Keeps the previous settings, so that secrets are unchanged unless they are entered again.
class KindForm : public QWidget
{
    Q_OBJECT
public:
    /// Calls `done` with the values that a field may take beside these settings, or with the sentence why there are none. Later, on the
    /// same thread.
    using Choices = std::function<void(const QString& field, const core::Json& settings,
        std::function<void(const QStringList& choices, const QString& problem)> done)>;

    explicit KindForm(QWidget* parent = nullptr);

    /// Where choices come from, for fields that offer some. Set it before setFields().
    void setChoices(Choices choices) { m_choices = std::move(choices); }
    /// Fields of rare use stand below a button. Set it before setFields().
    void setFoldsRare(bool folds) { m_foldsRare = folds; }
    /// What a list of words has first for a field that needs no value and has no default. Set it before setFields().
    void setAbsent(const QString& words) { m_absent = words; }
    /// `advanced`, and not required.
    [[nodiscard]] static bool isRare(const core::Json& field);
    /// The width of the titles and the distance of the fields from them, pixels; by default those of a page.
    void setColumns(int titles, int distance);

    /// `fields` of the kind and `settings` of the platform, both as the service returns them.
    void setFields(const core::Json& fields, const core::Json& settings);
    /// The entered settings, without those that equal the default and were not set before.
    [[nodiscard]] core::Json settings() const;
    /// Marks the field that an error names and shows the message below it; returns false if it names none.
    bool showError(const QString& message);
    void clearErrors();
    /// Marks the required fields that are empty and moves the focus to the first of them; returns false if there is none.
    bool showMissing();
    void focusFirst();
    /// The widgets of the tab order, in visual order.
    [[nodiscard]] QList<QWidget*> controls() const;

signals:
    void edited();

private:
    struct Row
    {
        std::string name;
        std::string type;
        core::Json defaultValue;
        core::Json before;
        bool secret = false;
        bool required = false;
        bool cleared = false;            ///< the stored secret is to be removed
        std::vector<std::string> sentTo; ///< of a secret: names of the rows that determine its receiver
        bool folded = false;             ///< it stands below the button
        QWidget* editor = nullptr;
        QToolButton* clear = nullptr; ///< of a stored secret
        ProblemLabel* error = nullptr;
        QList<KindForm*> entries; ///< one form per entry of a list of objects
        core::Json items;
        QWidget* entryBox = nullptr;
        QWidget* label = nullptr;
        QWidget* box = nullptr;
        std::string dependsOn; ///< the row whose value makes this one count; empty: none
        core::Json dependsValue;
    };

    void addRow(const core::Json& field, const core::Json& settings);
    void addFold();
    QWidget* makeEditor(Row& row, const core::Json& field);
    [[nodiscard]] QWidget* makeTextEditor(Row& row);
    void addPicker(QLineEdit* line, bool isFile);
    void addChooser(QLineEdit* line, const std::string& name);
    void addClear(QWidget* editor);
    /// Rows that the others make pointless are hidden; what they hold is kept.
    void showRows();
    [[nodiscard]] bool counts(const Row& row) const;
    /// Whether a row of `secret.sentTo` has another value, with defaults, than the stored settings.
    [[nodiscard]] bool isReceiverChanged(const Row& secret) const;
    QWidget* makeList(Row& row);
    void addEntry(qsizetype row, const core::Json& settings);
    [[nodiscard]] core::Json valueOf(const Row& row) const;

    QFormLayout* m_form;
    QString m_absent;
    QList<Row> m_rows;
    Choices m_choices;
    QToolButton* m_more = nullptr; ///< null: nothing is folded
    bool m_foldsRare = false;
    int m_titleWidth;
};

} // namespace ui
