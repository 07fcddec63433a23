// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/message/message.h"

namespace platforms::kubernetes {

using namespace core;

/// Why something does not start.
struct WaitingReason
{
    Message message; ///< whole sentences: what it is, with numbers, and what can be done; empty: nothing is known
    bool needsAPerson = false; ///< it does not start before somebody changes something

    bool operator==(const WaitingReason&) const = default;
};

} // namespace platforms::kubernetes
