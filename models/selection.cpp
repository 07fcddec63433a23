// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection.h"

#include <algorithm>
#include <array>

namespace models {

QHash<core::TrialId, int> colorTrials(const QList<core::TrialId>& trials, const QHash<core::TrialId, int>& before)
{
    std::array<bool, Selection::mostColors> isTaken{};
    QHash<core::TrialId, int> out;
    for (const core::TrialId& trial : trials) {
        const int kept = before.value(trial, -1);
        if (kept < 0 || kept >= Selection::mostColors || isTaken[size_t(kept)])
            continue;
        isTaken[size_t(kept)] = true;
        out.insert(trial, kept);
    }
    for (const core::TrialId& trial : trials) {
        const auto free = std::find(isTaken.begin(), isTaken.end(), false);
        if (free == isTaken.end())
            break;
        if (out.contains(trial))
            continue;
        *free = true;
        out.insert(trial, int(free - isTaken.begin()));
    }
    return out;
}

void Selection::set(const QSet<core::TrialId>& trials, QObject* origin)
{
    if (trials == m_trials)
        return;
    m_trials = trials;
    if (trials.size() > mostColors) {
        m_colors.removeIf([this](const auto& one) { return !m_trials.contains(one.key()); });
    } else {
        QList<core::TrialId> order(trials.begin(), trials.end());
        std::sort(order.begin(), order.end());
        m_colors = colorTrials(order, m_colors);
    }
    emit changed(origin);
}

void Selection::colorSome(const QList<core::TrialId>& trials)
{
    if (m_trials.size() > mostColors)
        m_colors = colorTrials(trials, m_colors);
}

int Selection::colorOf(const core::TrialId& trial) const
{
    return m_colors.value(trial, -1);
}

void Selection::setCurrent(const core::TrialId& trial, QObject* origin)
{
    if (trial == m_current)
        return;
    m_current = trial;
    emit currentChanged(origin);
}

} // namespace models
