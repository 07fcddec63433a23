// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection.h"

namespace models {

void Selection::set(const QSet<core::TrialId>& trials, QObject* origin)
{
    if (trials == m_trials)
        return;
    m_trials = trials;
    emit changed(origin);
}

void Selection::setCurrent(const core::TrialId& trial, QObject* origin)
{
    if (trial == m_current)
        return;
    m_current = trial;
    emit currentChanged(origin);
}

} // namespace models
