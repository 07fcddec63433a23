// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/trials/trial_filter.h"
#include "ui/kit/page.h"

class QLabel;

namespace ui {

class FilterField;
class ProblemLabel;

/// The filter field of a table of trials, with its problem shown below and a button to save it under a name.
class TrialFilterBar : public QWidget
{
    Q_OBJECT
public:
    explicit TrialFilterBar(const PageContext& context, QWidget* parent = nullptr);

    /// The widget that gets the focus on Enter and Down. Not owned.
    void setList(QWidget* list);
    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    void focusField();
    /// Parses the typed filter; nullopt while it is invalid. Names are resolved in `table`, and unknown ones are shown as a
    /// problem.
    [[nodiscard]] std::optional<models::TrialFilter> filterFor(const models::TrialTable& table);

signals:
    void edited();
    void columnsWanted();

private:
    void save();

    PageContext m_context;
    FilterField* m_field;
    ProblemLabel* m_problem;
    QLabel* m_note;
};

} // namespace ui
