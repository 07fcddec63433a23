// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"
#include "services/core/message/message.h"

#include <QHash>

#include <optional>

namespace engine {

using namespace core;

/// Where starts fail for want of something that may come back: a full disk, a quota, a broken link. Such a place gets nothing for
/// a while, longer after each failure, until something starts there again. Pure: the caller passes the time (Clock::steadyMs()).
class StartBackoff
{
public:
    struct Place
    {
        PlatformId platform;
        MachineId machine; ///< empty: the platform itself, which chooses
        QString gpu = {};  ///< uuid of the one GPU of the machine that is meant; empty: all of it

        bool operator==(const Place&) const = default;
        friend size_t qHash(const Place& place, size_t seed = 0) noexcept
        {
            return qHashMulti(seed, place.platform.value, place.machine.value, place.gpu);
        }
    };
    struct Rest
    {
        int failures = 0;
        qint64 until = 0;
        core::Message why;
    };

    /// A start failed there. Failures of starts that were on their way together count once.
    /// `atLeastMs`: as the place asks; at most an hour counts.
    void failed(const Place& place, const core::Message& why, qint64 now, qint64 atLeastMs = 0);
    /// Something started there.
    void over(const Place& place);
    /// They are other places than they were (gone and back).
    void over(const PlatformId& platform, const MachineId& machine); ///< with its GPUs
    void over(const PlatformId& platform);                           ///< with all its machines

    /// Why nothing is to be started there now; absent: it may be tried.
    [[nodiscard]] std::optional<core::Message> whyResting(const Place& place, qint64 now) const;
    /// When the next rest ends; absent: none lasts.
    [[nodiscard]] std::optional<qint64> nextEnd(qint64 now) const;
    [[nodiscard]] bool isEmpty() const { return m_backoff.isEmpty(); }

private:
    QHash<Place, Rest> m_backoff;
};

} // namespace engine
