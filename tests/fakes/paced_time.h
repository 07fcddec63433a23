// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fake_clock.h"

namespace fakes {

/// One round of this thread's event loop; where there is nothing to do, other threads get a moment. False: there was nothing, and no
/// other thread of this process works on something, nor has it a child. Time that passes while a reply is on its way through them, on a machine
/// that is slow, would be that of a slow peer.
bool turn();

/// Rounds of the loop until `until()`. Behind each without work the clock goes on: by `stepMs`, and by twice as much each time while there is
/// none, up to half a second. 0: time stands still, and what is due now runs. False after five minutes of real time.
[[nodiscard]] bool spin(FakeClock& clock, const std::function<bool()>& until, qint64 stepMs = 0);

} // namespace fakes
