// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_origin.h"
#include "patience.h"

#include <vector>

namespace transport {

/// Coroutines that wait until anything happens to a connection. On one thread.
class Waiters
{
public:
    /// All that wait now go on, before it returns. One of them may destroy this object.
    void wake();
    /// Kind::timeout, naming `server`, when patience ended; Kind::cancelled. This object may be gone when it comes back.
    [[nodiscard]] Task<Result<>> wait(Clock* clock, Patience patience, HttpOrigin server);

private:
    enum class Wake { event, late, stopped };
    std::vector<OneShot<Wake>> m_waiting;
};

} // namespace transport
