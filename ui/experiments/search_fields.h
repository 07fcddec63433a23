// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "draft_fields.h"

class QComboBox;

namespace ui {

class SearchEditor;

/// What is searched, and how it is explored.
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
    /// Rows that the command does not name are told of.
    void setCommand(const QString& command);

private:
    QString m_command;
    QLabel* m_title;
    QLabel* m_count;
    QComboBox* m_explorer;
    SearchEditor* m_rows;
};

} // namespace ui
