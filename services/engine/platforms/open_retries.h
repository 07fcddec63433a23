// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"
#include "services/core/result.h"

#include <QHash>

#include <optional>

namespace engine {

using namespace core;

/// When a platform that could not be opened is tried again: after 5 s, twice as long after each failure, up to 5 min, and a fifth more or
/// less, so that services that lost the same cluster do not return together. Pure.
class OpenRetries
{
public:
    /// Milliseconds to wait. Absent where only a person can mend it: settings that cannot work (Kind::invalid), a question that was
    /// refused (Kind::cancelled). `random`: in [0, 1).
    [[nodiscard]] std::optional<qint64> failed(const PlatformId& id, Kind kind, double random);
    /// It opened, or is another one now: the next failure is the first.
    void over(const PlatformId& id) { m_failures.remove(id); }

private:
    QHash<PlatformId, int> m_failures;
};

} // namespace engine
