// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"
#include "ui/kit/side_panel.h"

class QLabel;
class QTableView;

namespace models {
class QueueModel;
}

namespace ui {

class WhyCard;

/// The queue in the inspector of the machines page: why the selected trial waits, and below it the waiting trials in order.
class QueuePanel : public SidePanel
{
    Q_OBJECT
public:
    explicit QueuePanel(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] bool isEmpty() const override; ///< no trial waits

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    PageContext m_context;
    models::QueueModel* m_model;
    WhyCard* m_card;
    QLabel* m_count;
    QTableView* m_table;
    bool m_wasEmpty = true;
};

} // namespace ui
