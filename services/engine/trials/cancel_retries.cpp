// SPDX-License-Identifier: GPL-3.0-or-later
#include "cancel_retries.h"

#include <algorithm>
#include <array>

namespace engine {

static constexpr qint64 togetherMs = 1'000;
/// The last one of each repeats.
static constexpr std::array<qint64, 7> afterFailure = {5'000, 10'000, 20'000, 40'000, 80'000, 160'000, 300'000};
static constexpr std::array<qint64, 4> afterTaken = {30'000, 60'000, 120'000, 300'000};

void CancelRetries::want(const TrialId& trial, qint64 now)
{
    Cancel& cancel = m_cancels[trial];
    cancel.due = now;
    cancel.sent = 0;
}

QList<TrialId> CancelRetries::takeDue(qint64 now)
{
    QList<TrialId> due;
    for (auto it = m_cancels.begin(); it != m_cancels.end(); ++it) {
        if (it->isOnWay || it->due > now + togetherMs)
            continue;
        it->isOnWay = true;
        ++it->sent;
        due.append(it.key());
    }
    std::sort(due.begin(), due.end());
    return due;
}

void CancelRetries::answered(const TrialId& trial, bool taken, qint64 now)
{
    const auto it = m_cancels.find(trial);
    if (it == m_cancels.end() || !it->isOnWay)
        return;
    it->isOnWay = false;
    if (it->sent == 0)
        return; // wanted anew meanwhile: it is due already
    const auto delayOf = [sent = size_t(it->sent)](
                             const auto& delays) { return delays[std::min(sent, delays.size()) - 1]; };
    it->due = now + (taken ? delayOf(afterTaken) : delayOf(afterFailure));
}

std::optional<qint64> CancelRetries::nextDue() const
{
    std::optional<qint64> next;
    for (const Cancel& cancel : m_cancels)
        if (!cancel.isOnWay && (!next || cancel.due < *next))
            next = cancel.due;
    return next;
}

} // namespace engine
