// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "draft_fields.h"

class QComboBox;

namespace ui {

class SearchEditor;

/// The fields for the search space and the search strategy.
class SearchFields : public DraftFields
{
    Q_OBJECT
public:
    explicit SearchFields(QWidget* parent = nullptr);

    void showDraft(const models::ExperimentDraft& draft) override;
    void readInto(models::ExperimentDraft& draft) const override;
    [[nodiscard]] QList<QWidget*> controls() const override;
    void showProblems(const QList<models::DraftProblem>& problems) override;
    bool focusProblem(const models::DraftProblem& problem) override;
    /// Sets the commands (models::commandsOf()); rows whose name they do not contain are marked.
    void setCommand(const QString& command);

private:
    QString m_command;
    QLabel* m_title;
    QLabel* m_count;
    QComboBox* m_explorer;
    SearchEditor* m_rows;
};

} // namespace ui
