// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experiments/experiment_draft.h"

#include <QHash>
#include <QWidget>

class QFormLayout;
class QLabel;

namespace ui {

class ProblemLabel;

/// Pixels from the left of a form to its fields.
inline constexpr int labelColumn = 112;

/// A group of fields of an experiment that is being edited. Each group reads and writes only its part of the draft; problems are
/// shown below their fields.
class DraftFields : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual void showDraft(const models::ExperimentDraft& draft) = 0;
    virtual void readInto(models::ExperimentDraft& draft) const = 0;
    /// The widgets of the tab order, in visual order.
    [[nodiscard]] virtual QList<QWidget*> controls() const = 0;
    /// Shows the problems of this group's fields and clears those of its other fields. Problems of other groups are ignored.
    virtual void showProblems(const QList<models::DraftProblem>& problems);
    /// Moves the focus to the problem's field; returns false if it belongs to another group.
    virtual bool focusProblem(const models::DraftProblem& problem);

signals:
    void edited();

protected:
    /// Returns a widget with the field and a label for its problem below. `marked` gets the invalid border; null: the field
    /// itself.
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
