// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/fact_list.h"

namespace models {
class TrialDetails;
}

namespace ui {

/// The journal of a trial: time and text of each event.
class TrialEventsTab : public FactList
{
    Q_OBJECT
public:
    explicit TrialEventsTab(models::TrialDetails& details, QWidget* parent = nullptr);

private:
    void fill();

    models::TrialDetails& m_details;
};

} // namespace ui
