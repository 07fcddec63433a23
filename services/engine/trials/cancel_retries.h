// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"

#include <QHash>
#include <QList>

#include <optional>

namespace engine {

using namespace core;

/// When each cancel is sent: at once, and again until its trial has ended, since a platform that took a cancel may lose it. After one
/// that failed soon, after one that was taken later, and each time later than before. Pure: the caller passes the time
/// (Clock::steadyMs()).
class CancelRetries
{
public:
    /// Due now; a cancel of the trial that is on its way is followed by another one.
    void want(const TrialId& trial, qint64 now);
    /// The trial has ended, or its platform is closed: nothing is sent any more.
    void over(const TrialId& trial) { m_cancels.remove(trial); }
    /// What is due now or within a second, so that cancels go out together, by id. Each is on its way until answered().
    [[nodiscard]] QList<TrialId> takeDue(qint64 now);
    void answered(const TrialId& trial, bool taken, qint64 now);
    /// When the next one is due; absent: none waits.
    [[nodiscard]] std::optional<qint64> nextDue() const;

private:
    struct Cancel
    {
        qint64 due = 0;
        int sent = 0;
        bool isOnWay = false;
    };
    QHash<TrialId, Cancel> m_cancels;
};

} // namespace engine
