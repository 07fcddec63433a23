// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selection.h"
#include "ui/kit/page.h"

#include <memory>

namespace ui {

class TrialDetailPanel;

/// One trial in a window of its own, which stays with it whatever is selected elsewhere. Closed by Escape; deletes itself. GUI thread.
class TrialWindow : public QWidget
{
    Q_OBJECT
public:
    /// `parent`: its window closes this one, too.
    TrialWindow(const PageContext& context, const core::TrialId& trial, QWidget* parent);
    ~TrialWindow() override;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    models::Selection m_selection; ///< of this trial alone; outlives the panel
    std::unique_ptr<TrialDetailPanel> m_panel;
};

} // namespace ui
