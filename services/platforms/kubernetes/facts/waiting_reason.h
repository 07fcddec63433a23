// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/message/message.h"

namespace platforms::kubernetes {

using namespace core;

/// Why something does not start.
struct WaitingReason
{
    Message message; ///< whole sentences: what it is, with numbers, and what can be done; empty: nothing is known
    bool needsAPerson = false; ///< waiting alone does not help: the request or the cluster must be changed

    bool operator==(const WaitingReason&) const = default;
};

} // namespace platforms::kubernetes
