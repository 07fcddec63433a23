// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"
#include "ui/kit/page.h"

#include <QSet>
#include <QWidget>

class QPushButton;

namespace ui {

/// What can be done with several selected trials, as buttons; hidden while fewer than two are selected. GUI thread.
class SelectionActions : public QWidget
{
    Q_OBJECT
public:
    SelectionActions(const PageContext& context, QWidget* page);

    /// A button is enabled if it applies to one of these trials; what it does says to how many before it is done.
    void setTrials(const QSet<core::TrialId>& trials);

private:
    PageContext m_context;
    QSet<core::TrialId> m_trials;
    QPushButton* m_compare;
    QPushButton* m_cancel;
    QPushButton* m_retry;
    QPushButton* m_tags;
    QPushButton* m_note;
};

} // namespace ui
