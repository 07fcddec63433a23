// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "draft_fields.h"

class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace ui {

/// What a trial runs: a script, its interpreter, the command with the names of parameters in it.
class CommandFields : public DraftFields
{
    Q_OBJECT
public:
    explicit CommandFields(QWidget* parent = nullptr);

    void showDraft(const models::ExperimentDraft& draft) override;
    void readInto(models::ExperimentDraft& draft) const override;
    [[nodiscard]] QList<QWidget*> controls() const override;
    void showProblems(const QList<models::DraftProblem>& problems) override;

    /// Reads the script, and lets it propose the command and the search of the draft. False, with the reason at the field: it cannot
    /// be read, and only its name was taken.
    bool openScript(const QString& typed, models::ExperimentDraft& draft);

signals:
    void scriptChosen(const QString& file);

private:
    [[nodiscard]] QWidget* makeScriptRow();
    [[nodiscard]] QWidget* makeCommandBox();
    void chooseScript();
    void offerInterpreters(const QStringList& programs);

    QString m_script; ///< the one that was opened, whatever is being typed
    QString m_unreadable;
    QLineEdit* m_scriptField;
    QPushButton* m_choose;
    QComboBox* m_interpreter;
    QPlainTextEdit* m_command;
    QLabel* m_hint;
};

} // namespace ui
