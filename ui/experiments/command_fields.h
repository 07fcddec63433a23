// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "draft_fields.h"

class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace ui {

/// The fields for what a trial runs: a script, its interpreter, and the command with placeholders for parameters.
class CommandFields : public DraftFields
{
    Q_OBJECT
public:
    explicit CommandFields(QWidget* parent = nullptr);

    void showDraft(const models::ExperimentDraft& draft) override;
    void readInto(models::ExperimentDraft& draft) const override;
    [[nodiscard]] QList<QWidget*> controls() const override;
    void showProblems(const QList<models::DraftProblem>& problems) override;

    /// Reads the script and sets command and search of the draft from its arguments. Returns false if it cannot be read; the
    /// reason is shown at the field and only the script's name is set.
    bool openScript(const QString& typed, models::ExperimentDraft& draft);

signals:
    void scriptChosen(const QString& file);

private:
    [[nodiscard]] QWidget* makeScriptRow();
    [[nodiscard]] QWidget* makeCommandBox();
    void chooseScript();
    void offerInterpreters(const QStringList& programs);

    QString m_script; ///< the script that was opened, not the text being typed
    QString m_unreadable;
    QLineEdit* m_scriptField;
    QPushButton* m_choose;
    QComboBox* m_interpreter;
    QPlainTextEdit* m_command;
    QLabel* m_hint;
};

} // namespace ui
