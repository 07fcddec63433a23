// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experiments/experiment_draft.h"

#include <QHash>
#include <QWidget>

class QFormLayout;
class QLabel;

namespace ui {

class ProblemLabel;

/// Some of the fields of an experiment that is being written. Each knows its part of the draft and nothing of the others; what is
/// wrong stands below its field.
class DraftFields : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual void showDraft(const models::ExperimentDraft& draft) = 0;
    virtual void readInto(models::ExperimentDraft& draft) const = 0;
    /// What the keyboard reaches, in the order of the eye.
    [[nodiscard]] virtual QList<QWidget*> controls() const = 0;
    /// Fields that are not named are right. Problems of other parts are none of its business.
    virtual void showProblems(const QList<models::DraftProblem>& problems);
    /// Goes to the field; false when it is another part's.
    virtual bool focusProblem(const models::DraftProblem& problem);

signals:
    void edited();

protected:
    /// The field with a place for its problem below; `marked` is what gets the border, where that is not the field itself.
    [[nodiscard]] QWidget* withProblem(models::DraftField which, QWidget* field, QWidget* marked = nullptr);
    void tellProblem(models::DraftField which, const QString& problem);
    [[nodiscard]] static QFormLayout* makeForm();
    [[nodiscard]] static QLabel* formLabel(const QString& text);

private:
    struct Place
    {
        QWidget* marked;
        ProblemLabel* problem;
    };
    QHash<models::DraftField, Place> m_places;
};

} // namespace ui
