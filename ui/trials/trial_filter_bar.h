// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/trials/trial_filter.h"
#include "ui/kit/page.h"

class QLabel;

namespace ui {

class FilterField;
class ProblemLabel;

/// The filter of a table of trials: what is wrong with it stands below; it can be saved under a name.
class TrialFilterBar : public QWidget
{
    Q_OBJECT
public:
    explicit TrialFilterBar(const PageContext& context, QWidget* parent = nullptr);

    /// Where Enter and Down lead.
    void setList(QWidget* list);
    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    void focusField();
    /// The filter as it is typed; nothing while it is none. Names are looked up in `table`, and those that it lacks are told.
    [[nodiscard]] std::optional<models::TrialFilter> filterFor(const models::TrialTable& table);

signals:
    void edited();
    void columnsWanted(const QPoint& global);

private:
    void save();

    PageContext m_context;
    FilterField* m_field;
    ProblemLabel* m_problem;
    QLabel* m_note;
};

} // namespace ui
