// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/machines/add_machines_model.h"
#include "ui/kit/widgets.h"

namespace ui {

/// The finding of one check on one machine, with its remedy and buttons to act on it.
class FindingCard : public Card
{
    Q_OBJECT
public:
    /// `anyway`: the host is added although its check failed.
    FindingCard(const core::CheckStep& step, const QString& host, models::AddMachinesModel::Verdict verdict,
        bool anyway, QWidget* parent = nullptr);

    void focusFirst() { m_again->setFocus(Qt::OtherFocusReason); }

signals:
    void againWanted();
    void anywayWanted(bool anyway);

private:
    QPushButton* m_again;
};

} // namespace ui
