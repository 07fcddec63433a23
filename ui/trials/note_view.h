// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

#include "services/core/records.h"

class QLabel;

namespace ui {

/// The note of a trial with a button that changes it; hidden where there is none.
class NoteView : public QWidget
{
    Q_OBJECT
public:
    explicit NoteView(const PageContext& context, QWidget* parent = nullptr);

    /// May be null.
    void setTrial(const core::TrialPtr& trial);

private:
    PageContext m_context;
    core::TrialId m_trial;
    QLabel* m_text;
};

} // namespace ui
